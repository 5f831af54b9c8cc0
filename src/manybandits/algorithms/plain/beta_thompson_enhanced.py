"""BetaThompson-enhanced, plainly: Khosravi et al., appendix B."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain._neighbours import attention, score
from manybandits.algorithms.plain.beta_thompson import BetaThompson


class BetaThompsonEnhanced(BetaThompson):
    """Attention weighs how far a draw is from its mean, and the neighbours' score is added."""

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        found = []
        for a, x, weight in zip(items, contexts, attention(self, items), strict=True):  # equation 116
            hits, misses = self.posterior(a)
            mean = hits / (hits + misses)
            found.append(score(self, a, x) + mean + weight * (self.random.beta(hits, misses) - mean))
        return found
