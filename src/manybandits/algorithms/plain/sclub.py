"""SCLUB, plainly: Li, Chen, Li and Leung 2019, "Improved algorithm on online clustering of bandits", three boxes."""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain._graph import f
from manybandits.algorithms.plain._ridge import Ridge, merge
from manybandits.algorithms.plain._twin import Twin


class Cluster:
    """Its users and their data, and what it had at the start of the stage: estimate, T and frequency."""

    def __init__(self, users: set[int], model: Ridge, p: float) -> None:
        self.users, self.model, self.kept = users, model, (model.theta, model.T, p)

    def p(self, t: int) -> float:
        """Return the mean frequency of its users."""
        return self.model.T / (len(self.users) * t)


class SCLUB(Twin):
    """Clusters are sets of users, which split and merge."""

    by_user = True

    def begin(self) -> None:
        n, d = self.problem.users, self.problem.dimension
        self.user = [Ridge(d, self.o["lambda"]) for _ in range(n)]
        self.J = {0: Cluster(set(range(n)), Ridge(d, self.o["lambda"]), 0.0)}  # Algorithm 1: one cluster of all users
        self.checked: set[int] = set()

    def of(self, user: int) -> int:
        return next(j for j, cluster in self.J.items() if user in cluster.users)

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        return self.J[self.of(user)].model.bounds(contexts, self.o["alpha"] * math.sqrt(math.log(t + 1)))

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        if (t + 1) & t == 0:  # Algorithm 1: stage s begins in round 2^s - 1
            self.checked = set()  # Algorithm 1: all users are unchecked
            for cluster in self.J.values():
                cluster.kept = (cluster.model.theta, cluster.model.T, cluster.p(max(t - 1, 1)))
        for model in (self.user[user], self.J[self.of(user)].model):
            model.add(context, reward)  # Algorithm 1: update user and cluster
        self.checked.add(user)  # Algorithm 1: mark the user as checked
        self.split(t, user)
        self.merge(t)

    def split(self, t: int, user: int) -> None:
        cluster, i = self.J[self.of(user)], self.user[user]
        theta, T, p = cluster.kept
        near = np.linalg.norm(i.theta - theta) <= self.o["alpha_theta"] * (f(i.T) + f(T))
        if len(cluster.users) > 1 and not (near and abs(i.T / t - p) <= self.o["alpha_p"] * f(t)):  # Algorithm 2
            merge(cluster.model, i, -1, self.o["lambda"])  # Algorithm 2: the old cluster loses the user's data
            cluster.users.remove(user)
            new = min(set(range(len(self.user))) - set(self.J))
            self.J[new] = Cluster({user}, copy.copy(i), i.T / t)  # Algorithm 2: a cluster of its own

    def merge(self, t: int) -> None:
        for j, k in itertools.combinations(range(len(self.user)), 2):
            if j in self.J and k in self.J and self.J[j].users | self.J[k].users <= self.checked:  # Algorithm 3
                a, b = self.J[j], self.J[k]
                near = float(np.linalg.norm(a.model.theta - b.model.theta))
                alike = near < self.o["alpha_theta"] / 2 * (f(a.model.T) + f(b.model.T))  # Algorithm 3: estimates
                if alike and abs(a.p(t) - b.p(t)) < self.o["alpha_p"] / 2 * f(t):  # Algorithm 3: frequencies
                    merge(a.model, b.model, 1, self.o["lambda"])  # Algorithm 3: the sums of both are added
                    a.users |= b.users
                    del self.J[k]
