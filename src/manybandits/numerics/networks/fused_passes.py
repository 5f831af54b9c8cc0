"""Fused CPU loops over networks without biases: values, gradients and sums of gradients.

A policy with a network for every user evaluates all of them in every round. Their weights do not fit into the
processor's cache, so a pass takes at least the time of reading them. These loops read every weight once and take hardly
longer. `manybandits.numerics.networks` and its module `users` choose between them and batched torch operations.
"""

from __future__ import annotations

import numpy as np

from manybandits.compiling.fused_loops import fused_loop
from manybandits.numerics.networks.fused_products import (
    add_rows,
    dot,
    multiply,
    multiply_many,
    rectify,
    slopes_before,
    sort_by_block,
)

TILE = 64
"""Contexts whose gradients are added together: as many as stay in the processor's first cache."""


@fused_loop
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
                multiply(weights, contexts[min(k, x.shape[1] - 1)], block[k], units, places)
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


@fused_loop
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

    first: (R, n, blocks, d, m), last: (R, n, 1, m), the layers; learner: (R, Q) or (R, 1), the network; x: (R, Q, d) or
    (R, 1, d); block: (R, Q), (1, Q) or (1, 1); value: (R, Q); hidden, delta: (R, Q, m). grouped: read a block once for
    all of its contexts, each with an x of its own, if they have the same network.
    """
    places = np.empty(first.shape[3], np.int64)
    one = first.dtype.type(1)
    every, by_block = np.arange(block.shape[1]), np.empty(block.shape[1], np.int64)
    ends = np.empty(first.shape[2] + 1, np.int64)
    for r in range(value.shape[0]):
        u = learner[r, 0]
        blocks = block[min(r, block.shape[0] - 1)]
        if grouped:
            sort_by_block(blocks, every, every, by_block, ends)
            for b in range(first.shape[2]):
                multiply_many(first[r, u, b], x[r], every, by_block[ends[b] : ends[b + 1]], hidden[r])
        for q in range(value.shape[1]):
            u = learner[r, min(q, learner.shape[1] - 1)]
            if not grouped:
                b = blocks[min(q, block.shape[1] - 1)]
                multiply(first[r, u], x[r, min(q, x.shape[1] - 1)], b, hidden[r, q], places)
            rectify(hidden[r, q])
            value[r, q] = dot(last[r, u, 0], hidden[r, q])
            slopes_before(last[r, u], hidden[r, q], one, delta[r, q])


@fused_loop
def forward(layer: np.ndarray, x: np.ndarray, block: np.ndarray, units: np.ndarray) -> None:
    """Fill units, (R, Q, m), with x' W for the layer W, (R, blocks, d, m). x, block: as in `two_layers`."""
    places = np.empty(layer.shape[2], np.int64)
    for r in range(units.shape[0]):
        for q in range(units.shape[1]):
            b = block[min(r, block.shape[0] - 1), min(q, block.shape[1] - 1)]
            multiply(layer[r], x[r, min(q, x.shape[1] - 1)], b, units[r, q], places)


@fused_loop
def backward(layer: np.ndarray, delta: np.ndarray, slopes: np.ndarray) -> None:
    """Fill slopes, (R, Q, d), with W delta for the layer W, (R, d, m). delta: (R, Q, m)."""
    for r in range(slopes.shape[0]):
        for q in range(slopes.shape[1]):
            for i in range(slopes.shape[2]):
                slopes[r, q, i] = dot(layer[r, i], delta[r, q])


@fused_loop
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
        for q in range(total.shape[1]):
            u = learner[r, min(q, learner.shape[1] - 1)]
            row = min(q, x.shape[1] - 1)
            b = block[min(r, block.shape[0] - 1), min(q, block.shape[1] - 1)]
            for i in range(squares.shape[0]):
                squares[i] = x[r, row, i] * x[r, row, i]
            multiply(first[r, u], squares, b, units, places)
            found = first.dtype.type(0)
            for j in range(width):
                found += units[j] * delta[r, q, j] ** 2 + last[r, u, 0, j] * hidden[r, q, j] ** 2
            for j in range(width, hidden.shape[2]):  # the input of a bias, if there is one
                found += last[r, u, 0, j] * hidden[r, q, j] ** 2
            total[r, q] = found


@fused_loop
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


@fused_loop
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
        sort_by_block(blocks, every, weighing[:weighed], by_block, ends)
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
                    add_rows(slopes[r, b, i], x[r], i, some, scaled, present[:found])


@fused_loop
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
