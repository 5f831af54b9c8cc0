"""Epsilon-greedy, plainly: Sutton and Barto 1998, section 2.2."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain._neighbours import Remembering


class EpsGreedy(Remembering):
    """The arm with the largest mean reward, or any."""

    def choose(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
        if self.random.uniform() < self.o["epsilon"]:
            return self.any(items)
        return super().choose(t, user, items, contexts)

    def any(self, items: np.ndarray) -> int:
        return self.random.below(len(items))

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        return [self.mean(a) for a in items]
