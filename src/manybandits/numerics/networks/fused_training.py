"""Fused CPU loops that train networks without biases by Adam.

Each loop reads and writes every weight once per step, and leaves out the weights that the step does not change.
`manybandits.numerics.networks.users` chooses between them and batched torch operations.
"""

from __future__ import annotations

import numpy as np

from manybandits.compiling.fused_loops import fused_loop
from manybandits.compiling.parts import part
from manybandits.numerics.networks.fused_evaluation import (
    Layers,
    evaluate,
    evaluate_members,
    observations_of,
    workspace,
)
from manybandits.numerics.networks.fused_products import add_rows, copy, dot, rectify, slopes_before

Moments = tuple[Layers, Layers, np.ndarray, np.ndarray]

FADING, FADING_SQUARES, EPSILON = 0.9, 0.999, 1e-8
"""b1, b2 and eps of Adam."""


@fused_loop
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
    hidden, deltas, slopes, places = workspace(layers, last, 1)
    one, only = last.dtype.type(1), np.zeros(1, np.int64)
    errors = np.empty(1, last.dtype)
    for r in range(members.shape[0]):
        for u in range(members.shape[1]):
            if members[r, u]:
                given = x[r], block[r], reward[r]
                errors[0] = evaluate(layers, last, r, u, given, one, hidden, deltas, 0, places)
                steps[r, u] += 1
                pace = _step_factors(rate, steps[r, u])
                _move_rows(layers, moments, 0, r, u, block[r], x[r : r + 1], only, deltas, only, slopes, pace)
                _move_above(layers, last, moments, r, u, hidden, deltas, errors, only, slopes, pace)


@fused_loop
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
    order: (R, S, B), the observations of each of S steps; size: (R,), how many of the B are used, 0 or more. Networks
    without an observation in a batch do not change, nor do the weights of the first layer for inputs that are zero in
    all observations of their network and block.
    """
    batch = order.shape[2]
    hidden, deltas, slopes, places = workspace(layers, last, batch)
    errors, done = np.empty(batch, last.dtype), np.empty(batch, np.bool_)
    of_network, by_block, blocks = np.empty(batch, np.int64), np.empty(batch, np.int64), layers[0].shape[2]
    ends = np.empty(blocks + 1, np.int64)
    for r in range(order.shape[0]):
        share = last.dtype.type(1.0 / max(size[r], 1))
        for s in range(order.shape[1]):
            taken = order[r, s, : size[r]]
            done[:] = False
            for p in range(size[r]):
                if done[p]:
                    continue
                u = learner[r, taken[p]]
                members = of_network[: observations_of(learner[r], taken, u, p, of_network)]
                given = x[r], block[r], reward[r], taken
                evaluate_members(
                    layers, last, r, u, given, members, share, hidden, deltas, errors, places, by_block, ends
                )
                for q in members:
                    done[q] = True
                steps[r, u] += 1
                pace = _step_factors(rate, steps[r, u])
                for b in range(blocks):
                    some = by_block[ends[b] : ends[b + 1]]
                    if len(some) > 0:
                        _move_rows(layers, moments, 0, r, u, b, x[r], taken, deltas, some, slopes, pace)
                _move_above(layers, last, moments, r, u, hidden, deltas, errors, members, slopes, pace)


@fused_loop
def evaluate_after_step(
    layers: Layers,
    last: np.ndarray,
    moments: Moments,
    steps: np.ndarray,
    x: np.ndarray,
    block: np.ndarray,
    reward: np.ndarray,
    order: np.ndarray,
    size: np.ndarray,
    given: np.ndarray,
    at: np.ndarray,
    rate: float,
    value: np.ndarray,
    hidden: np.ndarray,
    delta: np.ndarray,
) -> None:
    """Evaluate one network of two layers per replica at K contexts, each after an Adam step of its own.

    Nothing is changed but value, (R, K), and hidden and delta, (R, K, m), the factors of the gradient. layers, last,
    moments, steps: as in `adam_steps`, with n = 1; x, block, reward: Q observations; order: (R, K, B), those of every
    step; size: (R, K), how many of the B are used; given: (R, K, d) or (R, 1, d), the contexts; at: (K,), their blocks.
    """
    units, deltas, slopes, places = workspace(layers, last, order.shape[2])
    errors, inside = np.empty(order.shape[2], last.dtype), np.empty(order.shape[2], np.int64)
    row, m, v, above = np.empty_like(slopes), np.empty_like(slopes), np.empty_like(slopes), np.empty_like(last[0, 0])
    present, nothing = np.empty_like(inside), last.dtype.type(0)
    for r in range(order.shape[0]):
        pace = _step_factors(rate, steps[r, 0] + 1)
        for k in range(order.shape[1]):
            taken, b, context = order[r, k, : size[r, k]], at[k], given[r, min(k, given.shape[1] - 1)]
            share, count = last.dtype.type(1.0 / max(size[r, k], 1)), 0
            copy(last[r, 0, 0], above[0])
            slopes[:] = nothing
            for q in range(len(taken)):
                one = x[r, taken[q]], block[r, taken[q]], reward[r, taken[q]]
                errors[q] = evaluate(layers, last, r, 0, one, share, units, deltas, q, places)
                inside[count] = q
                count += block[r, taken[q]] == b
                for j in range(slopes.shape[0]):
                    slopes[j] += errors[q] * units[0, q, j]
            if len(taken) > 0:
                copy(moments[2][r, 0, 0], m)
                copy(moments[3][r, 0, 0], v)
                _move(above[0], m, v, slopes, pace)
            hidden[r, k] = nothing
            for i in range(context.shape[0]):
                if context[i] == nothing:
                    continue
                touching = 0
                for q in inside[:count]:
                    present[touching] = q
                    touching += x[r, taken[q], i] != 0
                copy(layers[0][r, 0, b, i], row)
                if touching > 0:
                    copy(moments[0][0][r, 0, b, i], m)
                    copy(moments[1][0][r, 0, b, i], v)
                    slopes[:] = nothing
                    add_rows(slopes, x[r], i, taken, deltas[0], present[:touching])
                    _move(row, m, v, slopes, pace)
                for j in range(row.shape[0]):
                    hidden[r, k, j] += context[i] * row[j]
            rectify(hidden[r, k])
            value[r, k] = dot(above[0], hidden[r, k])
            slopes_before(above, hidden[r, k], last.dtype.type(1), delta[r, k])


@part(fast=True)
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
        add_rows(slopes, x, i, taken, delta, present[:count])
        _move(weights[i], m[i], v[i], slopes, pace)


@part(fast=True)
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


@part(fast=True)
def _step_factors(rate: float, step: int) -> tuple[float, float]:
    """Return the factors of m and sqrt(v) in Adam's step number `step`."""
    return rate / (1.0 - FADING**step), 1.0 / np.sqrt(1.0 - FADING_SQUARES**step)


@part(fast=True)
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
