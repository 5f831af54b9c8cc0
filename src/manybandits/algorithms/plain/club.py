"""CLUB, plainly: Gentile, Li and Zappella 2014, "Online clustering of bandits", Figure 1, which numbers no lines."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain._graph import component, cut, f, first_users
from manybandits.algorithms.plain._ridge import Ridge, pooled
from manybandits.algorithms.plain._twin import Twin


class CLUB(Twin):
    """Users in the same connected component of a graph are a cluster, which has one model."""

    by_user = True

    def begin(self) -> None:
        n, d = self.problem.users, self.problem.dimension
        self.user = [Ridge(d, self.o["lambda"]) for _ in range(n)]  # Init: M_i = I, b_i = 0
        self.G = first_users(n, self.o["graph"], self.random)  # Init: a connected graph, so that there is one cluster

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        V = sorted(component(self.G, user))  # determine j such that i is in V_j
        cluster = pooled([self.user[i] for i in V], self.problem.dimension, self.o["lambda"])  # set M, b
        return cluster.bounds(contexts, self.o["alpha"] * math.sqrt(math.log(t + 1)))  # set k_t = argmax

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        i = self.user[user]
        for j in sorted(self.G[user]):
            other = self.user[j]
            if np.linalg.norm(i.theta - other.theta) > self.o["alpha_2"] * (f(i.T) + f(other.T)):  # CB~_i + CB~_l
                cut(self.G, user, j)  # delete from E_t all (i, l)
        i.add(context, reward)  # update weights: M_i, b_i
