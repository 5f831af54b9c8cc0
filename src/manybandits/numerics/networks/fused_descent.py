"""A fused CPU loop that trains networks without biases by gradient descent on a penalised squared loss.

`manybandits.numerics.networks.users` chooses between it and batched torch operations.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from manybandits.compiling.fused_loops import fused_loop
from manybandits.numerics.networks.fused_evaluation import Layers, evaluate_members, observations_of, workspace
from manybandits.numerics.networks.fused_products import add_rows


@fused_loop
def descend(
    layers: Layers,
    last: np.ndarray,
    start: Layers,
    last_start: np.ndarray,
    pull: np.ndarray,
    learner: np.ndarray,
    x: np.ndarray,
    block: np.ndarray,
    reward: np.ndarray,
    order: np.ndarray,
    size: np.ndarray,
    rate: float,
) -> None:
    """Take gradient steps on the mean of (f(x) - reward)^2 / 2 + pull |W - W_0|^2 / 2 over batches of observations.

    W are all weights of the network of an observation. start, last_start: W_0, shaped like layers and last; pull:
    (R, n); the others are those of `fused_training.train`. Networks without an observation in a batch do not change.
    """
    batch, kind = order.shape[2], last.dtype.type
    hidden, deltas, slopes, places = workspace(layers, last, batch)
    errors, done = np.empty(batch, last.dtype), np.empty(batch, np.bool_)
    of_network, by_block, blocks = np.empty(batch, np.int64), np.empty(batch, np.int64), layers[0].shape[2]
    ends, themselves, pace = np.empty(blocks + 1, np.int64), np.arange(batch), kind(rate)
    for r in range(order.shape[0]):
        share = kind(1.0 / size[r])
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
                back = kind(rate * pull[r, u] * len(members) / size[r])
                if back != 0:
                    for place in range(len(layers)):
                        _return_to(layers[place][r, u], start[place][r, u], back)
                    for j in range(last.shape[3]):
                        last[r, u, 0, j] -= back * (last[r, u, 0, j] - last_start[r, u, 0, j])
                for b in range(blocks):
                    some = by_block[ends[b] : ends[b + 1]]
                    _descend_rows(layers[0][r, u, b], x[r], taken, deltas[0], some, slopes, pace)
                for place in range(1, len(layers)):
                    below = hidden[place - 1]
                    _descend_rows(layers[place][r, u, 0], below, themselves, deltas[place], members, slopes, pace)
                for q in members:
                    for j in range(last.shape[3]):
                        last[r, u, 0, j] -= pace * errors[q] * hidden[len(layers) - 1, q, j]


@njit(inline="always")
def _return_to(weights: np.ndarray, start: np.ndarray, share: float) -> None:
    """Move the weights of a layer, (blocks, inputs, m), a share of their way back to the start."""
    for b in range(weights.shape[0]):
        for i in range(weights.shape[1]):
            for j in range(weights.shape[2]):
                weights[b, i, j] -= share * (weights[b, i, j] - start[b, i, j])


@njit(inline="always")
def _descend_rows(
    weights: np.ndarray,
    x: np.ndarray,
    taken: np.ndarray,
    deltas: np.ndarray,
    some: np.ndarray,
    slopes: np.ndarray,
    pace: float,
) -> None:
    """Subtract pace times the sum over q in `some` of x[taken[q]] deltas[q]' from the weights of a layer."""
    present = np.empty(len(some), np.int64)
    for i in range(weights.shape[0]):
        count = 0
        for q in some:
            present[count] = q
            count += x[taken[q], i] != 0
        if count > 0:
            slopes[:] = weights.dtype.type(0)
            add_rows(slopes, x, i, taken, deltas, present[:count])
            for j in range(weights.shape[1]):
                weights[i, j] -= pace * slopes[j]
