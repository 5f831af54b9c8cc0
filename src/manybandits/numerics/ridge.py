"""Ridge regression for many learners, updated one observation at a time.

A learner stores M = lambda I + sum x x' and b = sum r x. An observation changes M^-1 by a rank-one term (Sherman and
Morrison), which takes d^2 operations instead of d^3. Rounding errors of this update add up, so every `REFRESH`
observations M^-1 and the estimate theta = M^-1 b are recomputed from M and b by a Cholesky factorisation: after 100,000
observations M^-1 is still within 1e-8 of the exact inverse. Where a column repeats what others say, with numbers so
large that lambda is less than their rounding errors, nothing can be computed, and `Uncomputable` is raised.

Block contexts of more than `block_log.LONGEST` numbers are not written out: `new_ridge` then returns a `BlockRidge`,
which gives the same results without d x d matrices. Most functions here take it in place of a `Ridge`; see
`manybandits.numerics.sparse_blocks.block_ridge`. For a policy, a context is a row of an array in either case. For other
contexts of more than `ROWS` numbers it is a `LongRidge`, which has the same fields, the same bits and faster steps.
"""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np

from manybandits.base.exceptions import InputError, Uncomputable
from manybandits.compiling.lanes import LANES, add_product, add_scaled, load, store, sum_lanes, twice, zeros
from manybandits.compiling.parts import part
from manybandits.numerics import long_ridge
from manybandits.numerics.long_ridge import ROWS, LongRidge
from manybandits.numerics.samplers import normal
from manybandits.numerics.sparse_blocks import block_log, block_ridge
from manybandits.numerics.sparse_blocks.block_factors import BlockRidge, new_block_ridge
from manybandits.numerics.sparse_blocks.block_log import Log
from manybandits.numerics.triangles import pivot
from manybandits.numerics.vectors import add_to, assign, dot, fill

REFRESH = 200
LARGE = 1e4
"""Numbers of contexts beyond which a learner is refreshed early, too."""


class Ridge(NamedTuple):
    """The sufficient statistics and the estimates of n learners."""

    gram: np.ndarray  # (n, d, d): M
    inverse: np.ndarray  # (n, d, d): M^-1
    moment: np.ndarray  # (n, d): b
    estimate: np.ndarray  # (n, d): M^-1 b
    count: np.ndarray  # (n,): observations


def new_contexts(count: int, dimension: int, log: Log | None) -> np.ndarray:
    """Return an array of zeros for `count` contexts: (count, d) if they are written out, (count, 3) as references."""
    return np.zeros((count, dimension)) if log is None else np.zeros((count, 3), np.int64)


def new_ridge(regularization: float, learners: int, dimension: int, log: Log | None = None, copies: int = 1) -> Ridge:
    """Return `learners` ridge regressions without observations: a `BlockRidge` if there is a log, or a `LongRidge`.

    regularization: lambda > 0, the weight of the identity in M; log: of block contexts that are not written out;
    copies: to how many of the learners at a time an observation may belong, which bounds the memory of a `BlockRidge`.
    Raises InputError if the matrices are too large or the observations would take too much memory.
    """
    if log is not None:
        return cast(Ridge, new_block_ridge(regularization, learners, log, copies))
    if dimension > block_log.LONGEST:
        raise InputError(
            f"contexts of {dimension} numbers need a matrix of {dimension} x {dimension} per learner, more than "
            f"the limit of {block_log.LONGEST} x {block_log.LONGEST}: leave this algorithm out of the game."
        )
    identity = np.eye(dimension)
    kind = cast("type[Ridge]", LongRidge if dimension > ROWS else Ridge)
    return kind(
        gram=np.tile(regularization * identity, (learners, 1, 1)),
        inverse=np.tile(identity / regularization, (learners, 1, 1)),
        moment=np.zeros((learners, dimension)),
        estimate=np.zeros((learners, dimension)),
        count=np.zeros(learners, np.int64),
    )


@part
def quadratic(inverse: np.ndarray, x: np.ndarray) -> float:
    """Return x' M^-1 x. inverse: (d, d) symmetric, x: (d,)."""
    total = 0.0
    for i in range(x.shape[0]):
        if x[i] != 0.0:
            row = 0.5 * inverse[i, i] * x[i]
            for j in range(i):
                row += inverse[i, j] * x[j]
            total += x[i] * row
    return 2.0 * total


