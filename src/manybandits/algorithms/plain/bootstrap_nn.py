"""BootstrapNN, plainly: Zhang et al. 2021, section 5, after Riquelme, Tucker and Snoek 2018."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain._networks import f
from manybandits.algorithms.plain._neural import Neural


class BootstrapNN(Neural):
    """Networks with observations of their own, one of which chooses the arm."""

    penalised = False

    def begin(self) -> None:
        super().begin()
        self.kept: list[list[tuple[np.ndarray, float]]] = [[] for _ in self.net]

    def networks(self) -> int:
        return int(self.o["networks"])

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        return f(self.net[self.random.below(len(self.net))].W, contexts).tolist()  # one of them, drawn uniformly

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        for kept in self.kept:  # each stores the observation with a probability; all store the first one
            if self.random.uniform() < self.o["keep"] or t == 1:
                kept.append((context, reward))
        if self.due(t):
            drawn = [self.drawn(list(range(len(kept)))) for kept in self.kept]
            for net, kept, batches in zip(self.net, self.kept, drawn, strict=True):
                net.train([[kept[p] for p in batch] for batch in batches], [self.o["batch"]] * len(batches), len(kept))
