"""Meta-Ban of 2022, plainly: github.com/banyikun/MCNB, one replica. Rounds t = 0, 1, ...

January is commit 53eb178 (J), February 5f8fbc2 (F), March 48c4006 (A); lines are J's of ``meta_ban.py``, with A's in
brackets. F's lines are J's but for the group.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain._network import Draw, Network, added, train


class MetaBan2022:
    """The whole of it. networks: that of the meta-learner, then those of the users; draw: a number below another."""

    def __init__(
        self,
        networks: Sequence[Network],
        draw: Draw,
        version: str,
        gamma: float = 0.32,
        user_side: int = 0,
        most: int = 1000,
    ) -> None:
        self.meta, *self.user = (network.copy() for network in networks)  # J:43-47
        self.draw, self.version, self.gamma, self.user_side, self.most = draw, version, gamma, user_side, most
        self.stored: list[list[int]] = [[] for _ in self.user]  # J:51-52, as rounds
        self.contexts: list[np.ndarray] = []
        self.rewards: list[np.float32] = []
        self.group: set[int] = set()

    def choose(self, t: int, u: int, arms: np.ndarray) -> int:
        if self.user_side == 1:  # J:129 [A:119]
            self.meta = self.user[u].copy()  # J:130-131 [A:120-121]
        self.group = {u}  # J:112 [A:101]
        for c in arms if self.version == "february" else arms[-1:]:  # F:110-119; J:111-112 [A:99-101] restart it
            x = c.astype(np.float32)  # J:113
            own = float(self.user[u].value(x))  # J:114
            self.group |= {
                i for i, network in enumerate(self.user) if abs(float(network.value(x)) - own) < self.gamma
            }  # J:115-118
        places = [place for i in sorted(self.group) for place in self.stored[i]]  # J:75-78
        self.train(self.meta, places, 1e-4)  # J:133, 73-106 [A:123, 62-95]; rate: run.py, lr = .0001
        scores = []
        for c in arms:  # J:134
            x = c.astype(np.float32)  # J:135
            width = np.sqrt(added(np.float32(0.001 * 0.01) * self.meta.squares(x)))  # J:138-144
            scores.append(float(self.meta.value(x)) + float(width))  # J:146-147
        return int(np.argmax(scores))  # J:153 [A:143]

    def learn(self, t: int, u: int, x: np.ndarray, reward: float) -> None:
        place = len(self.rewards)
        self.contexts.append(x.astype(np.float32))
        self.rewards.append(np.float32(reward))
        alone = self.user_side == 1 and self.version == "march"  # [A:145-146]
        for i in {u} if alone else self.group:  # J:67-70 [A:56-59]
            self.stored[i].append(place)
        if (t < 1000 and t % 10 == 0) or (t >= 1000 and t % 100 == 0):  # J run.py:105-110
            self.user[u] = self.meta.copy()  # J:160-164
            self.train(self.user[u], self.stored[u], 1e-3)  # J:165-191

    def train(self, network: Network, places: Sequence[int], rate: float) -> None:
        seen = self.contexts, self.rewards
        train(network, places, *seen, self.draw, most=self.most, rate=rate, adam=True, again=False)
