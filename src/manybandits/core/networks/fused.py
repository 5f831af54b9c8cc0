"""Passes over networks of two layers without biases, fused for the processor: each reads every weight once.

A policy with a network for every user evaluates all of them in every round, and moves many. Their weights do not
fit into the cache, so the time of such a pass is that of reading them, if the arithmetic keeps up.
`manybandits.core.networks` and its module `users` choose between these loops and the general form.
"""

from __future__ import annotations

import numpy as np
from numba import njit

FADING, FADING_SQUARES, EPSILON = 0.9, 0.999, 1e-8
"""b1, b2 and eps of Adam."""


@njit(inline="always")
def _present(x, places):  # type: ignore[no-untyped-def]
    """Fill places with where x, (d,), is not zero, and return how often that is. Most pixels of an image are zero."""
    count = 0
    for i in range(x.shape[0]):
        places[count] = i
        count += x[i] != 0
    return count


@njit(inline="always")
def _multiply(layer, x, b, units, places):  # type: ignore[no-untyped-def]
    """Set units, (m,), to x' W for block b of a first layer, (blocks, d, m): four rows of W at a time."""
    count = _present(x, places)
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
def outputs(start, stop, first, last, x, block, values):  # type: ignore[no-untyped-def]
    """Fill values[r, u, k] with f of network u at context k, for the pairs r n + u = start, ..., stop - 1.

    first: (R, n, blocks, d, m), last: (R, n, 1, m), x: (R, K, d) or (R, 1, d), block: (K,) or (0,), values: (R, n, K).
    """
    learners, dimension, width = first.shape[1], first.shape[3], first.shape[4]
    arms = values.shape[2]
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
        for k in range(0, arms, 5):  # every weight that is read serves five arms; the last arm fills the gaps
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
def two_layers(first, last, x, block, value, hidden, delta):  # type: ignore[no-untyped-def]
    """Fill f, (R, Q), the hidden units, (R, Q, m), and the gradient of f in their inputs, (R, Q, m).

    first: (R, blocks, d, m), last: (R, 1, m), x: (R, Q, d) or (R, 1, d), block: (R, Q), (1, Q) or (1, 1).
    """
    replicas, width = first.shape[0], first.shape[3]
    places = np.empty(first.shape[2], np.int64)
    nothing = first.dtype.type(0)
    for r in range(replicas):
        for q in range(value.shape[1]):
            row = min(q, x.shape[1] - 1)
            b = block[min(r, block.shape[0] - 1), min(q, block.shape[1] - 1)]
            units, slope = hidden[r, q], delta[r, q]
            _multiply(first[r], x[r, row], b, units, places)
            total = nothing
            for j in range(width):
                units[j] = max(units[j], nothing)
                total += units[j] * last[r, 0, j]
                slope[j] = last[r, 0, j] if units[j] > nothing else nothing
            value[r, q] = total


@njit(nogil=True, cache=True, fastmath={"contract", "reassoc"}, error_model="numpy")
def quadratic(first, last, x, block, hidden, delta, total):  # type: ignore[no-untyped-def]
    """Fill total, (R, Q), with g' D g for the gradients g, of hidden units and their slopes, both (R, Q, m).

    first, last: a diagonal D shaped as the layers of `two_layers`, as are x and block.
    """
    width = first.shape[3]
    units, places = np.empty(width, first.dtype), np.empty(first.shape[2], np.int64)
    squares = np.empty(first.shape[2], first.dtype)
    for r in range(total.shape[0]):
        for q in range(total.shape[1]):
            row = min(q, x.shape[1] - 1)
            b = block[min(r, block.shape[0] - 1), min(q, block.shape[1] - 1)]
            for i in range(squares.shape[0]):
                squares[i] = x[r, row, i] * x[r, row, i]
            _multiply(first[r], squares, b, units, places)
            found = first.dtype.type(0)
            for j in range(width):
                found += units[j] * delta[r, q, j] ** 2 + last[r, 0, j] * hidden[r, q, j] ** 2
            total[r, q] = found


