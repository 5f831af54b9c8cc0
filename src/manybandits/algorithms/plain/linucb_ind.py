"""LinUCB-IND, plainly: Li et al. 2010, Algorithm 1, with a model per user, and CLUB's index (Gentile et al. 2014)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain._ridge import Ridge
from manybandits.algorithms.plain._twin import Twin


class LinUCBInd(Twin):
    """One ridge regression per user."""

    by_user = True

    def begin(self) -> None:
        self.user = [Ridge(self.problem.dimension, self.o["lambda"]) for _ in range(self.problem.users)]

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        return self.user[user].bounds(contexts, self.o["alpha"] * math.sqrt(math.log(t + 1)))

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        self.user[user].add(context, reward)
