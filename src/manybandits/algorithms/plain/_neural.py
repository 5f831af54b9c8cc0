"""What twins with networks that are trained on a schedule share."""

from __future__ import annotations

import numpy as np

from manybandits.algorithms.plain._networks import Network, plain_weights, symmetric_weights
from manybandits.algorithms.plain._twin import Twin


class Neural(Twin):
    """Some networks, the observations so far, and trainings on random ones of them."""

    penalised = True  # whether scaled networks have a penalty

    def begin(self) -> None:
        o, draw = self.o, symmetric_weights if self.o.get("network") == "scaled" else plain_weights
        weights = draw(self.random, self.networks(), self.dimension(), o["width"], o["layers"])
        lam = o["lambda"] if self.penalised else 0.0
        self.net = [Network(W, o, lam) for W in weights]
        self.seen: list[tuple[int, np.ndarray, float]] = []  # the network of an observation, context and reward

    def networks(self) -> int:
        """Return how many networks there are."""
        return 1

    def dimension(self) -> int:
        """Return how many numbers a network takes."""
        return self.problem.dimension

    def due(self, t: int) -> bool:
        """Return whether networks are trained after round t."""
        return t % (self.o["early"] if t <= self.o["until"] else self.o["late"]) == 0

    def drawn(self, rounds: list[int]) -> list[list[int]]:
        """Return the observations of each step of a training, drawn from some; with batch=0 all of them."""
        steps, batch = self.o["steps"], self.o["batch"]
        if not batch:
            return [rounds] * steps
        return [[rounds[self.random.below(len(rounds))] for _ in range(batch)] for _ in range(steps)]

    def train(self, rounds: list[int]) -> None:
        """Train each network on those of the observations drawn that are its own."""
        batches = self.drawn(rounds)
        for v, net in enumerate(self.net):
            own = [[self.seen[p][1:] for p in batch if self.seen[p][0] == v] for batch in batches]
            net.train(own, [len(batch) for batch in batches], sum(u == v for u, _, _ in self.seen))
