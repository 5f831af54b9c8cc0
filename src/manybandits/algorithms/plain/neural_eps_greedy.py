"""Neural epsilon-greedy, plainly: Zhang et al. 2021, section 5, with the network of NeuralTS and no penalty."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain._networks import f
from manybandits.algorithms.plain._neural import Neural


class NeuralEpsGreedy(Neural):
    """The best arm by one network, or any."""

    penalised = False

    def choose(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
        arm = super().choose(t, user, items, contexts)
        return self.random.below(len(contexts)) if self.random.uniform() < self.o["epsilon"] else arm

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        return f(self.net[0].W, contexts).tolist()

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        self.seen.append((0, context, reward))
        if self.due(t):
            self.train(list(range(len(self.seen))))
