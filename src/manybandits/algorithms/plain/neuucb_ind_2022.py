"""NeuUCB-ONE and -IND, plainly: github.com/banyikun/MCNB, commits 53eb178 to cf79294, one replica.

Lines are those of ``neuucb_one.py`` (O) and ``neuucb_ind.py`` (I). Rounds t = 0, 1, ...
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain._network import Draw, Network, added, train


class NeuUCBIND2022:
    """A network for every user. networks: those of the users; draw: a number below another."""

    ridge, nu = 1.0, 0.01  # lambda and nu: I:22, which run.py leaves as they are

    def __init__(self, networks: Sequence[Network], draw: Draw) -> None:
        self.user, self.draw = [network.copy() for network in networks], draw  # I:39-40, O:35
        self.big = [np.full(len(one.numbers), self.ridge, np.float32) for one in self.user]  # I:42-43, O:39-40
        self.stored: list[list[int]] = [[] for _ in self.user]  # I:46-47, O:36-37, as rounds
        self.contexts: list[np.ndarray] = []
        self.rewards: list[np.float32] = []

    def choose(self, t: int, u: int, arms: np.ndarray) -> int:
        scores, squares = [], []
        for c in arms:  # I:62, O:52
            x = c.astype(np.float32)  # I:63, O:44
            squares.append(self.user[u].squares(x))  # I:66-69, O:54-57
            width = np.sqrt(added(np.float32(self.ridge * self.nu) * squares[-1] / self.big[u]))  # I:71-72, O:59-60
            scores.append(float(self.user[u].value(x)) + float(width))  # I:73, O:63
        arm = int(np.argmax(scores))  # I:80, O:67
        self.big[u] += squares[arm]  # I:81, O:68
        return arm

    def learn(self, t: int, u: int, x: np.ndarray, reward: float) -> None:
        self.stored[u].append(len(self.rewards))  # I:52-54, O:71-73
        self.contexts.append(x.astype(np.float32))
        self.rewards.append(np.float32(reward))
        if (t < 1000 and t % 10 == 0) or (t >= 1000 and t % 100 == 0):  # run.py:85-92
            seen = self.contexts, self.rewards
            train(self.user[u], self.stored[u], *seen, self.draw, most=500, rate=1e-3, adam=False, again=False)


class NeuUCBONE2022(NeuUCBIND2022):
    """One network for all users."""

    ridge, nu = 0.001, 0.1  # run.py:46

    def choose(self, t: int, u: int, arms: np.ndarray) -> int:
        return super().choose(t, 0, arms)

    def learn(self, t: int, u: int, x: np.ndarray, reward: float) -> None:
        super().learn(t, 0, x, reward)
