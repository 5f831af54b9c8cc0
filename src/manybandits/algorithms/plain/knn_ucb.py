"""k-NN UCB, plainly: Reeve, Mellor and Brown 2018, Algorithm 1, with at most five neighbours (LNUCB-TA, appendix B)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain._neighbours import Remembering


class KnnUCB(Remembering):
    """The mean of an arm's nearest rewards and its bound, whose k is where the bound is least."""

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        return [self.index(a, x, t) for a, x in zip(items, contexts, strict=True)]

    def index(self, a: int, x: np.ndarray, t: int) -> float:
        if not self.paid[a]:
            return math.inf
        mean, reach, k = self.bounded(a, x, self.o["rho"], t)  # Algorithm 1: k_t(a)
        return mean + math.sqrt(self.o["rho"] * math.log(t) / k) + reach  # Algorithm 1: play the largest I^a
