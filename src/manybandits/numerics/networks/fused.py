"""Fused CPU loops over networks without biases: each pass reads every weight once.

A policy with a network for every user evaluates all of them in every round, and trains many. Their weights do not fit
into the processor's cache, so a pass takes at least the time of reading them, and these loops take hardly more.
`manybandits.numerics.networks` and its module `users` choose between these loops and batched torch operations.
"""

from __future__ import annotations

import numpy as np
from numba import njit

Layers = tuple[np.ndarray, ...]
Moments = tuple[Layers, Layers, np.ndarray, np.ndarray]

FADING, FADING_SQUARES, EPSILON = 0.9, 0.999, 1e-8
"""b1, b2 and eps of Adam."""
TILE = 64
"""Contexts whose gradients are added together: as many as stay in the processor's first cache."""


@njit(inline="always")
def _nonzero_places(x: np.ndarray, places: np.ndarray) -> int:
    """Write the indices where x, (d,), is not zero to places; return their number. Most pixels of an image are zero."""
    count = 0
    for i in range(x.shape[0]):
        places[count] = i
        count += x[i] != 0
    return count


@njit(inline="always")
def _multiply(layer: np.ndarray, x: np.ndarray, b: int, units: np.ndarray, places: np.ndarray) -> None:
    """Set units, (m,), to x' W, four rows of W at a time, where W is block b of a layer, (blocks, d, m)."""
    count = _nonzero_places(x, places)
    units[:] = 0.0
    rest = count % 4
    for p in range(rest):
        i = places[p]
        for j in range(units.shape[0]):
            units[j] += x[i] * layer[b, i, j]
    for p in range(rest, count, 4):
        i0, i1, i2, i3 = places[p], places[p + 1], places[p + 2], places[p + 3]
        w0, w1, w2, w3 = x[i0], x[i1], x[i2], x[i3]
        for j in range(units.shape[0]):
            units[j] += (w0 * layer[b, i0, j] + w1 * layer[b, i1, j]) + (w2 * layer[b, i2, j] + w3 * layer[b, i3, j])


@njit(nogil=True, cache=True, fastmath={"contract", "reassoc"}, error_model="numpy")
def outputs(
    start: int, stop: int, first: np.ndarray, last: np.ndarray, x: np.ndarray, block: np.ndarray, values: np.ndarray
) -> None:
    """Fill values[r, u, k] with f of network u at context k, for the pairs r n + u = start, ..., stop - 1.

    values: (R, n, K), for the first n of N networks; first: (R, N, blocks, d, m), last: (R, N, 1, m), the layers; x:
    (R, K, d) or (R, 1, d); block: (K,) or (0,).
    """
    dimension, width = first.shape[3], first.shape[4]
    learners, arms = values.shape[1], values.shape[2]
    nothing = first.dtype.type(0)
    units, places = np.empty(width, first.dtype), np.empty(dimension, np.int64)
    a, b, c, d, e = np.empty_like(units), np.empty_like(units), np.empty_like(units), units.copy(), units.copy()
    for pair in range(start, stop):
        r, u = pair // learners, pair % learners
        weights, contexts = first[r, u], x[r]
        if weights.shape[0] > 1:
            for k in range(arms):
                _multiply(weights, contexts[min(k, x.shape[1] - 1)], block[k], units, places)
                f_a = nothing
                for j in range(width):
                    f_a += max(units[j], nothing) * last[r, u, 0, j]
                values[r, u, k] = f_a
            continue
        for k in range(0, arms, 5):  # each weight that is read is used for five arms; the last arm is repeated
            k_b, k_c, k_d, k_e = min(k + 1, arms - 1), min(k + 2, arms - 1), min(k + 3, arms - 1), min(k + 4, arms - 1)
            x_a, x_b, x_c, x_d, x_e = contexts[k], contexts[k_b], contexts[k_c], contexts[k_d], contexts[k_e]
            a[:], b[:], c[:], d[:], e[:] = nothing, nothing, nothing, nothing, nothing
            for i in range(0, dimension - 1, 2):
                a_w, b_w, c_w, d_w, e_w = x_a[i], x_b[i], x_c[i], x_d[i], x_e[i]
                a_z, b_z, c_z, d_z, e_z = x_a[i + 1], x_b[i + 1], x_c[i + 1], x_d[i + 1], x_e[i + 1]
                for j in range(width):
                    w, z = weights[0, i, j], weights[0, i + 1, j]
                    a[j] += a_w * w + a_z * z
                    b[j] += b_w * w + b_z * z
                    c[j] += c_w * w + c_z * z
                    d[j] += d_w * w + d_z * z
                    e[j] += e_w * w + e_z * z
            for i in range(dimension - dimension % 2, dimension):
                a_w, b_w, c_w, d_w, e_w = x_a[i], x_b[i], x_c[i], x_d[i], x_e[i]
                for j in range(width):
                    w = weights[0, i, j]
                    a[j] += a_w * w
                    b[j] += b_w * w
                    c[j] += c_w * w
                    d[j] += d_w * w
                    e[j] += e_w * w
            f_a = f_b = f_c = f_d = f_e = nothing
            for j in range(width):
                w = last[r, u, 0, j]
                f_a += max(a[j], nothing) * w
                f_b += max(b[j], nothing) * w
                f_c += max(c[j], nothing) * w
                f_d += max(d[j], nothing) * w
                f_e += max(e[j], nothing) * w
            values[r, u, k], values[r, u, k_b], values[r, u, k_c] = f_a, f_b, f_c
            values[r, u, k_d], values[r, u, k_e] = f_d, f_e


