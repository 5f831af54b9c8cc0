"""M-CNB of July 2024, plainly: github.com/banyikun/MCNB, commit cf79294 (M), one replica. Rounds t = 0, 1, ..."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain._network import Draw, Network, added, train


class MCNB2024:
    """The whole of it. networks: that of the meta-learner, then those of the users; draw: a number below another."""

    def __init__(self, networks: Sequence[Network], draw: Draw, gamma: float = 0.4) -> None:
        self.meta, *self.user = (network.copy() for network in networks)  # M mcnb.py:35-37
        self.n, self.draw, self.gamma = len(self.user), draw, gamma  # gamma .4: M run.py:50
        self.count = [0] * self.n  # M mcnb.py:32
        self.stored: list[list[int]] = [[] for _ in range(self.n)]  # M mcnb.py:38-39, as rounds
        self.contexts: list[np.ndarray] = []
        self.rewards: list[np.float32] = []

    def choose(self, t: int, u: int, arms: np.ndarray) -> int:
        self.count[u] += 1  # M mcnb.py:104
        scores = []
        for c in arms:  # M mcnb.py:105
            x = c.astype(np.float32)  # M mcnb.py:106
            if t % 10 == 0:  # M mcnb.py:107
                group = self.group(u, x)  # M mcnb.py:108
                places = [place for i in sorted(group) for place in self.stored[i]]  # M mcnb.py:53-55
                self.train(self.meta, places, most=100, rate=1e-2, adam=False, again=True)  # M mcnb.py:109, 47-80
            value = float(self.meta.value(x))  # M mcnb.py:110
            width = math.sqrt(added(np.float32(1e-4) * self.meta.squares(x)))  # M mcnb.py:111-115; nu: run.py:50
            scores.append(value + width + math.sqrt(1 / self.count[u]) * 1e-4)  # M mcnb.py:115
        return int(np.argmax(scores))  # M mcnb.py:117

    def group(self, u: int, x: np.ndarray) -> set[int]:
        own = float(self.user[u].value(x))  # M mcnb.py:85
        near = [i for i in range(self.n) if i == u or abs(float(self.user[i].value(x)) - own) < self.gamma]  # :86-90
        limit = self.n // 5  # M mcnb.py:92
        if len(near) <= limit:
            return set(near)  # M mcnb.py:97-98
        return {u, *[near[self.draw(len(near))] for _ in range(limit)]}  # M mcnb.py:93-96

    def learn(self, t: int, u: int, x: np.ndarray, reward: float) -> None:
        self.stored[u].append(len(self.rewards))  # M mcnb.py:42-44, run.py:94
        self.contexts.append(x.astype(np.float32))
        self.rewards.append(np.float32(reward))
        if (t < 1000 and t % 10 == 0) or (t >= 1000 and t % 100 == 0):  # M run.py:95-100
            everything = range(len(self.rewards))
            self.train(self.meta, everything, most=1000, rate=1e-3, adam=True, again=True)  # M run.py:97, 101
            self.train(self.user[u], self.stored[u], most=500, rate=1e-3, adam=True, again=False)  # M mcnb.py:122-147

    def train(
        self, network: Network, places: Sequence[int], *, most: int, rate: float, adam: bool, again: bool
    ) -> None:
        seen = self.contexts, self.rewards
        train(network, places, *seen, self.draw, most=most, rate=rate, adam=adam, again=again)
