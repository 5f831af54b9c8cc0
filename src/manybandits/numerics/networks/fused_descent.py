"""A fused CPU loop that trains networks without biases by gradient descent on a penalised squared loss.

`manybandits.numerics.networks.users` chooses between it and batched torch operations.
"""

from __future__ import annotations

import numpy as np

from manybandits.compiling.fused_loops import fused_loop
from manybandits.compiling.parts import part
from manybandits.numerics.networks.fused_evaluation import Layers, evaluate_members, observations_of, workspace
from manybandits.numerics.networks.fused_products import nonzero_places


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
    hidden, deltas, _, places = workspace(layers, last, batch)
    errors, done = np.empty(batch, last.dtype), np.empty(batch, np.bool_)
    of_network, by_block, blocks = np.empty(batch, np.int64), np.empty(batch, np.int64), layers[0].shape[2]
    ends, pace = np.empty(blocks + 1, np.int64), kind(rate)
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
                for q in by_block[: len(members)]:
                    i = taken[q]
                    _add_product(layers[0][r, u, block[r, i]], -pace, x[r, i], deltas[0, q], places)
                    for place in range(1, len(layers)):
                        _add_product(layers[place][r, u, 0], -pace, hidden[place - 1, q], deltas[place, q], places)
                    for j in range(last.shape[3]):
                        last[r, u, 0, j] -= pace * errors[q] * hidden[len(layers) - 1, q, j]


@part(fast=True)
def _return_to(weights: np.ndarray, start: np.ndarray, share: float) -> None:
    """Move the weights of a layer, (blocks, inputs, m), a share of their way back to the start."""
    for b in range(weights.shape[0]):
        for i in range(weights.shape[1]):
            for j in range(weights.shape[2]):
                weights[b, i, j] -= share * (weights[b, i, j] - start[b, i, j])


@part(fast=True)
def _add_product(weights: np.ndarray, share: float, x: np.ndarray, delta: np.ndarray, places: np.ndarray) -> None:
    """Add share x delta' to the weights of a layer, (d, m), where x is not zero. places: (d,), workspace."""
    for p in range(nonzero_places(x, places)):
        i = places[p]
        scale = share * x[i]
        for j in range(weights.shape[1]):
            weights[i, j] += scale * delta[j]
