"""LinUCB-ONE, plainly: Li et al. 2010, Algorithm 1, with one model for all, and the index of CLUB."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain._ridge import Ridge
from manybandits.algorithms.plain._twin import Twin


class LinUCBOne(Twin):
    """One ridge regression for all users."""

    def begin(self) -> None:
        self.one = Ridge(self.problem.dimension, self.o["lambda"])

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        return self.one.bounds(contexts, self.o["alpha"] * math.sqrt(math.log(t + 1)))

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        self.one.add(context, reward)
