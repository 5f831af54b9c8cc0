"""Pooled OLS bandit, plainly: Xu and Bastani 2021, Algorithm 2 with the pooling estimator of section 3.6."""

from __future__ import annotations

import numpy as np

from manybandits.algorithms.plain.averaged_bandit import AveragedBandit


class PooledBandit(AveragedBandit):
    """The averaged OLS bandit with all arrivals at one instance; batch 0 is as long."""

    def begin(self) -> None:
        self.o = {**self.o, "q": self.o["q"] * self.problem.users}
        self.problem = self.problem._replace(users=1)
        super().begin()

    def choose(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
        return super().choose(t, 0, items, contexts)

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        super().learn(t, 0, item, context, reward)