@njit(nogil=True, cache=True, fastmath={"contract", "reassoc"}, error_model="numpy")
def two_layers(
    first: np.ndarray,
    last: np.ndarray,
    learner: np.ndarray,
    x: np.ndarray,
    block: np.ndarray,
    value: np.ndarray,
    hidden: np.ndarray,
    delta: np.ndarray,
    grouped: bool,
) -> None:
    """Fill value with f, hidden with the hidden units, and delta with the gradient of f in the inputs of these units.

    first: (R, n, blocks, d, m), last: (R, n, 1, m), the layers; learner: (R,), the network; x: (R, Q, d) or (R, 1, d);
    block: (R, Q), (1, Q) or (1, 1); value: (R, Q); hidden, delta: (R, Q, m). grouped: read a block once for all of its
    contexts, each with an x of its own.
    """
    places = np.empty(first.shape[3], np.int64)
    one = first.dtype.type(1)
    every, by_block = np.arange(block.shape[1]), np.empty(block.shape[1], np.int64)
    ends = np.empty(first.shape[2] + 1, np.int64)
    for r in range(value.shape[0]):
        u = learner[r]
        blocks = block[min(r, block.shape[0] - 1)]
        if grouped:
            _by_block(blocks, every, every, by_block, ends)
            for b in range(first.shape[2]):
                _multiply_many(first[r, u, b], x[r], every, by_block[ends[b] : ends[b + 1]], hidden[r])
        for q in range(value.shape[1]):
            if not grouped:
                b = blocks[min(q, block.shape[1] - 1)]
                _multiply(first[r, u], x[r, min(q, x.shape[1] - 1)], b, hidden[r, q], places)
            _rectify(hidden[r, q])
            value[r, q] = _dot(last[r, u, 0], hidden[r, q])
            _slopes_before(last[r, u], hidden[r, q], one, delta[r, q])


@njit(nogil=True, cache=True, fastmath={"contract", "reassoc"}, error_model="numpy")
def forward(layer: np.ndarray, x: np.ndarray, block: np.ndarray, units: np.ndarray) -> None:
    """Fill units, (R, Q, m), with x' W for the layer W, (R, blocks, d, m). x, block: as in `two_layers`."""
    places = np.empty(layer.shape[2], np.int64)
    for r in range(units.shape[0]):
        for q in range(units.shape[1]):
            b = block[min(r, block.shape[0] - 1), min(q, block.shape[1] - 1)]
            _multiply(layer[r], x[r, min(q, x.shape[1] - 1)], b, units[r, q], places)


