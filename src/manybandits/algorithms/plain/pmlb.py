"""PMLB, plainly: Ghosh, Sankararaman and Ramchandran 2021, Algorithm 4.

Not here: Algorithm 4, lines 1, 6, 8, 13 and 14: the input, and loops.
"""

from __future__ import annotations

import math

import numpy as np

from manybandits.algorithms.plain._oful import AlbNorm, Oful
from manybandits.algorithms.plain._twin import Twin


class PMLB(Twin):
    """All agents learn their average together, and then each its difference from it."""

    def begin(self) -> None:
        N, d, o = self.problem.users, self.problem.dimension, self.o
        lam = o["lambda"] / N if o["common_ridge"] == "share" else o["lambda"]
        known = N if o["averaged"] == "aware" else 1
        self.common = Oful(d, {**o, "lambda": lam}, known)  # Algorithm 4, line 2
        self.rounds, self.theta = math.isqrt(self.problem.horizon), np.zeros(d)
        kind = AlbNorm if o["personal"] == "alb-norm" else Oful
        self.agent: list[AlbNorm | Oful] = [kind(d, o) for _ in range(N)]  # Algorithm 4, line 9

    def choose_all(self, t: int, contexts: np.ndarray) -> np.ndarray:
        """Return the arm of each agent, (N,). contexts: (K, d), the same for all."""
        if t <= self.rounds:  # Algorithm 4, line 3
            arm = self.random.best(self.common.indices(contexts))
            return np.full(len(self.agent), arm)  # Algorithm 4, line 4
        own = contexts @ self.theta if self.o["index"] == "sum" else np.zeros(len(contexts))
        indices = [own + one.indices(contexts) for one in self.agent]
        return np.array([self.random.best(row.tolist()) for row in indices])  # Algorithm 4, line 11

    def learn_all(self, t: int, contexts: np.ndarray, arms: np.ndarray, rewards: np.ndarray) -> None:
        """Learn from the rewards, (N,), of the arms played, (N,)."""
        if t <= self.rounds:
            self.common.add(contexts[arms[0]], float(rewards.mean()))  # Algorithm 4, line 5
            self.theta = self.common.theta  # Algorithm 4, line 7
            return
        for one, arm, reward in zip(self.agent, arms, rewards, strict=True):  # Algorithm 4, line 10
            one.add(contexts[arm], float(reward - contexts[arm] @ self.theta))  # Algorithm 4, line 12
