"""Meta-Ban of 2022, plainly: github.com/banyikun/MCNB, one replica.

January is commit 53eb178 (J), February 5f8fbc2 (F), March 48c4006 (A); lines are J's of ``meta_ban.py``, with A's in
brackets. F's lines are J's but for the group. Rounds are t = 1, 2, ..., and its t, from 0 on,
is t - 1.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain._network import Network, added, due, networks, train
from manybandits.algorithms.plain._twin import Twin


class MetaBan2022(Twin):
    """The whole of it: a network that is adapted to a group, and those of the users, who form it."""

    def begin(self) -> None:
        n, d, self.version = self.problem.users, self.problem.dimension, self.o.get("version", "march")
        self.meta, *self.user = networks(1 + n, d, self.o["width"], self.random)  # J:43-47
        self.stored: list[list[int]] = [[] for _ in self.user]  # J:51-52, as rounds
        self.contexts: list[np.ndarray] = []
        self.rewards: list[np.float32] = []
        self.group: set[int] = set()

    def choose(self, t: int, u: int, items: np.ndarray, arms: np.ndarray) -> int:
        if self.o["user_side"] == 1:  # J:129 [A:119]
            self.meta = self.user[u].copy()  # J:130-131 [A:120-121]
        self.group = {u}  # J:112 [A:101]
        for c in arms if self.version == "february" else arms[-1:]:  # F:110-119; J:111-112 [A:99-101] restart it
            x = c.astype(np.float32)  # J:113
            own = float(self.user[u].value(x))  # J:114
            self.group |= {
                i for i, network in enumerate(self.user) if abs(float(network.value(x)) - own) < self.o["gamma"]
            }  # J:115-118
        places = [place for i in sorted(self.group) for place in self.stored[i]]  # J:75-78
        self.train(self.meta, places, self.o["rate"])  # J:133, 73-106 [A:123, 62-95]; rate: run.py, lr = .0001
        scores = []
        for c in arms:  # J:134
            x = c.astype(np.float32)  # J:135
            width = np.sqrt(added(np.float32(self.o["exploration"]) * self.meta.squares(x)))  # J:138-144
            scores.append(float(self.meta.value(x)) + float(width))  # J:146-147
        return int(np.argmax(scores))  # J:153 [A:143]

    def learn(self, t: int, u: int, item: int, x: np.ndarray, reward: float) -> None:
        place = len(self.rewards)
        self.contexts.append(x.astype(np.float32))
        self.rewards.append(np.float32(reward))
        alone = self.o["user_side"] == 1 and self.version == "march"  # [A:145-146]
        for i in {u} if alone else self.group:  # J:67-70 [A:56-59]
            self.stored[i].append(place)
        if due(t - 1):  # J run.py:105-110
            self.user[u] = self.meta.copy()  # J:160-164
            self.train(self.user[u], self.stored[u], 1e-3)  # J:165-191

    def train(self, network: Network, places: Sequence[int], rate: float) -> None:
        seen = self.contexts, self.rewards
        train(network, places, *seen, self.random.below, most=self.o["steps"], rate=rate, adam=True, again=False)
