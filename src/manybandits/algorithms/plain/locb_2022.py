"""LOCB of 2022, plainly: M is github.com/banyikun/MCNB, one replica.

Rounds are t = 1, 2, ..., and its t, from 0 on, is t - 1. f is locb.py:113.
"""

from __future__ import annotations

import numpy as np

from manybandits.algorithms.plain._graph import f
from manybandits.algorithms.plain._twin import Twin

SEEDS, GAMMA = 20, 0.2  # M@53eb178:run.py:42


class Cluster:
    """The cluster of a seed."""

    def __init__(self, users: int, dimension: int) -> None:
        self.users = set(range(users))  # M@53eb178:locb.py:11
        self.S, self.b, self.N = np.eye(dimension), np.zeros(dimension), 1  # M@53eb178:locb.py:34
        self.compute()  # M@53eb178:locb.py:15-16

    def compute(self) -> None:
        self.inverse = np.linalg.inv(self.S)  # M@53eb178:locb.py:99
        self.theta = self.inverse @ self.b  # M@53eb178:locb.py:100


class LOCB2022(Twin):
    """The whole of it."""

    def begin(self) -> None:
        n, self.d = self.problem.users, self.problem.dimension
        self.S = [np.eye(self.d) for _ in range(n)]  # M@53eb178:locb.py:22
        self.b = [np.zeros(self.d) for _ in range(n)]  # M@53eb178:locb.py:23
        self.theta = [np.zeros(self.d) for _ in range(n)]  # M@53eb178:locb.py:25
        self.seeds = [self.random.below(n) for _ in range(SEEDS)]  # M@53eb178:locb.py:28, from our stream
        self.finished = dict.fromkeys(self.seeds, False)  # M@53eb178:locb.py:29-31
        self.clusters = {seed: Cluster(n, self.d) for seed in self.seeds}  # M@53eb178:locb.py:32-34
        self.N = [0] * n  # M@53eb178:locb.py:36
        self.listed = [list(self.seeds) for _ in range(n)]  # M@53eb178:locb.py:40-44, with repeats
        self.changes = 0  # for tests

    def choose(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
        if self.listed[user]:  # M@53eb178:locb.py:67; its t < 40000 is true in all games
            clusters = [self.clusters[seed] for seed in self.listed[user]]  # M@53eb178:locb.py:69-70
            return max(self.best(t, contexts, c.inverse, c.theta, c.N) for c in clusters)[1]  # M@53eb178:locb.py:71-74
        inverse = np.linalg.inv(self.S[user])
        return self.best(t, contexts, inverse, self.theta[user], self.N[user])[1]  # M@53eb178:locb.py:76-77

    def best(self, t: int, contexts: np.ndarray, inverse: np.ndarray, theta: np.ndarray, N: int) -> tuple[float, int]:
        with np.errstate(divide="ignore", invalid="ignore"):  # of its t = 0
            beta = np.sqrt(self.d * np.log(1 + N / self.d) + 4 * np.log(t - 1) + np.log(2)) + 1  # M@53eb178:locb.py:53
        ucbs = [x @ theta + beta * (x @ inverse @ x) for x in contexts]  # M@53eb178:locb.py:81
        return max(ucbs), int(np.argmax(ucbs))  # M@53eb178:locb.py:82-84

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        self.S[user] += np.outer(context, context)  # M@53eb178:locb.py:89
        self.b[user] += reward * context  # M@53eb178:locb.py:90
        self.N[user] += 1  # M@53eb178:locb.py:91
        self.theta[user] = np.linalg.inv(self.S[user]) @ self.b[user]  # M@53eb178:locb.py:93
        for seed in self.listed[user]:  # M@53eb178:locb.py:95, repeats included
            cluster = self.clusters[seed]
            cluster.S += np.outer(context, context)  # M@53eb178:locb.py:96
            cluster.b += reward * context  # M@53eb178:locb.py:97
            cluster.N += 1  # M@53eb178:locb.py:98
            cluster.compute()  # M@53eb178:locb.py:99-100
        for seed in self.seeds:  # M@53eb178:locb.py:118, repeats included
            if not self.finished[seed]:  # M@53eb178:locb.py:119
                self.move(user, seed, self.clusters[seed])
                if f(self.N[seed]) <= GAMMA / 4:  # M@53eb178:locb.py:139-141
                    self.finished[seed] = True  # M@53eb178:locb.py:142

    def move(self, user: int, seed: int, cluster: Cluster) -> None:
        apart = np.linalg.norm(self.theta[user] - self.theta[seed])  # M@53eb178:locb.py:121, 130
        width = f(self.N[user]) + f(self.N[seed])  # M@53eb178:locb.py:122, 131
        if user in cluster.users and apart > width:  # M@53eb178:locb.py:120-122
            cluster.users.remove(user)  # M@53eb178:locb.py:123
            self.listed[user].remove(seed)  # M@53eb178:locb.py:124, one of its listings
            cluster.S = cluster.S - self.S[user] + np.eye(self.d)  # M@53eb178:locb.py:125
            cluster.b = cluster.b - self.b[user]  # M@53eb178:locb.py:126
            cluster.N = cluster.N - self.N[user]  # M@53eb178:locb.py:127
            self.changes += 1
        elif user not in cluster.users and apart < width:  # M@53eb178:locb.py:129-131
            cluster.users.add(user)  # M@53eb178:locb.py:132
            self.listed[user].append(seed)  # M@53eb178:locb.py:133
            cluster.S = cluster.S + self.S[user] - np.eye(self.d)  # M@53eb178:locb.py:134
            cluster.b = cluster.b + self.b[user]  # M@53eb178:locb.py:135
            cluster.N = cluster.N + self.N[user]  # M@53eb178:locb.py:136
            self.changes += 1