@njit(nogil=True, cache=True, fastmath={"contract", "reassoc"}, error_model="numpy")
def backward(layer: np.ndarray, delta: np.ndarray, slopes: np.ndarray) -> None:
    """Fill slopes, (R, Q, d), with W delta for the layer W, (R, d, m). delta: (R, Q, m)."""
    for r in range(slopes.shape[0]):
        for q in range(slopes.shape[1]):
            for i in range(slopes.shape[2]):
                slopes[r, q, i] = _dot(layer[r, i], delta[r, q])


@njit(nogil=True, cache=True, fastmath={"contract", "reassoc"}, error_model="numpy")
def quadratic(
    first: np.ndarray,
    last: np.ndarray,
    learner: np.ndarray,
    x: np.ndarray,
    block: np.ndarray,
    hidden: np.ndarray,
    delta: np.ndarray,
    total: np.ndarray,
) -> None:
    """Fill total, (R, Q), with g' D g for the gradients g and a diagonal matrix D.

    first, last: D, shaped like the layers of `two_layers`; learner, x, block: as there; hidden, delta: as filled there.
    """
    dimension, width = first.shape[3], first.shape[4]
    units, places = np.empty(width, first.dtype), np.empty(dimension, np.int64)
    squares = np.empty(dimension, first.dtype)
    for r in range(total.shape[0]):
        u = learner[r]
        for q in range(total.shape[1]):
            row = min(q, x.shape[1] - 1)
            b = block[min(r, block.shape[0] - 1), min(q, block.shape[1] - 1)]
            for i in range(squares.shape[0]):
                squares[i] = x[r, row, i] * x[r, row, i]
            _multiply(first[r, u], squares, b, units, places)
            found = first.dtype.type(0)
            for j in range(width):
                found += units[j] * delta[r, q, j] ** 2 + last[r, u, 0, j] * hidden[r, q, j] ** 2
            total[r, q] = found


@njit(nogil=True, cache=True, fastmath={"contract", "reassoc"}, error_model="numpy")
def add_squares(
    first: np.ndarray,
    last: np.ndarray,
    learner: np.ndarray,
    block: np.ndarray,
    x: np.ndarray,
    hidden: np.ndarray,
    delta: np.ndarray,
    share: float,
) -> None:
    """Add share g^2 to a diagonal matrix, given by its inverse, for the gradient g of one network per replica.

    first: (R, n, blocks, d, m), last: (R, n, 1, m): the inverse; learner, block: (R,); x: (R, d); hidden, delta:
    (R, m).
    """
    one, part = first.dtype.type(1), first.dtype.type(share)
    for r in range(len(learner)):
        u, b = learner[r], block[r]
        for i in range(x.shape[1]):
            square = part * x[r, i] * x[r, i]
            if square != 0:
                for j in range(delta.shape[1]):
                    old = first[r, u, b, i, j]
                    first[r, u, b, i, j] = old / (one + square * delta[r, j] * delta[r, j] * old)
        for j in range(hidden.shape[1]):
            old = last[r, u, 0, j]
            last[r, u, 0, j] = old / (one + part * hidden[r, j] * hidden[r, j] * old)


