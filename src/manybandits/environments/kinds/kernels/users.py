"""Kernel of games that serve one user per round."""

from __future__ import annotations

from typing import Any

import numpy as np

from manybandits.algorithms.compiled_policy import choose, count_clusters, learn, share_cluster, value
from manybandits.algorithms.linear._optimism import best
from manybandits.compiling.kernels import compiled
from manybandits.compiling.replicas import replica
from manybandits.numerics.vectors import fill


@compiled
def play(
    states: Any,
    first: int,
    last: int,
    done: int,
    stream: np.ndarray,
    users: np.ndarray,
    items: np.ndarray,
    raters: np.ndarray,
    rewards: np.ndarray,
    tables: tuple[np.ndarray, np.ndarray] | tuple[()],
    step: int,
    per_arm_users: tuple[bool] | tuple[()],
    checkpoint_of: np.ndarray,
    chosen: np.ndarray,
    clusters: tuple[np.ndarray, np.ndarray, np.ndarray] | tuple[()],
) -> None:
    """Play rounds done + 1, ..., done + B with replicas first, ..., last - 1, and fill their rows of chosen, (R, B).

    stream: (R,), which of S seeds each replica plays; users, items, raters, rewards: as in `Rounds`; tables:
    item_table, user_table, or () if contexts are references; step: by how many entries the item of the round moves from
    arm to arm, 0 if every arm has its own item; per_arm_users: (True,) if each arm is valued for its own user, else ();
    checkpoint_of: (B,), the number of the checkpoint at each round, or -1; clusters: as in `ClusterStatistics`, or ()
    if the policy has none. Clusters are counted at checkpoints; the size and the purity of the cluster that is played
    are summed in every round.
    """
    rounds, arms = items.shape[1:]
    if len(tables) == 2:
        item_table, user_table = tables
        item_width = item_table.shape[1]
        contexts = np.zeros((arms, (arms - 1) * step + item_width + user_table.shape[1]))
    else:
        contexts = np.empty((arms, 3), np.int64)
    if len(clusters) == 3:
        truth, sums, found = clusters
    places, values = np.empty(arms, items.dtype), np.empty(arms)
    for k in range(arms):
        places[k] = k
    for r in range(first, last):
        state = replica(states, r)
        s = stream[r]
        for b in range(rounds):
            t = done + b + 1
            for k in range(arms):
                if len(tables) == 2:
                    for i in range(item_width):
                        contexts[k, k * step + i] = item_table[items[s, b, k], i]
                    for i in range(user_table.shape[1]):
                        contexts[k, item_width + i] = user_table[raters[s, b, k], i]
                else:
                    contexts[k, 0], contexts[k, 1], contexts[k, 2] = t - 1, items[s, b, k], k
            offered = places if step > 0 else items[s, b]
            if len(per_arm_users) == 1:
                for k in range(arms):
                    one = slice(k, k + 1)
                    value(state, t, users[s, b, k], offered[one], contexts[one], values[one])
                arm = best(values, state.random)
            else:
                arm = choose(state, t, users[s, b, 0], offered, contexts)
            chosen[r, b] = arm
            user, item = users[s, b, arm], offered[arm]
            if len(clusters) == 3:
                size = alike = 0
                for other in range(len(truth)):
                    if share_cluster(state, user, item, arm, other):
                        size += 1
                        alike += truth[other] == truth[user]
                sums[r, 0] += 1
                sums[r, 1] += size
                sums[r, 2] += alike / size
            learn(state, t, user, item, contexts[arm], rewards[s, b, arm])
            if len(clusters) == 3 and checkpoint_of[b] >= 0:
                found[r, checkpoint_of[b], 0] = count_clusters(state)
                found[r, checkpoint_of[b], 1] = sums[r, 1] / sums[r, 0]
                found[r, checkpoint_of[b], 2] = sums[r, 2] / sums[r, 0]
                fill(sums[r], 0.0)