@njit(nogil=True, cache=True, fastmath={"contract", "reassoc"}, error_model="numpy")
def widen(first, last, learner, block, x, hidden, delta, share):  # type: ignore[no-untyped-def]
    """Add share g^2 to the diagonal whose inverse is given, for the gradient g of one learner a replica.

    first: (R, n, blocks, d, m), last: (R, n, 1, m); learner, block: (R,); x: (R, d); hidden, delta: (R, m).
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
def add_slopes(slopes, x, delta, weight, block):  # type: ignore[no-untyped-def]
    """Add the sum over q of weight[r, q] x[r, q] delta[r, q]' to the block of each context in slopes.

    slopes: (R, blocks, d, m); x: (R, Q, d); delta: (R, Q, m); weight, block: (R, Q).
    """
    for r in range(slopes.shape[0]):
        for q in range(x.shape[1]):
            into = slopes[r, block[r, q]]
            for i in range(x.shape[2]):
                scale = weight[r, q] * x[r, q, i]
                if scale != 0:
                    for j in range(delta.shape[2]):
                        into[i, j] += scale * delta[r, q, j]


@njit(nogil=True, cache=True, fastmath={"contract", "reassoc"}, error_model="numpy")
def adam_steps(start, stop, first, last, moments, steps, members, x, block, reward, rate):  # type: ignore[no-untyped-def]
    """Let every network u of replica r with members[r, u] take an Adam step on (f(x[r]) - reward[r])^2 / 2.

    For the pairs r n + u = start, ..., stop - 1. first: (R, n, blocks, d, m), last: (R, n, 1, m); moments: (m of
    first, v of first, m of last, v of last); steps: (R, n); members: (R, n) bool; x: (R, d); block: (R,); reward:
    (R,). In a first layer of several blocks only the block of x moves.
    """
    learners, dimension, width = first.shape[1], first.shape[3], first.shape[4]
    nothing = first.dtype.type(0)
    first_m, first_v, last_m, last_v = moments
    hidden, slopes_last = np.empty(width, first.dtype), np.empty((1, width), first.dtype)
    slopes, places = np.empty((dimension, width), first.dtype), np.empty(dimension, np.int64)
    for pair in range(start, stop):
        r, u = pair // learners, pair % learners
        if not members[r, u]:
            continue
        b = block[r]
        _multiply(first[r, u], x[r], b, hidden, places)
        value = nothing
        for j in range(width):
            hidden[j] = max(hidden[j], nothing)
            value += hidden[j] * last[r, u, 0, j]
        error = value - reward[r]
        slopes[:] = nothing
        _add_slopes(slopes, x[r], hidden, last[r, u], error)
        steps[r, u] += 1
        _move(first[r, u, b], first_m[r, u, b], first_v[r, u, b], slopes, rate, steps[r, u])
        for j in range(width):
            slopes_last[0, j] = error * hidden[j]
        _move(last[r, u], last_m[r, u], last_v[r, u], slopes_last, rate, steps[r, u])


@njit(nogil=True, cache=True, fastmath={"contract", "reassoc"}, error_model="numpy")
def train(first, last, moments, steps, learner, x, block, reward, rate):  # type: ignore[no-untyped-def]
    """Let networks take Adam steps on the mean of (f(x) - reward)^2 / 2 over batches of observations.

    first, last, moments, steps: as in `adam_steps`; learner, block, reward: (R, S, B), the B observations of each of
    S steps; x: (R, S, B, d). Networks, and blocks of a first layer, that have no observation in a batch stay put.
    """
    replicas, learners, blocks, width = first.shape[0], first.shape[1], first.shape[2], first.shape[4]
    share = first.dtype.type(1.0 / x.shape[2])
    nothing = first.dtype.type(0)
    first_m, first_v, last_m, last_v = moments
    hidden, places = np.empty(width, first.dtype), np.empty(first.shape[3], np.int64)
    slopes, slopes_last = np.zeros(first.shape[1:], first.dtype), np.zeros((learners, 1, width), first.dtype)
    touched, moving = np.zeros((learners, blocks), np.bool_), np.zeros(learners, np.bool_)
    for r in range(replicas):
        for s in range(x.shape[1]):
            for q in range(x.shape[2]):
                u, b = learner[r, s, q], block[r, s, q]
                _multiply(first[r, u], x[r, s, q], b, hidden, places)
                value = nothing
                for j in range(width):
                    hidden[j] = max(hidden[j], nothing)
                    value += hidden[j] * last[r, u, 0, j]
                error = share * (value - reward[r, s, q])
                _add_slopes(slopes[u, b], x[r, s, q], hidden, last[r, u], error)
                for j in range(width):
                    slopes_last[u, 0, j] += error * hidden[j]
                touched[u, b] = moving[u] = True
            for u in range(learners):
                if moving[u]:
                    steps[r, u] += 1
                    for b in range(blocks):
                        if touched[u, b]:
                            _move(first[r, u, b], first_m[r, u, b], first_v[r, u, b], slopes[u, b], rate, steps[r, u])
                            slopes[u, b] = nothing
                            touched[u, b] = False
                    _move(last[r, u], last_m[r, u], last_v[r, u], slopes_last[u], rate, steps[r, u])
                    slopes_last[u] = nothing
                    moving[u] = False


@njit(inline="always")
def _add_slopes(slopes, x, hidden, last, error):  # type: ignore[no-untyped-def]
    """Add error times the gradient of f in a block of the first layer to slopes, (d, m). hidden: (m,) after relu."""
    delta = np.empty(hidden.shape[0], hidden.dtype)
    for j in range(hidden.shape[0]):
        delta[j] = error * last[0, j] if hidden[j] > hidden.dtype.type(0) else hidden.dtype.type(0)
    for i in range(x.shape[0]):
        weight = x[i]
        if weight != 0:
            for j in range(delta.shape[0]):
                slopes[i, j] += weight * delta[j]


@njit(inline="always")
def _move(weights, m, v, slopes, rate, step):  # type: ignore[no-untyped-def]
    """Move some weights by Adam's step number `step`. All four (rows, columns)."""
    kind = weights.dtype.type
    fading, fading_squares, epsilon = kind(FADING), kind(FADING_SQUARES), kind(EPSILON)
    fresh, fresh_squares = kind(1) - fading, kind(1) - fading_squares
    size, root = kind(rate / (1.0 - FADING**step)), kind(1.0 / np.sqrt(1.0 - FADING_SQUARES**step))
    for i in range(weights.shape[0]):
        for j in range(weights.shape[1]):
            slope = slopes[i, j]
            one = fading * m[i, j] + fresh * slope
            two = fading_squares * v[i, j] + fresh_squares * slope * slope
            m[i, j], v[i, j] = one, two
            weights[i, j] -= size * one / (np.sqrt(two) * root + epsilon)
