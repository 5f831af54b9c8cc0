"""What a compiled policy is: the functions that kernels call, written for one replica, as the paper writes them.

A compiled algorithm has a `State`, a NamedTuple of arrays of which kernels see one replica, and some of the functions
below, as `part` (see `manybandits.compiling.parts`). What stands here are stand-ins: kernels import them, and are
compiled with the policy's own in their place (see `manybandits.compiling.kernels`). They say what each takes and does.

    choose, learn                    every policy that serves one user a round
    choose_all, learn_all            in their place, a policy that decides for all agents at once
    share_cluster, count_clusters    a policy whose users are in clusters, one user a round
    label_agents                     a policy whose agents are in clusters, where all agents act in every round
    relearn                          a policy that another one builds on, see `manybandits.algorithms.single_rounds`

How the arguments are to be read depends on the game:

* one user a round: arm k offers the item items[k]. With block contexts, arm k is the item of the round in block k, and
  to the policy the items of the K arms are 0, ..., K - 1. These contexts are written out, or, where they are too long
  for that or a policy prefers it, rows of three numbers that only ridge regressions, neighbours and Gaussian processes
  read (see `manybandits.numerics.by_reference.block_log`);
* an individual that arrives at an instance: the instance is the user, all rows of contexts are the same, and items are
  the arms;
* all agents in every round: N agents take turns in every round, so that t = (round - 1) N + 1, ..., round N. To a
  policy that decides for all of them at once, t is the round;
* the replay of a log: there is one user, and the items are the arms;
* the exploration of a network: there is one user, the number of arms differs from round to round, and all of them are
  item 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def choose(state: Any, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    """Return the arm to play for a user in round t = 1, 2, ...; items: (K,) int, contexts: (K, d)."""
    raise NotImplementedError


def learn(state: Any, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    """Take the reward of the arm that was played, of its item and its context, (d,)."""
    raise NotImplementedError


def choose_all(state: Any, t: int, contexts: np.ndarray, chosen: np.ndarray) -> None:
    """Fill chosen, (N,) int, with the arms of all agents; contexts: (K, d), the same for all."""
    raise NotImplementedError


def learn_all(state: Any, t: int, contexts: np.ndarray, chosen: np.ndarray, rewards: np.ndarray) -> None:
    """Take the rewards, (N,), of the arms that all agents played, (N,); contexts: (K, d)."""
    raise NotImplementedError


def share_cluster(state: Any, user: int, item: int, position: int, other: int) -> bool:
    """Return whether `other` is in the cluster that was played for `user`, whose arm is an item at a position."""
    raise NotImplementedError


def count_clusters(state: Any) -> int:
    """Return how many clusters there are."""
    raise NotImplementedError


def label_agents(state: Any, labels: np.ndarray) -> None:
    """Fill labels, (N,) int32, with the cluster of each agent."""
    raise NotImplementedError


def relearn(state: Any, users: np.ndarray, contexts: np.ndarray, rewards: np.ndarray) -> None:
    """Forget all rewards and learn from these instead: of users, (T,), contexts, (T, d), and rewards, (T,)."""
    raise NotImplementedError
