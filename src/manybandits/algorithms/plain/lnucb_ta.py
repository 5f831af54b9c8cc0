"""LNUCB-TA, plainly: Khosravi et al., "LNUCB-TA: Linear-nonlinear hybrid bandit learning with temporal attention".

Algorithms 1 to 3.
Not here: Algorithm 1, lines 1 to 3, 7 and 10: the input, and loops over rounds and arms; Algorithm 2, lines 1 to 3, 11
and 12: the same; Algorithm 3, lines 1, 2 and 6: the same; Algorithm 2, lines 8 to 10: they say again what lines 5, 6
and 8 of Algorithm 1 do; Algorithm 3, line 5: it says again what line 6 of Algorithm 1 does.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain._neighbours import Remembering, score
from manybandits.algorithms.plain._ridge import Ridge


class LNUCBTA(Remembering):
    """Ridge regression and nearest neighbours of each arm, and an exploration rate that falls with its pulls."""

    def begin(self) -> None:
        super().begin()
        self.arms = [Ridge(self.problem.dimension, self.o["lambda"]) for _ in range(self.problem.items)]
        self.late: dict[int, tuple[np.ndarray, float]] = {}  # with lag, the newest observation of each arm

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        g, found = self.g(), []
        for a, x in zip(items, contexts, strict=True):
            mean = float(self.arms[a].theta @ x)  # Algorithm 1, line 4
            mean += self.f(a, x)  # Algorithm 1, line 5
            found.append(mean + self.rate(a, g) * self.arms[a].squared(x) ** 0.5)  # Algorithm 1, line 6
        return found  # Algorithm 1, line 8: play the largest

    def f(self, a: int, x: np.ndarray) -> float:
        return score(self, a, x) if self.o["neighbours"] == "yes" else 0.0

    def g(self) -> float:
        if self.o["mean"] == "table":
            return self.problem.mean_reward
        if self.o["mean"] == "seen":
            return float(sum(map(sum, self.paid)) / max(sum(map(len, self.paid)), 1))
        return float(np.mean([self.mean(a) for a in range(len(self.paid))]))  # equation 101

    def rate(self, a: int, g: float) -> float:
        if self.o["attention"] == "no":
            return float(self.o["alpha"])
        n, kappa = self.mean(a), self.o["kappa"]  # Algorithm 3, line 3
        level = kappa * g + (1 - kappa) * n
        return float(self.o["alpha"] / (len(self.paid[a]) + 1) * level)  # Algorithm 3, line 4

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        target = reward - (self.f(item, context) if self.o["target"] == "residual" else 0.0)  # equation 18
        new: tuple[np.ndarray, float] | None = (context.copy(), target)
        if self.o["lag"] == "yes":
            new, self.late[item] = self.late.get(item), (context.copy(), target)
        if new:
            self.arms[item].add(*new)  # Algorithm 1, line 9
        super().learn(t, user, item, context, reward)
