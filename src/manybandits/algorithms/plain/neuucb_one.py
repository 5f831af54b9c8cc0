"""NeuUCB-ONE, plainly: Zhou, Li and Gu 2020, Algorithms 1 and 2, with one network for all users."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain._networks import f, flat, g
from manybandits.algorithms.plain._neural import Neural


class NeuUCBOne(Neural):
    """NeuralUCB, whose f and g are those without the factor sqrt(m), so that g g' / m is g g'."""

    def begin(self) -> None:
        super().begin()
        self.m = self.o["width"] if self.o["divisor"] == "width" else 1
        size = len(flat(self.net[0].W))
        full = self.o["covariance"] == "full"
        self.Z = [self.o["lambda"] * (np.eye(size) if full else np.ones(size)) for _ in self.net]  # Z_0 = lambda I

    def of(self, user: int) -> int:
        return 0

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        net = self.net[self.of(user)]
        return [float(f(net.W, x[None])[0]) + self.bonus(user, x) / net.gain for x in contexts]  # U_{t,a}

    def bonus(self, user: int, x: np.ndarray) -> float:
        return float(self.o["alpha"] * self.width(user, x))

    def width(self, user: int, x: np.ndarray) -> float:
        """Return the root of g' Z^-1 g / m."""
        v = self.of(user)
        slope = flat(g(self.net[v].W, x))
        solved = slope / self.Z[v] if self.Z[v].ndim == 1 else np.linalg.solve(self.Z[v], slope)
        return math.sqrt(slope @ solved / self.m)

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        self.add(user, context)
        self.store(t, user, context, reward)

    def add(self, user: int, x: np.ndarray) -> None:
        v = self.of(user)
        slope = flat(g(self.net[v].W, x))
        self.Z[v] = self.Z[v] + (slope**2 if self.Z[v].ndim == 1 else np.outer(slope, slope)) / self.m  # compute Z_t

    def store(self, t: int, user: int, x: np.ndarray, reward: float) -> None:
        self.seen.append((self.of(user), x, reward))
        if self.due(t):
            self.train(self.rounds())  # theta_t = TrainNN

    def rounds(self) -> list[int]:
        return list(range(len(self.seen)))
