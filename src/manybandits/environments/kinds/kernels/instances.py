"""Kernel of games in which one individual per round arrives at one of N instances."""

from __future__ import annotations

from typing import Any

import numpy as np

from manybandits.algorithms.compiled_policy import choose, learn
from manybandits.compiling.kernels import compiled
from manybandits.compiling.replicas import replica
from manybandits.numerics.vectors import assign


@compiled
def play(
    states: Any,
    first: int,
    last: int,
    done: int,
    stream: np.ndarray,
    users: np.ndarray,
    shared: np.ndarray,
    rewards: np.ndarray,
    chosen: np.ndarray,
) -> None:
    """Play rounds done + 1, ..., done + B with replicas first, ..., last - 1, and fill their rows of chosen, (R, B).

    stream: (R,), which of S seeds each replica plays; users: (S, B), the instances; shared: (S, B, d), the contexts,
    the same for all arms; rewards: (S, B, K).
    """
    rounds, arms = rewards.shape[1:]
    contexts = np.empty((arms, shared.shape[2]))
    places = np.arange(arms)
    for r in range(first, last):
        state = replica(states, r)
        s = stream[r]
        for b in range(rounds):
            t = done + b + 1
            for k in range(arms):
                assign(contexts[k], shared[s, b])
            arm = choose(state, t, users[s, b], places, contexts)
            chosen[r, b] = arm
            learn(state, t, users[s, b], arm, contexts[arm], rewards[s, b, arm])
