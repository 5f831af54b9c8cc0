"""LinThompson-enhanced, plainly: Khosravi et al., appendix B."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain._neighbours import Remembering, attention, score
from manybandits.algorithms.plain.linthompson import LinThompson


class LinThompsonEnhanced(LinThompson, Remembering):
    """Attention weighs how far a draw is from its mean, and the neighbours' score is added."""

    def begin(self) -> None:
        LinThompson.begin(self)
        Remembering.begin(self)

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        off = self.o["v"] * attention(self, items) * self.off(items, contexts)  # equation 116
        arms = zip(items, contexts, off, strict=True)
        return [score(self, a, x) + self.of(a).theta @ x + far for a, x, far in arms]

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        LinThompson.learn(self, t, user, item, context, reward)
        Remembering.learn(self, t, user, item, context, reward)
