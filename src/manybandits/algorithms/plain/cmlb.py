"""CMLB, plainly: Ghosh, Sankararaman and Ramchandran 2021, Algorithms 2 and 3.

Not here: Algorithm 2, lines 1, 8, 11 and 12: the input, and loops that the game makes; Algorithm 3, line 1: the input.
"""

from __future__ import annotations

import math

import numpy as np

from manybandits.algorithms.plain._graph import Graph, component
from manybandits.algorithms.plain._oful import Oful
from manybandits.algorithms.plain._twin import Twin


def maximal_cluster(theta: list[np.ndarray], p_star: float, gamma: float) -> list[list[int]]:
    """Return the clusters of agents, (d,) each, in the order of their first ones."""
    N = len(theta)
    near = np.linalg.norm(np.array(theta)[:, None] - np.array(theta), axis=2) <= gamma
    G: Graph = {i: set(np.flatnonzero(near[i]).tolist()) for i in range(N)}  # Algorithm 3, line 2
    C = {frozenset(component(G, i)) for i in range(N)}  # Algorithm 3, line 3
    S = {c for c in C if len(c) < p_star * N}  # Algorithm 3, line 4
    collapsed = frozenset[int]().union(*S)  # Algorithm 3, line 5
    return sorted(sorted(c) for c in (C - S) | {collapsed} if c)  # Algorithm 3, line 6


class CMLB(Twin):
    """Agents learn alone, are clustered once, and then each cluster learns as one agent."""

    def begin(self) -> None:
        N, T, d, o = self.problem.users, self.problem.horizon, self.problem.dimension, self.o
        C = (o["constant"] ** 2 if o["exploration"] == "squared" else o["constant"]) / o["rho_min"]
        power = (N * T) ** o["exponent"]
        self.explore = max(1, math.ceil(C * d * power**2 * math.log(1 / o["delta"])))  # Algorithm 2, line 2
        self.gamma = o["threshold"] / power  # Lemma 1
        self.agent = [Oful(d, o) for _ in range(N)]
        self.clusters, self.oful = list[list[int]](), list[Oful]()

    def choose_all(self, t: int, contexts: np.ndarray) -> np.ndarray:
        """Return the arm of each agent, (N,). contexts: (K, d), the same for all; `learn_all` gets arms and rewards."""
        if t <= self.explore:
            return np.array([self.random.best(one.indices(contexts)) for one in self.agent])  # Algorithm 2, line 3
        arms = np.zeros(len(self.agent), int)
        for members, oful in zip(self.clusters, self.oful, strict=True):  # Algorithm 2, line 7
            arms[members] = self.random.best(oful.indices(contexts))  # Algorithm 2, line 9
        return arms

    def learn_all(self, t: int, contexts: np.ndarray, arms: np.ndarray, rewards: np.ndarray) -> None:
        if t > self.explore:
            for members, oful in zip(self.clusters, self.oful, strict=True):
                oful.add(contexts[arms[members[0]]], float(rewards[members].mean()))  # Algorithm 2, line 10
            return
        for one, arm, reward in zip(self.agent, arms, rewards, strict=True):
            one.add(contexts[arm], float(reward))
        if t == self.explore:
            theta = [one.theta for one in self.agent]  # Algorithm 2, line 4
            self.clusters = maximal_cluster(theta, self.o["p_star"], self.gamma)  # Algorithm 2, line 5
            known = [len(members) if self.o["averaged"] == "aware" else 1 for members in self.clusters]
            self.oful = [Oful(self.problem.dimension, self.o, one) for one in known]  # Algorithm 2, line 6
