"""NeuralLinear, plainly: Ban et al. 2024, section 6, after Zahavy and Mannor 2019: CLUB on the last hidden layer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain._networks import inputs_of
from manybandits.algorithms.plain._neural import Neural
from manybandits.algorithms.plain._ridge import Ridge
from manybandits.algorithms.plain.club import CLUB


class NeuralLinear(Neural):
    """One network embeds the arms, and CLUB plays on embeddings."""

    by_user = True
    penalised = False

    def begin(self) -> None:
        super().begin()
        self.club = CLUB(self.problem._replace(dimension=self.o["width"]), self.o, self.random)
        self.served: list[int] = []

    def embed(self, X: np.ndarray) -> np.ndarray:
        return inputs_of(self.net[0].W, X)[-1]  # the last hidden layer

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        return self.club.values(t, user, items, self.embed(contexts))

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        self.seen.append((0, context, reward))
        self.served.append(user)
        self.club.learn(t, user, item, self.embed(context[None])[0], reward)
        if self.due(t):
            self.train(list(range(len(self.seen))))
            if self.o["memory"] == "embedded":  # the linear models learn again from new embeddings
                self.club.user = [Ridge(self.o["width"], self.o["lambda"]) for _ in self.club.user]
                for i, (_, x, r) in zip(self.served, self.seen, strict=True):
                    self.club.user[i].add(self.embed(x[None])[0], r)
