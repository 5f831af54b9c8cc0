"""The robust multitask estimator, for linear models of many instances that differ in few coefficients each.

Xu and Bastani, *Learning Across Bandits in High Dimension via Robust Statistics*, Algorithm 1. Instance j of N has the
parameter beta^j = beta + delta^j, where beta is shared and delta^j has at most s coefficients that are not zero. The
shared parameter is estimated by the trimmed mean, coefficient by coefficient, of the least-squares estimates of all
instances (equation 2); the difference of each instance from it is then estimated by a LASSO (equation 3). With the mean
in place of the trimmed mean this is the averaging multitask estimator (equation 4).

Notation: gram is X'X / n and moment is X'y / n of one instance, so that the cost does not depend on the number of rows.
They may also be the sums X'X and X'y, if the penalty is n times as large.

The first three functions are compiled and solve one problem, as a bandit needs it. The others take stacks of problems;
the bytes of a result do not depend on the other problems in the stack or on the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from manybandits.base.exceptions import InputError
from manybandits.compiling.parts import part
from manybandits.numerics.lasso import PASSES, descend
from manybandits.numerics.vectors import assign, count_of, fill, total

RIDGE = 1e-6
"""Ridge for a singular Gram matrix, as of few rows: this share of its mean diagonal is added to the diagonal."""
SINGULAR = 1e-10
"""A Gram matrix is singular if a pivot is at most this share of its diagonal element."""


@part(inlined=False)
def least_squares(gram: np.ndarray, moment: np.ndarray, out: np.ndarray) -> bool:
    """Write gram^-1 moment to `out`, (d,), and return whether gram is singular and was given a ridge (see `RIDGE`).

    gram: (d, d), symmetric; moment: (d,). Without any rows both are zero, and so is the estimate.
    """
    upper = np.empty_like(gram)  # U'U = gram, computed row by row
    dimension, ridge = len(moment), 0.0
    while True:
        for i in range(dimension):
            assign(upper[i], gram[i])
        definite = True
        for k in range(dimension):
            upper[k, k] += ridge
        for k in range(dimension):
            if ridge == 0.0 and upper[k, k] <= SINGULAR * gram[k, k]:
                definite = False
                break
            pivot = np.sqrt(upper[k, k])
            for j in range(k, dimension):
                upper[k, j] /= pivot
            for i in range(k + 1, dimension):
                weight = upper[k, i]
                for j in range(i, dimension):
                    upper[i, j] -= weight * upper[k, j]
        if definite:
            break
        trace = 0.0
        for k in range(dimension):
            trace += gram[k, k]
        ridge = RIDGE * (trace / dimension or 1.0)
    assign(out, moment)
    for k in range(dimension):
        out[k] /= upper[k, k]
        for i in range(k + 1, dimension):
            out[i] -= out[k] * upper[k, i]
    for k in range(dimension - 1, -1, -1):
        for i in range(k + 1, dimension):
            out[k] -= upper[k, i] * out[i]
        out[k] /= upper[k, k]
    return ridge > 0.0


@part
def trimmed(count: int, omega: float) -> int:
    """Return how many of `count` values a trimmed mean cuts at each end. omega: their share, 0 <= omega < 1/2.

    The paper cuts omega N and does not say what to do if that is not a whole number. omega must exceed the share of
    corrupted values, so fewer than omega N are corrupted, and omega N rounded down is still as many as these. Where
    omega N is below 1, that would be none, and the estimator the averaging one: one value is cut at each end, the least
    number that makes it robust against a single instance. Of one or two values none can be cut.
    """
    cut = int(omega * count + 1e-9)  # the product may be just below a whole number
    if omega > 0.0:
        cut = max(cut, 1)
    return max(min(cut, (count - 1) // 2), 0)


@part(inlined=False)
def trimmed_mean(estimates: np.ndarray, included: np.ndarray, omega: float, out: np.ndarray) -> None:
    """Write the trimmed mean of the included rows to `out`, (d,), coefficient by coefficient.

    estimates: (N, d); included: (N,) bool; the mean of no rows is 0. omega: the share of the included values that is
    cut at each end, see `trimmed`; 0 gives the mean.
    """
    count = count_of(included, True)
    column = np.empty(count)
    cut = trimmed(count, omega)
    for i in range(len(out)):
        taken = 0
        for j in range(len(included)):
            if included[j]:
                column[taken] = estimates[j, i]
                taken += 1
        column.sort()
        out[i] = total(column[cut : count - cut]) / (count - 2 * cut) if count else 0.0


@part(inlined=False)
def debias(gram: np.ndarray, moment: np.ndarray, penalty: float, shared: np.ndarray, out: np.ndarray) -> int:
    """Write to `out`, (d,), the minimiser of (1/n) |X beta - y|^2 + penalty |beta - shared|_1.

    gram: (d, d); moment: (d,); shared: (d,). Returns the passes of the descent, or -1 if it did not converge.
    """
    dimension = len(shared)
    left, apart, residual = np.empty(dimension), np.empty(dimension), np.empty(dimension)
    assign(left, moment)
    fill(apart, 0.0)
    for i in range(dimension):  # not a BLAS product, whose bytes depend on its number of threads
        for j in range(dimension):
            left[j] -= shared[i] * gram[i, j]
    passes = descend(gram, left, penalty, apart, residual)
    for i in range(dimension):
        out[i] = shared[i] + apart[i]
    return passes


def independent(gram: np.ndarray, moment: np.ndarray, threads: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Return the least-squares estimate of every problem, (..., d), and which needed the ridge, (...) bool.

    gram: (..., d, d); moment: (..., d).
    """
    estimates, ridged = np.empty(moment.shape), np.empty(moment.shape[:-1], bool)
    _side_by_side(_least_squares_of, threads, _flat(gram, 2), _flat(moment, 1), _flat(estimates, 1), _flat(ridged, 0))
    return estimates, ridged


