"""UCB, plainly: Auer, Cesa-Bianchi and Fischer 2002, Figure 1 (UCB1), with rho for 2."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain._neighbours import Remembering


class UCB(Remembering):
    """The arm with the largest upper confidence bound on its mean."""

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        return [self.bound(a, t) for a in items]

    def bound(self, a: int, t: int) -> float:
        pulls = len(self.paid[a])
        if not pulls:
            return math.inf  # Initialization: play each machine once
        return self.mean(a) + math.sqrt(self.o["rho"] * math.log(t) / pulls)  # Loop: play the machine that maximises
