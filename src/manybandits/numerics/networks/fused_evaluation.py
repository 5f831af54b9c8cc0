"""Evaluation of networks at the observations of a batch: values, errors and gradients, for the fused loops of training.

They are inlined into `fused_training` and `fused_descent`.
"""

from __future__ import annotations

import numpy as np

from manybandits.compiling.parts import part
from manybandits.numerics.networks.fused_products import (
    dot,
    multiply,
    multiply_many,
    rectify,
    slopes_before,
    sort_by_block,
)

Layers = tuple[np.ndarray, ...]


@part(fast=True)
def workspace(layers: Layers, last: np.ndarray, batch: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return workspace: hidden units and gradients in their inputs, (L - 1, B, m) each, a row of slopes, indices."""
    hidden = np.empty((len(layers), batch, last.shape[3]), last.dtype)
    longest = max(layers[0].shape[3], last.shape[3])
    return hidden, np.empty_like(hidden), np.empty(last.shape[3], last.dtype), np.empty(longest, np.int64)


@part(fast=True)
def observations_of(learner: np.ndarray, taken: np.ndarray, u: int, start: int, found: np.ndarray) -> int:
    """Write the places in `taken`, from `start` on, of network u's observations to found; return their number."""
    count = 0
    for q in range(start, taken.shape[0]):
        if learner[taken[q]] == u:
            found[count] = q
            count += 1
    return count


@part(fast=True)
def evaluate(
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
    multiply(layers[0][r, u], x, b, hidden[0, q], places)
    return evaluate_above(layers, last, r, u, reward, share, hidden, deltas, q, places)


@part(fast=True)
def evaluate_above(
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
    """Do what `evaluate` does after the first layer, whose output before the ReLU is in hidden[0, q]."""
    rectify(hidden[0, q])
    top = len(layers) - 1
    for place in range(top):
        multiply(layers[place + 1][r, u], hidden[place, q], 0, hidden[place + 1, q], places)
        rectify(hidden[place + 1, q])
    error = share * (dot(last[r, u, 0], hidden[top, q]) - reward)
    slopes_before(last[r, u], hidden[top, q], error, deltas[top, q])
    for place in range(top - 1, -1, -1):
        for i in range(last.shape[3]):
            deltas[place, q, i] = last.dtype.type(0)
            if hidden[place, q, i] > last.dtype.type(0):
                deltas[place, q, i] = dot(layers[place + 1][r, u, 0, i], deltas[place + 1, q])
    return error


@part(fast=True)
def evaluate_members(
    layers: Layers,
    last: np.ndarray,
    r: int,
    u: int,
    given: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray],
    members: np.ndarray,
    share: float,
    hidden: np.ndarray,
    deltas: np.ndarray,
    errors: np.ndarray,
    places: np.ndarray,
    by_block: np.ndarray,
    ends: np.ndarray,
) -> None:
    """Fill errors[q] as `evaluate` returns it, and hidden[:, q] and deltas[:, q], for the observations q of network u.

    given: x, block and reward of all observations, and those of the batch; members: the q of network u in the batch,
    which are then sorted by their block, as `sort_by_block` does.
    """
    x, block, reward, taken = given
    sort_by_block(block, taken, members, by_block, ends)
    for b in range(layers[0].shape[2]):
        multiply_many(layers[0][r, u, b], x, taken, by_block[ends[b] : ends[b + 1]], hidden[0])
    for q in members:
        errors[q] = evaluate_above(layers, last, r, u, reward[taken[q]], share, hidden, deltas, q, places)