@part
def root(spread: float) -> float:
    """Return sqrt(x' M^-1 x); raise Uncomputable if it is negative or NaN."""
    if not spread >= 0.0:
        raise Uncomputable
    return np.sqrt(spread)


@part(overloads={BlockRidge: block_ridge.predict, LongRidge: long_ridge.predict})
def predict(ridge: Ridge, learner: int, contexts: np.ndarray, mean: np.ndarray, spread: np.ndarray) -> None:
    """Fill mean, (K,), with theta' x and spread, (K,), with x' M^-1 x for each row x of contexts, (K, d).

    It computes four contexts at a time, so that four chains of additions run side by side; if fewer than four are
    left, the last one is repeated. M^-1 is symmetric: entries below its diagonal blocks count twice, those above are
    not read.
    """
    inverse, estimate = ridge.inverse[learner], ridge.estimate[learner]
    dimension, last = contexts.shape[1], contexts.shape[0] - 1
    for a in range(0, last + 1, 4):
        b, c, d = min(a + 1, last), min(a + 2, last), min(a + 3, last)
        mean_a = mean_b = mean_c = mean_d = zeros()
        spread_a = spread_b = spread_c = spread_d = zeros()
        for first in range(0, dimension, LANES):
            row_a = row_b = row_c = row_d = zeros()
            for j in range(first + LANES, dimension):
                weights = load(inverse[j], first)
                row_a = add_scaled(row_a, contexts[a, j], weights)
                row_b = add_scaled(row_b, contexts[b, j], weights)
                row_c = add_scaled(row_c, contexts[c, j], weights)
                row_d = add_scaled(row_d, contexts[d, j], weights)
            row_a, row_b, row_c, row_d = twice(row_a), twice(row_b), twice(row_c), twice(row_d)
            for j in range(first, min(first + LANES, dimension)):
                weights = load(inverse[j], first)
                row_a = add_scaled(row_a, contexts[a, j], weights)
                row_b = add_scaled(row_b, contexts[b, j], weights)
                row_c = add_scaled(row_c, contexts[c, j], weights)
                row_d = add_scaled(row_d, contexts[d, j], weights)
            theta = load(estimate, first)
            x_a, x_b, x_c, x_d = (
                load(contexts[a], first),
                load(contexts[b], first),
                load(contexts[c], first),
                load(contexts[d], first),
            )
            mean_a, spread_a = add_product(mean_a, theta, x_a), add_product(spread_a, row_a, x_a)
            mean_b, spread_b = add_product(mean_b, theta, x_b), add_product(spread_b, row_b, x_b)
            mean_c, spread_c = add_product(mean_c, theta, x_c), add_product(spread_c, row_c, x_c)
            mean_d, spread_d = add_product(mean_d, theta, x_d), add_product(spread_d, row_d, x_d)
        mean[a], mean[b], mean[c], mean[d] = sum_lanes(mean_a), sum_lanes(mean_b), sum_lanes(mean_c), sum_lanes(mean_d)
        spread[a], spread[b] = sum_lanes(spread_a), sum_lanes(spread_b)
        spread[c], spread[d] = sum_lanes(spread_c), sum_lanes(spread_d)


@part(overloads={BlockRidge: block_ridge.mean_and_spread})
def mean_and_spread(ridge: Ridge, learner: int, x: np.ndarray) -> tuple[float, float]:
    """Return theta' x and x' M^-1 x for one context."""
    return dot(ridge.estimate[learner], x), quadratic(ridge.inverse[learner], x)


@part(overloads={BlockRidge: block_ridge.mean_at})
def mean_at(ridge: Ridge, learner: int, x: np.ndarray) -> float:
    """Return theta' x."""
    return dot(ridge.estimate[learner], x)


@part(overloads={BlockRidge: block_ridge.spread_at})
def spread_at(ridge: Ridge, learner: int, x: np.ndarray) -> float:
    """Return x' M^-1 x."""
    return quadratic(ridge.inverse[learner], x)


