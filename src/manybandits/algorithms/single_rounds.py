"""Kernel for a compiled policy that another policy uses: it plays one round of R replicas at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from manybandits.algorithms.compiled_policy import choose, count_clusters, learn, relearn, value
from manybandits.algorithms.linear._optimism import best
from manybandits.compiling.kernels import compiled
from manybandits.compiling.replicas import replica


@compiled
def choose_each(states: Any, t: int, users: np.ndarray, contexts: np.ndarray, chosen: np.ndarray) -> None:
    """Fill chosen, (R,) int; users: (R,), contexts: (R, K, d)."""
    places = np.arange(contexts.shape[1])
    for r in range(len(chosen)):
        chosen[r] = choose(replica(states, r), t, users[r], places, contexts[r])


@compiled
def choose_apart(states: Any, t: int, users: np.ndarray, contexts: np.ndarray, chosen: np.ndarray) -> None:
    """Fill chosen, (R,) int, if each arm is valued for a user of its own; users: (R, K), contexts: (R, K, d)."""
    places, values = np.arange(contexts.shape[1]), np.empty(contexts.shape[1])
    for r in range(len(chosen)):
        state = replica(states, r)
        for k in range(len(values)):
            one = slice(k, k + 1)
            value(state, t, users[r, k], places[one], contexts[r, one], values[one])
        chosen[r] = best(values, state.random)


@compiled
def learn_each(states: Any, t: int, users: np.ndarray, contexts: np.ndarray, rewards: np.ndarray) -> None:
    """Let every replica learn from a round; users: (R,), contexts: (R, d), rewards: (R,)."""
    for r in range(len(users)):
        learn(replica(states, r), t, users[r], 0, contexts[r], rewards[r])


@compiled
def relearn_each(states: Any, users: np.ndarray, contexts: np.ndarray, rewards: np.ndarray) -> None:
    """Let every replica learn anew from T rounds; users: (R, T), contexts: (R, T, d), rewards: (R, T)."""
    for r in range(len(users)):
        relearn(replica(states, r), users[r], contexts[r], rewards[r])


@compiled
def count_each(states: Any, clusters: np.ndarray) -> None:
    """Fill clusters, (R,), with the number of clusters of every replica."""
    for r in range(len(clusters)):
        clusters[r] = count_clusters(replica(states, r))
