"""k-NN epsilon-greedy, plainly: Madhawa and Murata 2019, "Method"."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain.eps_greedy import EpsGreedy


class KnnEpsGreedy(EpsGreedy):
    """Epsilon-greedy with the mean of an arm's nearest rewards."""

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        near = [self.nearest(a, x, self.o["most"])[1] for a, x in zip(items, contexts, strict=True)]
        return [float(np.mean(rewards)) if len(rewards) else 0.0 for rewards in near]