@part(overloads={BlockRidge: block_ridge.draw})
def draw(
    ridge: Ridge, learner: int, contexts: np.ndarray, random: np.ndarray, mean: np.ndarray, off: np.ndarray
) -> None:
    """Draw one theta~ ~ N(theta, M^-1); fill mean, (K,), with theta' x, and off, (K,), with (theta~ - theta)' x.

    contexts: (K, d); random: (1,) uint64, advanced.
    """
    lower = np.linalg.cholesky(ridge.gram[learner])
    y = np.empty(len(lower))  # L'^-1 z has covariance M^-1 if z is standard normal
    for i in range(len(y)):
        y[i] = normal(random)
    for i in range(len(y) - 1, -1, -1):
        for j in range(i + 1, len(y)):
            y[i] -= lower[j, i] * y[j]
        y[i] /= lower[i, i]
    for k in range(len(contexts)):
        mean[k], off[k] = dot(ridge.estimate[learner], contexts[k]), dot(y, contexts[k])


@part(overloads={BlockRidge: block_ridge.squared_norm})
def squared_norm(ridge: Ridge, x: np.ndarray) -> float:
    """Return x' x."""
    return dot(x, x)


@part(overloads={BlockRidge: block_ridge.estimate_of})
def estimate_of(ridge: Ridge, learner: int) -> np.ndarray:
    """Return theta, (d,)."""
    return ridge.estimate[learner]


@part(overloads={BlockRidge: block_ridge.observe})
def observe(ridge: Ridge, learner: int, x: np.ndarray, reward: float) -> None:
    """Add the observation (x, reward) to a learner. x: (d,)."""
    _add(ridge, learner, x, reward)
    ridge.count[learner] += 1
    if ridge.count[learner] % REFRESH == 0 or is_early(ridge, learner):
        refresh(ridge, learner)


@part(overloads={LongRidge: long_ridge.add})
def _add(ridge: Ridge, learner: int, x: np.ndarray, reward: float) -> None:
    """Add the observation (x, reward) to M, b, M^-1 and the estimate of a learner."""
    gram, inverse = ridge.gram[learner], ridge.inverse[learner]
    moment, estimate = ridge.moment[learner], ridge.estimate[learner]
    dimension = x.shape[0]
    direction = np.empty(dimension)  # M^-1 x
    for first in range(0, dimension, LANES):
        column = zeros()
        for j in range(dimension):
            column = add_scaled(column, x[j], load(inverse[j], first))
        store(direction, first, column)
    scale = 1.0 / (1.0 + dot(direction, x))
    step = scale * (reward - dot(estimate, x))
    for first in range(0, dimension, LANES):
        part, towards = load(x, first), load(direction, first)
        store(moment, first, add_scaled(load(moment, first), reward, part))
        store(estimate, first, add_scaled(load(estimate, first), step, towards))
        for i in range(dimension):
            store(gram[i], first, add_scaled(load(gram[i], first), x[i], part))
            store(inverse[i], first, add_scaled(load(inverse[i], first), -scale * direction[i], towards))


@part
def is_early(ridge: Ridge, learner: int) -> bool:
    """Return whether a learner of few observations is to be refreshed: at powers of two, where numbers are large.

    Rank-one updates then start from the identity, beside which the inverse of large numbers is lost in rounding.
    """
    count, dimension = ridge.count[learner], ridge.gram.shape[1]
    if count > REFRESH or count <= dimension or count & (count - 1):
        return False
    for i in range(dimension):  # noqa: SIM110  # numba compiles no generator
        if ridge.gram[learner, i, i] > count * LARGE**2:
            return True
    return False


@part(overloads={BlockRidge: block_ridge.refresh}, inlined=False)
def refresh(ridge: Ridge, learner: int) -> None:
    """Recompute M^-1 and the estimate of a learner from its M and b by a Cholesky factorisation."""
    _invert(ridge, learner)
    inverse, moment = ridge.inverse[learner], ridge.moment[learner]
    dimension = inverse.shape[0]
    for i in range(dimension):
        for j in range(i):
            inverse[j, i] = inverse[i, j]
    for i in range(dimension):
        ridge.estimate[learner, i] = dot(inverse[i], moment)


