"""Kernel of replays of a log: only events in which the policy chooses the arm that was shown count as rounds."""

from __future__ import annotations

from typing import Any

import numpy as np

from manybandits.algorithms.compiled_policy import choose, learn
from manybandits.compiling.kernels import compiled
from manybandits.compiling.replicas import borrow, replica


@compiled
def play(
    states: Any,
    first: int,
    last: int,
    stream: np.ndarray,
    orders: np.ndarray,
    shown: np.ndarray,
    clicks: np.ndarray,
    contexts: np.ndarray,
    learn_every: bool,
    horizon: int,
    chosen: np.ndarray,
) -> None:
    """Let replicas first, ..., last - 1 choose an arm for one event after another, until `horizon` events count.

    stream: (R,), which of S seeds each replica plays; orders: (S, n), the events in the order of each seed, -1 after
    the last one; shown, clicks: (n,); contexts: (n, K, d); learn_every: whether policies learn from events that do not
    count; chosen: (R, n), filled with the chosen arms, in the order of the events.
    """
    places = np.arange(contexts.shape[1])
    user = places[0]  # variables, not the constants 0 and 1, for whose types numba would compile a policy again
    for r in range(first, last):
        state = replica(states, r)
        t = user + 1
        for place, event in enumerate(orders[stream[r]]):
            if event < 0:
                break
            arm = shown[event]
            offered = borrow(contexts[event])  # a view of an argument, which outlives the call
            chosen[r, place] = choose(state, t, user, places, offered)
            agrees = chosen[r, place] == arm
            if agrees or learn_every:
                learn(state, t, user, arm, offered[arm], clicks[event])
            if agrees:
                t += 1
                if t > horizon:
                    break
