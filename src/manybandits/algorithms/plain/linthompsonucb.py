"""LinThompsonUCB, plainly: Zhang 2019, as LNUCB-TA section 1 describes it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain.linucb import LinUCB


class LinThompsonUCB(LinUCB):
    """LinUCB around a draw from the posterior of each arm, whose deviation is v times the width."""

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        alpha, v = self.o["alpha"], self.o["v"]
        arms = zip(items, contexts, strict=True)
        return [self.arms[a].bounds(x[None], alpha + v * self.random.normal())[0] for a, x in arms]
