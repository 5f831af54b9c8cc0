"""CLUB of 2022, plainly: M is github.com/banyikun/MCNB, one replica.

Rounds are t = 1, 2, ..., and its t, from 0 on, is t - 1. f is club.py:92-93.
"""

from __future__ import annotations

import numpy as np

from manybandits.algorithms.plain._graph import complete, component, f
from manybandits.algorithms.plain._twin import Twin


class CLUB2022(Twin):
    """The whole of it."""

    def begin(self) -> None:
        n, self.d = self.problem.users, self.problem.dimension
        self.S = [np.eye(self.d) for _ in range(n)]  # M@53eb178:club.py:35
        self.b = [np.zeros(self.d) for _ in range(n)]  # M@53eb178:club.py:36
        self.theta = [np.zeros(self.d) for _ in range(n)]  # M@53eb178:club.py:38
        self.N = [0] * n  # M@53eb178:club.py:40
        self.G = complete(n)  # M@53eb178:club.py:69
        self.cluster = dict.fromkeys(range(n), 0)  # M@53eb178:club.py:71
        self.sums = {0: (np.eye(self.d), np.zeros(self.d), 0)}  # M@53eb178:club.py:70

    def choose(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
        S, b, N = self.sums[self.cluster[user]]  # M@53eb178:club.py:76
        inverse = np.linalg.inv(S)  # M@53eb178:club.py:26
        theta = inverse @ b  # M@53eb178:club.py:27
        with np.errstate(divide="ignore", invalid="ignore"):  # of its t = 0
            beta = np.sqrt(self.d * np.log(1 + N / self.d) + 4 * np.log(t - 1) + np.log(2)) + 1  # M@53eb178:club.py:20
        return int(np.argmax([x @ theta + beta * (x @ inverse @ x) for x in contexts]))  # M@53eb178:club.py:23

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        self.S[user] += np.outer(context, context)  # M@53eb178:club.py:46
        self.b[user] += reward * context  # M@53eb178:club.py:47
        self.N[user] += 1  # M@53eb178:club.py:48
        self.theta[user] = np.linalg.inv(self.S[user]) @ self.b[user]  # M@53eb178:club.py:50
        c = self.cluster[user]  # M@53eb178:club.py:82
        S, b, N = self.sums[c]
        self.sums[c] = S + np.outer(context, context), b + reward * context, N + 1  # M@53eb178:club.py:83-85
        cut = [j for j in self.G[user] if self.is_cut(user, j)]  # M@53eb178:club.py:101-103
        for j in cut:
            self.G[user].remove(j)  # M@53eb178:club.py:104
            self.G[j].remove(user)
        rest = {j for j in self.cluster if self.cluster[j] == c}  # M@53eb178:club.py:112
        part = component(self.G, user)  # M@53eb178:club.py:110
        if cut and len(part) < len(rest):  # M@53eb178:club.py:108, 111
            self.sums[c] = self.pooled(part)  # M@53eb178:club.py:113
            rest -= part  # M@53eb178:club.py:115
            c = max(self.sums) + 1  # M@53eb178:club.py:116
            while rest:  # M@53eb178:club.py:117
                part = component(self.G, min(rest))  # M@53eb178:club.py:118-119; drawn there, which only names clusters
                self.sums[c] = self.pooled(part)  # M@53eb178:club.py:121
                self.cluster |= dict.fromkeys(part, c)  # M@53eb178:club.py:122-123
                c += 1  # M@53eb178:club.py:125
                rest -= part  # M@53eb178:club.py:126

    def is_cut(self, i: int, j: int) -> bool:
        apart = np.linalg.norm(self.theta[i] - self.theta[j])
        return bool(self.N[i] and self.N[j] and apart > f(self.N[i]) + f(self.N[j]))  # M@53eb178:club.py:94, 103

    def pooled(self, part: set[int]) -> tuple[np.ndarray, np.ndarray, int]:
        identity = np.eye(self.d)
        S = sum((self.S[k] - identity for k in part), start=identity)  # M@53eb178:club.py:113
        return S, sum((self.b[k] for k in part), start=np.zeros(self.d)), sum(self.N[k] for k in part)
