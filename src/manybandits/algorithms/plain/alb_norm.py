"""ALB-Norm, plainly: Ghosh, Sankararaman and Ramchandran 2021, appendix 13."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain._oful import AlbNorm
from manybandits.algorithms.plain._twin import Twin


class ALBNorm(Twin):
    """Every agent has its own copy of ALB-Norm."""

    def begin(self) -> None:
        self.agent = [AlbNorm(self.problem.dimension, self.o) for _ in range(self.problem.users)]

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        return self.agent[user].indices(contexts)

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        self.agent[user].add(context, reward)
