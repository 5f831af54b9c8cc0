"""Kernel of games in which a network is explored by queries."""

from __future__ import annotations

from typing import Any

import numpy as np

from manybandits.algorithms.compiled_policy import choose, learn
from manybandits.compiling.kernels import compiled
from manybandits.compiling.replicas import borrow, replica
from manybandits.environments.frontier import query, seen_at_start


@compiled
def play(
    states: Any,
    first: int,
    last: int,
    stream: np.ndarray,
    rows: np.ndarray,
    neighbour: np.ndarray,
    starts: np.ndarray,
    received: np.ndarray,
) -> None:
    """Let replicas first, ..., last - 1 query T nodes each, and fill their rows of received, (R, T).

    stream: (R,), which of S seeds each replica plays; rows, neighbour: the network, see
    `manybandits.environments.frontier`; starts: (S, s), the nodes that are seen at the start; received: the number of
    nodes newly seen so far, left unchanged once no node can be queried.
    """
    horizon = received.shape[1]
    items = np.zeros(len(rows) - 1, np.int64)
    for r in range(first, last):
        state = replica(states, r)
        seen = seen_at_start(rows, neighbour, starts[stream[r]])
        contexts = borrow(seen.contexts)
        total = 0.0
        for b in range(horizon):
            arms = seen.count[0]
            if arms == 0:
                break
            arm = choose(state, b + 1, 0, items[:arms], contexts[:arms])
            context = contexts[arm].copy()
            reward = query(seen, arm)
            learn(state, b + 1, 0, 0, context, reward / seen.scale[0])
            total += reward
            received[r, b] = total
