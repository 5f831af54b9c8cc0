"""Epsilon-greedy-enhanced, plainly: Khosravi et al., appendix B."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain._neighbours import attention, score
from manybandits.algorithms.plain.eps_greedy import EpsGreedy


class EpsGreedyEnhanced(EpsGreedy):
    """Attention weighs the arms that are drawn, and the neighbours' score is added to the means."""

    def any(self, items: np.ndarray) -> int:
        cumulated = np.cumsum(attention(self, items))  # equation 116
        return int(np.searchsorted(cumulated[:-1], self.random.uniform(), side="right"))

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        return [score(self, a, x) + self.mean(a) for a, x in zip(items, contexts, strict=True)]
