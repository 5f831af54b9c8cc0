"""The functions of a compiled policy that kernels call, with their arguments and results.

A compiled algorithm has a `State` and some of the functions below, each a `part` (see `manybandits.compiling.parts`)
that is written for one replica. The functions here are placeholders: kernels import them, and are compiled with those
of a policy in their place (see `manybandits.compiling.kernels`).

    choose, learn                    for every policy that serves one user per round
    value                            for a policy with a model per user or cluster of users; `choose` is defined by it
    choose_all, learn_all            in their place, for a policy that decides for all agents at once
    share_cluster, count_clusters    for a policy with clusters of users, one of whom is served per round
    label_agents                     for a policy with clusters of agents, all of whom act in every round
    relearn                          for a policy that another one uses, see `manybandits.algorithms.single_rounds`

The meaning of the arguments depends on the kind of game:

* users: one user is served per round, and arm k offers the item items[k]. With block contexts, arm k is the item of the
  round in block k, and the policy sees the items 0, ..., K - 1. These contexts are written out, or, if they are too
  long for that or the policy prefers it, rows of three numbers that only ridge regressions, neighbours and Gaussian
  processes read (see `manybandits.numerics.sparse_blocks.block_log`). If each arm is presented to a user of its own,
  `value` is called for one arm after another, each with its user, and the user of the arm played learns; items are
  then the positions of arms;
* instances: an individual arrives at an instance. The instance is the user, all rows of contexts are the same, and
  items are the arms;
* agents: N agents take turns in every round, so that t = (round - 1) N + 1, ..., round N. For a policy that decides for
  all of them at once, t is the round;
* replay of a log: there is one user, and items are the arms;
* exploration of a network: there is one user, the number of arms differs from round to round, and every arm is item 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def choose(state: Any, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    """Return the arm to play for a user in round t = 1, 2, ...; items: (K,) int, contexts: (K, d)."""
    raise NotImplementedError


def value(state: Any, t: int, user: int, items: np.ndarray, contexts: np.ndarray, values: np.ndarray) -> None:
    """Fill values, (K,), with the indices of arms for a user, the largest of which is played; else as in choose."""
    raise NotImplementedError


def learn(state: Any, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    """Learn from the reward of the arm that was played; item: its item, context: (d,), its context."""
    raise NotImplementedError


def choose_all(state: Any, t: int, contexts: np.ndarray, chosen: np.ndarray) -> None:
    """Fill chosen, (N,) int, with the arms of all agents; contexts: (K, d), the same for all."""
    raise NotImplementedError


def learn_all(state: Any, t: int, contexts: np.ndarray, chosen: np.ndarray, rewards: np.ndarray) -> None:
    """Learn from the rewards, (N,), of the arms that the agents played, (N,); contexts: (K, d)."""
    raise NotImplementedError


def share_cluster(state: Any, user: int, item: int, position: int, other: int) -> bool:
    """Return whether `other` is in the cluster that was played for `user`; item, position: of the arm played."""
    raise NotImplementedError


def count_clusters(state: Any) -> int:
    """Return how many clusters there are."""
    raise NotImplementedError


def label_agents(state: Any, labels: np.ndarray) -> None:
    """Fill labels, (N,) int32, with the cluster of each agent."""
    raise NotImplementedError


def relearn(state: Any, users: np.ndarray, contexts: np.ndarray, rewards: np.ndarray) -> None:
    """Forget all observations and learn from T others: users, (T,), contexts, (T, d), and rewards, (T,)."""
    raise NotImplementedError
