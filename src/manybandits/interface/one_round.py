"""Kernel for one decision and one observation at a time, of a policy that serves one user per round.

It is compiled with a policy like the kernels of games, so that `manybandits.interface.bandit` runs the functions that
the experiments run.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from manybandits.algorithms.compiled_policy import choose, learn
from manybandits.base.limits import LARGEST
from manybandits.compiling.kernels import compiled
from manybandits.compiling.replicas import replica


@compiled
def choose_one(states: Any, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    """Return the arm for a user in round t, or -1 if a context is not computed with.

    items: (K,) int32; contexts: (K, d), of numbers up to `LARGEST`.
    """
    for k in range(contexts.shape[0]):
        for i in range(contexts.shape[1]):
            if not abs(contexts[k, i]) <= LARGEST:  # nor is it NaN
                return -1
    return choose(replica(states, 0), t, user, items, contexts)


@compiled
def learn_one(states: Any, t: int, user: int, item: int, context: np.ndarray, reward: float) -> bool:
    """Learn from a reward; return False, without learning, if it or the context, (d,), is not computed with."""
    if not abs(reward) <= LARGEST:
        return False
    for i in range(len(context)):
        if not abs(context[i]) <= LARGEST:
            return False
    learn(replica(states, 0), t, user, item, context, reward)
    return True
