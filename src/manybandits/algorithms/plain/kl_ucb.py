"""KL-UCB, plainly: Garivier and Cappe 2011, Algorithm 1."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.optimize import brentq

from manybandits.algorithms.plain._neighbours import Remembering

HIGHEST = 1 - 1e-15


def bound(mean: float, most: float) -> float:
    """Return the largest q with kl(mean, q) <= most, of Bernoulli distributions."""
    p = min(max(mean, 0.0), 1.0)

    def gap(q: float) -> float:
        return sum(a * math.log(a / b) for a, b in ((p, q), (1 - p, 1 - q)) if a > 0) - most

    if p >= HIGHEST or gap(HIGHEST) <= 0:
        return HIGHEST
    return float(brentq(gap, p, HIGHEST, xtol=1e-14)) if most > 0 else p


def level(t: int, c: float) -> float:
    """Return ln t + c ln ln t; ln ln t is 0 before t = 3."""
    return math.log(t) + (c * math.log(math.log(t)) if t >= 3 else 0.0)


class KLUCB(Remembering):
    """UCB whose bound is that of the divergence."""

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        return [self.bound(a, t) for a in items]

    def bound(self, a: int, t: int) -> float:
        pulls = len(self.paid[a])
        if not pulls:
            return math.inf  # Algorithm 1: pull each arm once
        return bound(self.mean(a), level(t, self.o["c"]) / pulls)  # Algorithm 1: select the arm that maximises
