"""(Lin + k-NN)-UCB, plainly: Khosravi et al., section 5.2, read as the sum of the indices of LinUCB and k-NN UCB."""

from __future__ import annotations

import math

import numpy as np

from manybandits.algorithms.plain._ridge import Ridge
from manybandits.algorithms.plain.knn_ucb import KnnUCB


class LinKnnUCB(KnnUCB):
    """A ridge regression and the nearest rewards of each arm."""

    def begin(self) -> None:
        super().begin()
        self.arms = [Ridge(self.problem.dimension, self.o["lambda"]) for _ in range(self.problem.items)]

    def index(self, a: int, x: np.ndarray, t: int) -> float:
        if not self.paid[a]:
            return math.inf
        alpha = self.o["alpha"]
        mean, reach, k = self.bounded(a, x, alpha, t)
        bound = math.sqrt(alpha * math.log(t) / k) + reach if self.o["bound"] == "both" else 0.0
        return self.arms[a].bounds(x[None], alpha)[0] + mean + bound

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        super().learn(t, user, item, context, reward)
        self.arms[item].add(context, reward)
