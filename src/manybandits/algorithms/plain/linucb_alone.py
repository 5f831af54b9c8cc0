"""LinUCB-Ind, plainly: Ghosh, Sankararaman and Ramchandran 2021, section 6.1."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain._oful import Oful
from manybandits.algorithms.plain._twin import Twin


class LinUCBAlone(Twin):
    """Every agent has its own copy of OFUL."""

    def begin(self) -> None:
        self.agent = [Oful(self.problem.dimension, self.o) for _ in range(self.problem.users)]

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        return self.agent[user].indices(contexts)

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        self.agent[user].add(context, reward)
