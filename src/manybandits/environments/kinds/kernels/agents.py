"""Kernel of games in which N agents act in every round, with one policy per agent or one decision for all of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from manybandits.algorithms.compiled_policy import choose, choose_all, label_agents, learn, learn_all
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
    shared: np.ndarray,
    own_arms: tuple[np.ndarray, np.ndarray] | tuple[()],
    expected: np.ndarray,
    noise: np.ndarray,
    best: np.ndarray,
    checkpoint_of: np.ndarray,
    regret_so_far: np.ndarray,
    reward_so_far: np.ndarray,
    regret: np.ndarray,
    reward: np.ndarray,
    clusters: tuple[np.ndarray] | tuple[()],
) -> None:
    """Play rounds done + 1, ..., done + B with replicas first, ..., last - 1.

    stream: (R,), which of S seeds each replica plays; shared: (S, B, K, d), the contexts; own_arms: own, as in
    `AgentRounds`, and own_table, (I, d), or () if the policy decides for all agents at once; expected, noise: as in
    `AgentRounds`; best: (S, B, N), the largest expected reward; checkpoint_of: (B,), the number of the checkpoint at
    each round, or -1.

    Regret and reward are averages over agents. regret_so_far, reward_so_far: (R,), updated; regret, reward: (R, C),
    filled at C checkpoints; clusters: labels, (R, C, N), the cluster of each agent, or () if the policy has none.
    """
    rounds, arms, dimension = shared.shape[1:]
    agents = noise.shape[2]
    chosen = np.empty(agents, np.int64)
    rewards = np.empty(agents)
    contexts = np.empty((arms, dimension))
    places = np.arange(arms)
    if len(own_arms) == 2:
        own, own_table = own_arms
    if len(clusters) == 1:
        (labels,) = clusters
    for r in range(first, last):
        state = replica(states, r)
        s = stream[r]
        for b in range(rounds):
            t = done + b + 1
            for k in range(arms):
                assign(contexts[k], shared[s, b, k])
            if len(own_arms) == 0:
                choose_all(state, t, contexts, chosen)
                for i in range(agents):
                    rewards[i] = expected[s, b, i, chosen[i]] + noise[s, b, i]
                learn_all(state, t, contexts, chosen, rewards)
            else:
                for i in range(agents):
                    if own.shape[2] > 0:
                        assign(contexts[arms - 1], own_table[own[s, b, i]])
                    turn = (t - 1) * agents + i + 1
                    arm = choose(state, turn, i, places, contexts)
                    chosen[i] = arm
                    rewards[i] = expected[s, b, i, arm] + noise[s, b, i]
                    learn(state, turn, i, arm, contexts[arm], rewards[i])
            for i in range(agents):
                regret_so_far[r] += (best[s, b, i] - expected[s, b, i, chosen[i]]) / agents
                reward_so_far[r] += rewards[i] / agents
            if checkpoint_of[b] >= 0:
                regret[r, checkpoint_of[b]] = regret_so_far[r]
                reward[r, checkpoint_of[b]] = reward_so_far[r]
                if len(clusters) == 1:
                    label_agents(state, labels[r, checkpoint_of[b]])
