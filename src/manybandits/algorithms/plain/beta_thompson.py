"""BetaThompson, plainly: Chapelle and Li 2011, Algorithm 2."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain._neighbours import Remembering


class BetaThompson(Remembering):
    """A beta posterior of the mean of each arm; rewards are clipped to [0, 1]."""

    def posterior(self, a: int) -> tuple[float, float]:
        alpha, beta = map(float, self.o["prior"].split(":"))  # Algorithm 2: the prior parameters
        return alpha + sum(self.paid[a]), beta + len(self.paid[a]) - sum(self.paid[a])

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        return [self.random.beta(*self.posterior(a)) for a in items]  # Algorithm 2: draw theta_i, play the largest

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        super().learn(t, user, item, context, min(max(reward, 0.0), 1.0))  # Algorithm 2: S_a or F_a grows
