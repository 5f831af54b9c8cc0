"""LinUCB, plainly: Li et al. 2010, Algorithm 1 (disjoint linear models)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain._ridge import Ridge
from manybandits.algorithms.plain._twin import Twin


class LinUCB(Twin):
    """One ridge regression per arm; items are arms."""

    def begin(self) -> None:
        self.arms = [Ridge(self.problem.dimension, self.o["lambda"]) for _ in range(self.problem.items)]

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        return [self.arms[a].bounds(x[None], self.o["alpha"])[0] for a, x in zip(items, contexts, strict=True)]

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        self.arms[item].add(context, reward)