@part(overloads={LongRidge: long_ridge.invert})
def _invert(ridge: Ridge, learner: int) -> None:
    """Compute M^-1 of a learner on and below its diagonal."""
    inverse, rest = ridge.inverse[learner], ridge.gram[learner].copy()
    dimension = inverse.shape[0]
    root = np.zeros((dimension, dimension))  # L^-1, where M = L L'
    for i in range(dimension):
        pivot(rest, root, i, ridge.gram[learner, i, i])
        for k in range(i + 1, dimension):
            weight = rest[i, k]
            for j in range(k, dimension):
                rest[k, j] -= weight * rest[i, j]
            for j in range(i + 1):
                root[k, j] -= weight * root[i, j]
    for i in range(dimension):
        fill(inverse[i], 0.0)
    for k in range(dimension):  # M^-1 = sum over the rows of L^-1 of their outer products
        for i in range(k + 1):
            weight = root[k, i]
            for j in range(i + 1):
                inverse[i, j] += weight * root[k, j]


@part(overloads={BlockRidge: block_ridge.pool}, inlined=False)
def pool(target: Ridge, slot: int, source: Ridge, label: np.ndarray, name: int, regularization: float) -> None:
    """Make learner `slot` of `target` the ridge regression on all data of the learners labelled `name`.

    M = lambda I + sum (M_i - lambda I), b = sum b_i over the learners i of `source` with label[i] == name.
    """
    gram, moment = target.gram[slot], target.moment[slot]
    dimension = gram.shape[0]
    for i in range(dimension):
        fill(gram[i], 0.0)
    fill(moment, 0.0)
    count = 0
    members = 0
    for learner in range(len(label)):
        if label[learner] == name:
            for i in range(dimension):
                add_to(gram[i], source.gram[learner, i])
            add_to(moment, source.moment[learner])
            count += source.count[learner]
            members += 1
    for i in range(dimension):
        gram[i, i] -= (members - 1) * regularization
    target.count[slot] = count
    refresh(target, slot)


@part(overloads={BlockRidge: block_ridge.transfer}, inlined=False)
def transfer(target: Ridge, slot: int, source: Ridge, learner: int, sign: int, regularization: float) -> None:
    """Add the data of a learner of `source` to learner `slot` of `target` (sign = 1) or subtract them (sign = -1).

    The inverse and the estimate of `slot` do not change until `refresh`.
    """
    gram = target.gram[slot]
    for i in range(gram.shape[0]):
        target.moment[slot, i] += sign * source.moment[learner, i]
        for j in range(gram.shape[0]):
            gram[i, j] += sign * source.gram[learner, i, j]
        gram[i, i] -= sign * regularization
    target.count[slot] += sign * source.count[learner]


@part
def clear(ridge: Ridge, learner: int, regularization: float) -> None:
    """Reset a learner to one without observations."""
    fill(ridge.moment[learner], 0.0)
    fill(ridge.estimate[learner], 0.0)
    ridge.count[learner] = 0
    for i in range(ridge.gram.shape[1]):
        fill(ridge.gram[learner, i], 0.0)
        fill(ridge.inverse[learner, i], 0.0)
        ridge.gram[learner, i, i] = regularization
        ridge.inverse[learner, i, i] = 1.0 / regularization


@part(overloads={BlockRidge: block_ridge.release})
def release(ridge: Ridge, learner: int) -> None:
    """Mark a learner as unused until it is pooled or copied again; a `BlockRidge` frees its memory."""


@part(overloads={BlockRidge: block_ridge.copy}, inlined=False)
def copy(target: Ridge, slot: int, source: Ridge, learner: int) -> None:
    """Make learner `slot` of `target` a copy of learner `learner` of `source`."""
    for i in range(target.gram.shape[1]):
        assign(target.gram[slot, i], source.gram[learner, i])
        assign(target.inverse[slot, i], source.inverse[learner, i])
    assign(target.moment[slot], source.moment[learner])
    assign(target.estimate[slot], source.estimate[learner])
    target.count[slot] = source.count[learner]


@part(overloads={BlockRidge: block_ridge.accumulate})
def accumulate(ridge: Ridge, learner: int, x: np.ndarray, reward: float) -> None:
    """Add the observation (x, reward) to M, b and the count; `refresh` computes the inverse and the estimate."""
    gram = ridge.gram[learner]
    for i in range(x.shape[0]):
        ridge.moment[learner, i] += reward * x[i]
        for j in range(x.shape[0]):
            gram[i, j] += x[i] * x[j]
    ridge.count[learner] += 1
