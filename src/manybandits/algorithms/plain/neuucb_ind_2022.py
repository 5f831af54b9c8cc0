"""NeuUCB-IND of 2022, plainly: github.com/banyikun/MCNB, commits 53eb178 to cf79294, one replica.

Lines are those of ``neuucb_one.py`` (O) and ``neuucb_ind.py`` (I). Rounds are t = 1, 2, ..., and its t, from 0 on, is
t - 1.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from manybandits.algorithms.plain._network import added, due, networks, train
from manybandits.algorithms.plain._twin import Twin


class NeuUCBIND2022(Twin):
    """A network for every user."""

    alone: ClassVar[bool] = True  # whether users share nothing

    def begin(self) -> None:
        o, d, n = self.o, self.problem.dimension, self.problem.users if self.alone else 1
        self.user = networks(n, d, o["width"], self.random)  # I:39-40, O:35
        self.big = [np.full(len(one.numbers), o["ridge"], np.float32) for one in self.user]  # I:42-43, O:39-40
        self.stored: list[list[int]] = [[] for _ in self.user]  # I:46-47, O:36-37, as rounds
        self.contexts: list[np.ndarray] = []
        self.rewards: list[np.float32] = []

    def choose(self, t: int, u: int, items: np.ndarray, arms: np.ndarray) -> int:
        scores, squares = [], []
        for c in arms:  # I:62, O:52
            x = c.astype(np.float32)  # I:63, O:44
            squares.append(self.user[u].squares(x))  # I:66-69, O:54-57
            width = np.sqrt(added(np.float32(self.o["exploration"]) * squares[-1] / self.big[u]))  # I:71-72, O:59-60
            scores.append(float(self.user[u].value(x)) + float(width))  # I:73, O:63
        arm = int(np.argmax(scores))  # I:80, O:67
        self.big[u] += squares[arm]  # I:81, O:68
        return arm

    def learn(self, t: int, u: int, item: int, x: np.ndarray, reward: float) -> None:
        self.stored[u].append(len(self.rewards))  # I:52-54, O:71-73
        self.contexts.append(x.astype(np.float32))
        self.rewards.append(np.float32(reward))
        o = self.o
        if due(t - 1, o["early"], o["until"], o["late"]):  # run.py:85-92
            how = {"most": o["steps"], "rate": o["rate"], "adam": o["optimiser"] == "adam", "again": False}
            train(self.user[u], self.stored[u], self.contexts, self.rewards, self.random.below, **how)