@njit(nogil=True, cache=True, fastmath={"contract", "reassoc"}, error_model="numpy")
def add_slopes(slopes: np.ndarray, x: np.ndarray, delta: np.ndarray, weight: np.ndarray, block: np.ndarray) -> None:
    """Add the sum over q of weight[r, q] x[r, q] delta[r, q]' to slopes, each term to the block of its context.

    slopes: (R, blocks, d, m); x: (R, Q, d); delta: (R, Q, m); weight: (R, Q); block: (R, Q) or (1, 1).
    """
    count, width = x.shape[1], delta.shape[2]
    every, by_block, present = np.arange(count), np.empty(count, np.int64), np.empty(TILE, np.int64)
    weighing = np.empty(count, np.int64)
    blocks, ends = np.zeros(count, np.int64), np.empty(slopes.shape[1] + 1, np.int64)
    scaled = np.empty((TILE, width), slopes.dtype)
    for r in range(slopes.shape[0]):
        if slopes.shape[1] > 1:
            blocks[:] = block[min(r, block.shape[0] - 1)]
        weighed = 0
        for q in range(count):
            weighing[weighed] = q
            weighed += weight[r, q] != 0
        _by_block(blocks, every, weighing[:weighed], by_block, ends)
        for b in range(slopes.shape[1]):
            for start in range(ends[b], ends[b + 1], TILE):
                some = by_block[start : min(start + TILE, ends[b + 1])]
                for p in range(len(some)):
                    for j in range(width):
                        scaled[p, j] = weight[r, some[p]] * delta[r, some[p], j]
                for i in range(x.shape[2]):
                    found = 0
                    for p in range(len(some)):
                        present[found] = p
                        found += x[r, some[p], i] != 0
                    _add_rows(slopes[r, b, i], x[r], i, some, scaled, present[:found])


@njit(nogil=True, cache=True, fastmath={"contract", "reassoc"}, error_model="numpy")
def combine(
    base: np.ndarray, total: np.ndarray, slopes: np.ndarray, whole: np.ndarray, moves: np.ndarray, combined: np.ndarray
) -> None:
    """Fill combined[r, k] with base - whole total - sum over v of moves[v] slopes[v], (P,), from block k of each.

    base, total: (R, B, P), slopes: (R, n, B, P), where B is 1 or K; whole: (R, K); moves: (R, K, up to n);
    combined: (R, K, P).
    """
    for r in range(combined.shape[0]):
        for k in range(combined.shape[1]):
            b = min(k, base.shape[1] - 1)
            into = combined[r, k]
            for j in range(into.shape[0]):
                into[j] = base[r, b, j] - whole[r, k] * total[r, b, j]
            for v in range(moves.shape[2]):
                share = moves[r, k, v]
                if share != 0:
                    for j in range(into.shape[0]):
                        into[j] -= share * slopes[r, v, b, j]


@njit(nogil=True, cache=True, fastmath={"contract", "reassoc"}, error_model="numpy")
def adam_steps(
    layers: Layers,
    last: np.ndarray,
    moments: Moments,
    steps: np.ndarray,
    members: np.ndarray,
    x: np.ndarray,
    block: np.ndarray,
    reward: np.ndarray,
    rate: float,
) -> None:
    """Take one Adam step on (f(x[r]) - reward[r])^2 / 2 with every network u of replica r that has members[r, u].

    layers: all but the last, (R, n, blocks, inputs, m) each, with one block above the first; last: (R, n, 1, m);
    moments: m and v of the layers, m and v of the last; steps: (R, n); members: (R, n) bool; x: (R, d); block,
    reward: (R,). In the first layer the weights of inputs that are zero do not change.
    """
    hidden, deltas, slopes, places = _workspace(layers, last, 1)
    one, only = last.dtype.type(1), np.zeros(1, np.int64)
    errors = np.empty(1, last.dtype)
    for r in range(members.shape[0]):
        for u in range(members.shape[1]):
            if members[r, u]:
                given = x[r], block[r], reward[r]
                errors[0] = _evaluate(layers, last, r, u, given, one, hidden, deltas, 0, places)
                steps[r, u] += 1
                pace = _step_factors(rate, steps[r, u])
                _move_rows(layers, moments, 0, r, u, block[r], x[r : r + 1], only, deltas, only, slopes, pace)
                _move_above(layers, last, moments, r, u, hidden, deltas, errors, only, slopes, pace)