def check_omega(omega: float) -> None:
    """Raise InputError unless a trimmed mean can cut the share `omega` at each end."""
    if not 0.0 <= omega < 0.5:
        raise InputError(f"omega is {omega:g}, the share that is cut at each end: give a value from 0 to below 0.5.")


def averaged(estimates: np.ndarray, included: np.ndarray, omega: float = 0.0) -> np.ndarray:
    """Return the trimmed mean over instances, (..., d); omega = 0 gives the mean.

    estimates: (..., N, d); included: (N,) bool.
    """
    check_omega(omega)
    means = np.empty((*estimates.shape[:-2], estimates.shape[-1]))
    for rows, out in zip(_flat(estimates, 2), _flat(means, 1), strict=True):
        trimmed_mean(rows, included, omega, out)
    return means


def pooled(gram: np.ndarray, moment: np.ndarray, rows: np.ndarray, included: np.ndarray) -> np.ndarray:
    """Return the least-squares estimate on the rows of all included instances together, (..., d).

    gram: (..., N, d, d); moment: (..., N, d); rows: (N,), the number of rows of each instance; included: (N,) bool.
    """
    weight = np.where(included, rows, 0.0) / rows[included].sum()
    return independent(np.einsum("n,...nij->...ij", weight, gram), np.einsum("n,...ni->...i", weight, moment))[0]


def debiased(
    gram: np.ndarray, moment: np.ndarray, penalty: np.ndarray, shared: np.ndarray, threads: int = 1
) -> np.ndarray:
    """Return the minimisers of (1/n) |X beta - y|^2 + penalty |beta - shared|_1, (..., d).

    gram: (..., d, d); moment, shared: (..., d); penalty: (...). Raises InputError where a descent does not converge.
    """
    found, passes = np.empty(moment.shape), np.empty(moment.shape[:-1], np.int64)
    stacks = _flat(gram, 2), _flat(moment, 1), _flat(penalty, 0), _flat(shared, 1), _flat(found, 1), _flat(passes, 0)
    _side_by_side(_debias_of, threads, *stacks)
    if (passes < 0).any():
        raise InputError(
            f"{(passes < 0).sum()} of {passes.size} LASSO problems did not converge in {PASSES:,} passes: "
            "raise the penalty, or leave out coefficients that are nearly copies of each other."
        )
    return found


@part(inlined=False)
def _least_squares_of(
    first: int, last: int, gram: np.ndarray, moment: np.ndarray, out: np.ndarray, ridged: np.ndarray
) -> None:
    for p in range(first, last):
        ridged[p] = least_squares(gram[p], moment[p], out[p])


@part(inlined=False)
def _debias_of(
    first: int,
    last: int,
    gram: np.ndarray,
    moment: np.ndarray,
    penalty: np.ndarray,
    shared: np.ndarray,
    out: np.ndarray,
    passes: np.ndarray,
) -> None:
    for p in range(first, last):
        passes[p] = debias(gram[p], moment[p], penalty[p], shared[p], out[p])


def _flat(stack: np.ndarray, kept: int) -> np.ndarray:
    """Return a stack with one leading axis and its last `kept` axes, in C order: a view if it already is."""
    flat = stack.reshape(-1, *stack.shape[stack.ndim - kept :])
    return np.ascontiguousarray(flat)


def _side_by_side(kernel: Callable[..., None], threads: int, *stacks: np.ndarray) -> None:
    """Run a kernel on all problems of the stacks, in small pieces on several threads."""
    count = len(stacks[0])
    piece = max(1, count // (8 * threads))
    kernel(0, 0, *stacks)  # compile it once, before the threads start
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda first: kernel(first, min(first + piece, count), *stacks), range(0, count, piece)))
