"""The oracle of the clusters, plainly: a reference of ours, which knows which agents are alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain._oful import Oful
from manybandits.algorithms.plain._twin import Twin
from manybandits.base.exceptions import InputError


class ClusterOracle(Twin):
    """One OFUL for each true cluster."""

    def begin(self) -> None:
        truth = self.problem.truth
        if truth is None or (truth.cluster < 0).any():
            raise InputError("the agents of this game have no clusters that an oracle could know: leave it out.")
        self.cluster, self.together = truth.cluster.tolist(), self.o["acting"] == "together"
        size = {j: self.cluster.count(j) if self.together else 1 for j in set(self.cluster)}
        self.oful = {j: Oful(self.problem.dimension, self.o, size[j]) for j in size}
        self.acted: dict[int, list[float]] = {j: [] for j in size}  # rewards of those who acted in this round
        self.size, self.played = size, dict[int, int]()

    def choose(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
        j = self.cluster[user]
        if not self.acted[j]:
            self.played[j] = super().choose(t, user, items, contexts)
        return self.played[j]

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        return self.oful[self.cluster[user]].indices(contexts)

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        j = self.cluster[user]
        self.acted[j].append(reward)
        if len(self.acted[j]) == self.size[j]:
            self.oful[j].add(context, float(np.mean(self.acted[j])))
            self.acted[j] = []