@njit(nogil=True, cache=True, fastmath={"contract", "reassoc"}, error_model="numpy")
def train(
    layers: Layers,
    last: np.ndarray,
    moments: Moments,
    steps: np.ndarray,
    learner: np.ndarray,
    x: np.ndarray,
    block: np.ndarray,
    reward: np.ndarray,
    order: np.ndarray,
    size: np.ndarray,
    rate: float,
) -> None:
    """Take Adam steps on the mean of (f(x) - reward)^2 / 2 over batches of observations, each with its own network.

    layers, last, moments, steps: as in `adam_steps`; learner, block, reward: (R, Q), of Q observations; x: (R, Q, d);
    order: (R, S, B), the observations of each of S steps; size: (R,), how many of the B are used. Networks without an
    observation in a batch do not change, nor do the weights of the first layer for inputs that are zero in all
    observations of their network and block.
    """
    batch = order.shape[2]
    hidden, deltas, slopes, places = _workspace(layers, last, batch)
    errors, done = np.empty(batch, last.dtype), np.empty(batch, np.bool_)
    of_network, by_block, blocks = np.empty(batch, np.int64), np.empty(batch, np.int64), layers[0].shape[2]
    ends = np.empty(blocks + 1, np.int64)
    for r in range(order.shape[0]):
        share = last.dtype.type(1.0 / size[r])
        for s in range(order.shape[1]):
            taken = order[r, s, : size[r]]
            done[:] = False
            for p in range(size[r]):
                if done[p]:
                    continue
                u = learner[r, taken[p]]
                members = of_network[: _observations(learner[r], taken, u, p, of_network)]
                _by_block(block[r], taken, members, by_block, ends)
                for b in range(blocks):
                    some = by_block[ends[b] : ends[b + 1]]
                    _multiply_many(layers[0][r, u, b], x[r], taken, some, hidden[0])
                for q in members:
                    done[q] = True
                    errors[q] = _evaluate_above(
                        layers, last, r, u, reward[r, taken[q]], share, hidden, deltas, q, places
                    )
                steps[r, u] += 1
                pace = _step_factors(rate, steps[r, u])
                for b in range(blocks):
                    some = by_block[ends[b] : ends[b + 1]]
                    if len(some) > 0:
                        _move_rows(layers, moments, 0, r, u, b, x[r], taken, deltas, some, slopes, pace)
                _move_above(layers, last, moments, r, u, hidden, deltas, errors, members, slopes, pace)


