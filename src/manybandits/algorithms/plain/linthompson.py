"""LinThompson, plainly: Agrawal and Goyal 2013, Algorithm 1, which has one model and the identity in B."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain._ridge import Ridge
from manybandits.algorithms.plain._twin import Twin


class LinThompson(Twin):
    """One ridge regression for all arms, or with model=arm one per arm."""

    def begin(self) -> None:
        self.models = 1 if self.o["model"] == "one" else self.problem.items
        self.model = [Ridge(self.problem.dimension, self.o["lambda"]) for _ in range(self.models)]

    def of(self, item: int) -> Ridge:
        return self.model[item if self.models > 1 else 0]

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        off = self.off(items, contexts)
        return [self.of(a).theta @ x + self.o["v"] * e for a, x, e in zip(items, contexts, off, strict=True)]

    def off(self, items: np.ndarray, contexts: np.ndarray) -> list[float]:
        """Return x' (theta~ - theta) for each context x, theta~ drawn from N(theta, B^-1)."""
        if self.models == 1:
            drawn = [self.random.normal() for _ in range(self.problem.dimension)]
            theta = np.linalg.solve(np.linalg.cholesky(self.model[0].M).T, drawn)  # Algorithm 1: sample theta~
            return [float(theta @ x) for x in contexts]
        return [math.sqrt(self.of(a).squared(x)) * self.random.normal() for a, x in zip(items, contexts, strict=True)]

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        self.of(item).add(context, reward)  # Algorithm 1: update B, f and mu
