"""SCLUB of 2022, plainly: M is github.com/banyikun/MCNB, one replica.

Rounds are t = 1, 2, ..., and its t, from 0 on, is t - 1. f is sclub.py:95.
"""

from __future__ import annotations

import numpy as np

from manybandits.algorithms.plain._graph import f
from manybandits.algorithms.plain._twin import Twin


class Cluster:
    """A cluster, which may have the very arrays of its user."""

    def __init__(self, users: list[int], S: np.ndarray, b: np.ndarray, N: int, checks: dict[int, bool]) -> None:
        self.users, self.S, self.b, self.N, self.checks = users, S, b, N, checks  # M@53eb178:sclub.py:49-53
        self.compute()  # M@53eb178:sclub.py:55-56
        self.checked = len(users) == sum(checks.values())  # M@53eb178:sclub.py:57

    def compute(self) -> None:
        self.inverse = np.linalg.inv(self.S)  # M@53eb178:sclub.py:20
        self.theta = self.inverse @ self.b  # M@53eb178:sclub.py:21

    def share(self, rounds: int) -> float:
        return np.float64(self.N) / (len(self.users) * rounds)  # M@53eb178:sclub.py:106


class SCLUB2022(Twin):
    """The whole of it."""

    def begin(self) -> None:
        n, self.d = self.problem.users, self.problem.dimension
        self.S = [np.eye(self.d) for _ in range(n)]  # M@53eb178:sclub.py:29
        self.b = [np.zeros(self.d) for _ in range(n)]  # M@53eb178:sclub.py:30
        self.theta = [np.zeros(self.d) for _ in range(n)]  # M@53eb178:sclub.py:32
        self.N = [0] * n  # M@53eb178:sclub.py:34
        first = Cluster(list(range(n)), np.eye(self.d), np.zeros(self.d), 0, dict.fromkeys(range(n), False))
        self.clusters = {0: first}  # M@53eb178:sclub.py:67
        self.number = [0] * n  # M@53eb178:sclub.py:68
        self.splits = self.merges = self.left = 0  # for tests

    def choose(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
        c = self.clusters[self.number[user]]  # M@53eb178:sclub.py:81
        with np.errstate(divide="ignore", invalid="ignore"):  # of its t = 0
            beta = (
                np.sqrt(self.d * np.log(1 + c.N / self.d) + 4 * np.log(t - 1) + np.log(2)) + 1
            )  # M@53eb178:sclub.py:14
        return int(np.argmax([x @ c.theta + beta * (x @ c.inverse @ x) for x in contexts]))  # M@53eb178:sclub.py:17

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        cluster = self.clusters[self.number[user]]  # M@53eb178:sclub.py:87
        self.S[user] += np.outer(context, context)  # M@53eb178:sclub.py:40, in place
        self.b[user] += reward * context  # M@53eb178:sclub.py:41, in place
        self.N[user] += 1  # M@53eb178:sclub.py:42
        self.theta[user] = np.linalg.inv(self.S[user]) @ self.b[user]  # M@53eb178:sclub.py:44
        cluster.S += np.outer(context, context)  # M@53eb178:sclub.py:88, in place
        cluster.b += reward * context  # M@53eb178:sclub.py:89, in place
        cluster.N += 1  # M@53eb178:sclub.py:90
        cluster.compute()  # M@53eb178:sclub.py:92
        with np.errstate(invalid="ignore"):  # the share of a cluster without users is NaN
            self.split(t, user, cluster)  # M@53eb178:run.py:92
            self.merge(t)  # M@53eb178:run.py:93

    def split(self, rounds: int, user: int, cluster: Cluster) -> None:
        cluster.checks[user] = True  # M@53eb178:sclub.py:60
        cluster.checked = len(cluster.users) == sum(cluster.checks.values())  # M@53eb178:sclub.py:61
        rare = abs(self.N[user] / rounds - cluster.share(rounds)) > np.sqrt(2) * f(rounds)  # M@53eb178:sclub.py:111-113
        far = np.linalg.norm(self.theta[user] - cluster.theta)  # M@53eb178:sclub.py:123
        if rare or far > f(self.N[user]) + f(cluster.N):  # M@53eb178:sclub.py:101, 123
            new = min(set(range(len(self.clusters) + 1)) - set(self.clusters))  # M@53eb178:sclub.py:125-132
            own = Cluster([user], self.S[user], self.b[user], self.N[user], {user: True})
            self.clusters[new] = own  # M@53eb178:sclub.py:133; its arrays are the user's
            self.number[user] = new  # M@53eb178:sclub.py:134
            cluster.users.remove(user)  # M@53eb178:sclub.py:136
            cluster.S = cluster.S - self.S[user] + np.eye(self.d)  # M@53eb178:sclub.py:137
            cluster.b = cluster.b - self.b[user]  # M@53eb178:sclub.py:138
            cluster.N = cluster.N - self.N[user]  # M@53eb178:sclub.py:139
            del cluster.checks[user]  # M@53eb178:sclub.py:140
            self.splits, self.left = self.splits + 1, self.left + (not cluster.users)

    def merge(self, rounds: int) -> None:
        last = max(self.clusters)  # M@53eb178:sclub.py:143
        for j in range(last + 1):  # M@53eb178:sclub.py:145
            for k in range(j + 1, last + 1):  # M@53eb178:sclub.py:149
                a, b = self.clusters.get(j), self.clusters.get(k)
                if a is None or b is None or not a.checked or not b.checked:  # M@53eb178:sclub.py:146, 150
                    continue
                near = np.linalg.norm(a.theta - b.theta) < (f(a.N) + f(b.N)) / 2  # M@53eb178:sclub.py:103
                apart = abs(a.share(rounds) - b.share(rounds))  # M@53eb178:sclub.py:153
                if near and apart < np.sqrt(2) * f(rounds) / 2:  # M@53eb178:sclub.py:115
                    for i in b.users:
                        self.number[i] = j  # M@53eb178:sclub.py:155-156
                    a.users = a.users + b.users  # M@53eb178:sclub.py:158
                    a.S = a.S + b.S - np.eye(self.d)  # M@53eb178:sclub.py:159
                    a.b, a.N = a.b + b.b, a.N + b.N  # M@53eb178:sclub.py:160-161
                    a.checks = {**a.checks, **b.checks}  # M@53eb178:sclub.py:162
                    del self.clusters[k]  # M@53eb178:sclub.py:164
                    self.merges += 1
