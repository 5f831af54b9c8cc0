"""Random, plainly: the level of chance in figures."""

from __future__ import annotations

import numpy as np

from manybandits.algorithms.plain._twin import Twin


class Random(Twin):
    """Any arm, with equal probability."""

    def choose(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
        return self.random.below(len(contexts))
