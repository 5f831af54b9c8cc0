"""k-NN KL-UCB, plainly: Reeve, Mellor and Brown 2018, Algorithm 2, with the c of KL-UCB."""

from __future__ import annotations

import math

import numpy as np

from manybandits.algorithms.plain.kl_ucb import bound, level
from manybandits.algorithms.plain.knn_ucb import KnnUCB


class KnnKLUCB(KnnUCB):
    """k-NN UCB with the bound of the divergence."""

    def index(self, a: int, x: np.ndarray, t: int) -> float:
        if not self.paid[a]:
            return math.inf
        mean, reach, k = self.bounded(a, x, self.o["rho"], t)  # Algorithm 2: k_t(a)
        most = level(t, self.o["c"]) + (self.o["rho"] - 1) * math.log(t)
        return bound(mean, most / k) + reach  # Algorithm 2: play the largest
