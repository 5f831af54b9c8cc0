"""M-CNB of July 2024, plainly: github.com/banyikun/MCNB, commit cf79294 (M), one replica.

gamma is 0.4 in M run.py:50, and nu 1e-4. Rounds are t = 1, 2, ..., and its t, from 0 on, is t - 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain._network import Network, added, due, networks, train
from manybandits.algorithms.plain._twin import Twin


class MCNB2024(Twin):
    """The whole of it: a network that is adapted to a group, and those of the users, who form it."""

    def begin(self) -> None:
        self.n, d = self.problem.users, self.problem.dimension
        self.meta, *self.user = networks(1 + self.n, d, self.o["width"], self.random)  # M mcnb.py:35-37
        self.count = [0] * self.n  # M mcnb.py:32
        self.stored: list[list[int]] = [[] for _ in range(self.n)]  # M mcnb.py:38-39, as rounds
        self.contexts: list[np.ndarray] = []
        self.rewards: list[np.float32] = []

    def choose(self, t: int, u: int, items: np.ndarray, arms: np.ndarray) -> int:
        self.count[u] += 1  # M mcnb.py:104
        scores, o = [], self.o
        for c in arms:  # M mcnb.py:105
            x = c.astype(np.float32)  # M mcnb.py:106
            if (t - 1) % 10 == 0:  # M mcnb.py:107
                group = self.group(u, x)  # M mcnb.py:108
                places = [place for i in sorted(group) for place in self.stored[i]]  # M mcnb.py:53-55
                self.train(self.meta, places, o["adaptation"], 1e-2, adam=False, again=True)  # M mcnb.py:109, 47-80
            value = float(self.meta.value(x))  # M mcnb.py:110
            width = math.sqrt(added(np.float32(o["exploration"]) * self.meta.squares(x)))  # M mcnb.py:111-115
            scores.append(value + width + math.sqrt(1 / self.count[u]) * 1e-4)  # M mcnb.py:115
        return int(np.argmax(scores))  # M mcnb.py:117

    def group(self, u: int, x: np.ndarray) -> set[int]:
        said = [float(network.value(x)) for network in self.user]  # M mcnb.py:85-86
        near = [i for i in range(self.n) if i == u or abs(said[i] - said[u]) < self.o["gamma"]]  # M mcnb.py:86-90
        limit = self.n // self.o["share"]  # M mcnb.py:92
        if len(near) <= limit:
            return set(near)  # M mcnb.py:97-98
        return {u, *[near[self.random.below(len(near))] for _ in range(limit)]}  # M mcnb.py:93-96

    def learn(self, t: int, u: int, item: int, x: np.ndarray, reward: float) -> None:
        self.stored[u].append(len(self.rewards))  # M mcnb.py:42-44, run.py:94
        self.contexts.append(x.astype(np.float32))
        self.rewards.append(np.float32(reward))
        if due(t - 1):  # M run.py:95-100
            most, rate = self.o["steps"], self.o["rate"]
            self.train(self.meta, range(len(self.rewards)), most, rate, adam=True, again=True)  # M run.py:97, 101
            self.train(self.user[u], self.stored[u], 500, rate, adam=True, again=False)  # M mcnb.py:122-147

    def train(
        self, network: Network, places: Sequence[int], most: int, rate: float, *, adam: bool, again: bool
    ) -> None:
        seen = self.contexts, self.rewards
        train(network, places, *seen, self.random.below, most=most, rate=rate, adam=adam, again=again)