@njit(inline="always")
def _workspace(layers: Layers, last: np.ndarray, batch: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return workspace: hidden units and gradients in their inputs, (L - 1, B, m) each, a row of slopes, indices."""
    hidden = np.empty((len(layers), batch, last.shape[3]), last.dtype)
    longest = max(layers[0].shape[3], last.shape[3])
    return hidden, np.empty_like(hidden), np.empty(last.shape[3], last.dtype), np.empty(longest, np.int64)


@njit(inline="always")
def _observations(learner: np.ndarray, taken: np.ndarray, u: int, start: int, found: np.ndarray) -> int:
    """Write the places in `taken`, from `start` on, of network u's observations to found; return their number."""
    count = 0
    for q in range(start, taken.shape[0]):
        if learner[taken[q]] == u:
            found[count] = q
            count += 1
    return count


@njit(inline="always")
def _by_block(
    block: np.ndarray, taken: np.ndarray, members: np.ndarray, sorted_members: np.ndarray, ends: np.ndarray
) -> None:
    """Sort members by block[taken[q]]; those of block b are then in sorted_members[ends[b]:ends[b + 1]]."""
    ends[:] = 0
    for q in members:
        ends[block[taken[q]] + 1] += 1
    for b in range(len(ends) - 1):
        ends[b + 1] += ends[b]
    free = ends.copy()
    for q in members:
        b = block[taken[q]]
        sorted_members[free[b]] = q
        free[b] += 1


@njit(inline="always")
def _multiply_many(weights: np.ndarray, x: np.ndarray, taken: np.ndarray, some: np.ndarray, units: np.ndarray) -> None:
    """Set units[q], (m,), to W' x[taken[q]] for the q in `some`; W, (d, m), is read once for all of them."""
    nothing = weights.dtype.type(0)
    for q in some:
        units[q, :] = nothing
    rest = weights.shape[0] % 4
    for i in range(rest):
        for q in some:
            scale = x[taken[q], i]
            if scale != nothing:
                for j in range(units.shape[1]):
                    units[q, j] += scale * weights[i, j]
    for i in range(rest, weights.shape[0], 4):
        for q in some:
            w0, w1, w2, w3 = x[taken[q], i], x[taken[q], i + 1], x[taken[q], i + 2], x[taken[q], i + 3]
            if w0 != nothing or w1 != nothing or w2 != nothing or w3 != nothing:
                for j in range(units.shape[1]):
                    units[q, j] += (w0 * weights[i, j] + w1 * weights[i + 1, j]) + (
                        w2 * weights[i + 2, j] + w3 * weights[i + 3, j]
                    )


@njit(inline="always")
def _add_rows(
    into: np.ndarray, x: np.ndarray, i: int, some: np.ndarray, deltas: np.ndarray, present: np.ndarray
) -> None:
    """Add the sum over p in `present` of x[some[p], i] deltas[p] to a row, (m,), four terms at a time."""
    rest = len(present) % 4
    for p in present[:rest]:
        scale = x[some[p], i]
        for j in range(into.shape[0]):
            into[j] += scale * deltas[p, j]
    for place in range(rest, len(present), 4):
        p0, p1, p2, p3 = present[place], present[place + 1], present[place + 2], present[place + 3]
        x0, x1, x2, x3 = x[some[p0], i], x[some[p1], i], x[some[p2], i], x[some[p3], i]
        for j in range(into.shape[0]):
            into[j] += (x0 * deltas[p0, j] + x1 * deltas[p1, j]) + (x2 * deltas[p2, j] + x3 * deltas[p3, j])


@njit(inline="always")
def _rectify(units: np.ndarray) -> None:
    for j in range(units.shape[0]):
        units[j] = max(units[j], units.dtype.type(0))


@njit(inline="always")
def _dot(a: np.ndarray, b: np.ndarray) -> float:
    total = a.dtype.type(0)
    for j in range(a.shape[0]):
        total += a[j] * b[j]
    return total


@njit(inline="always")
def _slopes_before(last: np.ndarray, hidden: np.ndarray, error: float, delta: np.ndarray) -> None:
    """Fill delta, (m,), with error times the gradient of f in the inputs of the hidden units."""
    nothing = last.dtype.type(0)
    for j in range(hidden.shape[0]):
        delta[j] = error * last[0, j] if hidden[j] > nothing else nothing


@njit(inline="always")
def _evaluate(
    layers: Layers,
    last: np.ndarray,
    r: int,
    u: int,
    given: tuple[np.ndarray, int, float],
    share: float,
    hidden: np.ndarray,
    deltas: np.ndarray,
    q: int,
    places: np.ndarray,
) -> float:
    """Return share (f(x) - reward) for network u; fill hidden[:, q] and deltas[:, q], scaled by this error.

    given: x, its block, and the reward.
    """
    x, b, reward = given
    _multiply(layers[0][r, u], x, b, hidden[0, q], places)
    return _evaluate_above(layers, last, r, u, reward, share, hidden, deltas, q, places)


@njit(inline="always")
def _evaluate_above(
    layers: Layers,
    last: np.ndarray,
    r: int,
    u: int,
    reward: float,
    share: float,
    hidden: np.ndarray,
    deltas: np.ndarray,
    q: int,
    places: np.ndarray,
) -> float:
    """Do what `_evaluate` does after the first layer, whose output before the ReLU is in hidden[0, q]."""
    _rectify(hidden[0, q])
    top = len(layers) - 1
    for place in range(top):
        _multiply(layers[place + 1][r, u], hidden[place, q], 0, hidden[place + 1, q], places)
        _rectify(hidden[place + 1, q])
    error = share * (_dot(last[r, u, 0], hidden[top, q]) - reward)
    _slopes_before(last[r, u], hidden[top, q], error, deltas[top, q])
    for place in range(top - 1, -1, -1):
        for i in range(last.shape[3]):
            deltas[place, q, i] = last.dtype.type(0)
            if hidden[place, q, i] > last.dtype.type(0):
                deltas[place, q, i] = _dot(layers[place + 1][r, u, 0, i], deltas[place + 1, q])
    return error


@njit(inline="always")
def _move_rows(
    layers: Layers,
    moments: Moments,
    place: int,
    r: int,
    u: int,
    b: int,
    x: np.ndarray,
    taken: np.ndarray,
    deltas: np.ndarray,
    some: np.ndarray,
    slopes: np.ndarray,
    pace: tuple[float, float],
) -> None:
    """Take an Adam step in block b of a layer, row by row, on the sum over q in `some` of x[taken[q]] deltas[q]'.

    In the first layer, rows whose inputs are all zero do not change.
    """
    weights, m, v = layers[place][r, u, b], moments[0][place][r, u, b], moments[1][place][r, u, b]
    present, delta = np.empty(len(some), np.int64), deltas[place]
    for i in range(weights.shape[0]):
        count = 0
        for q in some:
            present[count] = q
            count += x[taken[q], i] != 0
        if count == 0 and place == 0:
            continue
        slopes[:] = weights.dtype.type(0)
        _add_rows(slopes, x, i, taken, delta, present[:count])
        _move(weights[i], m[i], v[i], slopes, pace)


@njit(inline="always")
def _move_above(
    layers: Layers,
    last: np.ndarray,
    moments: Moments,
    r: int,
    u: int,
    hidden: np.ndarray,
    deltas: np.ndarray,
    errors: np.ndarray,
    some: np.ndarray,
    slopes: np.ndarray,
    pace: tuple[float, float],
) -> None:
    """Take an Adam step in all layers of network u above the first, on the observations q in `some`."""
    themselves = np.arange(hidden.shape[1])
    for place in range(1, len(layers)):
        _move_rows(layers, moments, place, r, u, 0, hidden[place - 1], themselves, deltas, some, slopes, pace)
    slopes[:] = last.dtype.type(0)
    for q in some:
        for j in range(slopes.shape[0]):
            slopes[j] += errors[q] * hidden[len(layers) - 1, q, j]
    _move(last[r, u, 0], moments[2][r, u, 0], moments[3][r, u, 0], slopes, pace)


@njit(inline="always")
def _step_factors(rate: float, step: int) -> tuple[float, float]:
    """Return the factors of m and sqrt(v) in Adam's step number `step`."""
    return rate / (1.0 - FADING**step), 1.0 / np.sqrt(1.0 - FADING_SQUARES**step)


@njit(inline="always")
def _move(weights: np.ndarray, m: np.ndarray, v: np.ndarray, slopes: np.ndarray, pace: tuple[float, float]) -> None:
    """Take an Adam step in a row of weights, (m,)."""
    kind = weights.dtype.type
    fading, fading_squares, epsilon = kind(FADING), kind(FADING_SQUARES), kind(EPSILON)
    fresh, fresh_squares = kind(1) - fading, kind(1) - fading_squares
    size, root = kind(pace[0]), kind(pace[1])
    for j in range(weights.shape[0]):
        slope = slopes[j]
        one = fading * m[j] + fresh * slope
        two = fading_squares * v[j] + fresh_squares * slope * slope
        m[j], v[j] = one, two
        weights[j] -= size * one / (np.sqrt(two) * root + epsilon)
