"""OFUL, as the multi-agent algorithms play it: Abbasi-Yadkori, Pal and Szepesvari 2011, Theorem 2."""

from __future__ import annotations

import math

import numpy as np

from manybandits.algorithms.contract import Options
from manybandits.algorithms.plain._ridge import Ridge


class Oful(Ridge):
    """A ridge regression, and a confidence set around its estimate.

    o: the options of OFUL; averaged: of how many rewards each reward is known to be the average.
    """

    def __init__(self, dimension: int, o: Options, averaged: float = 1.0) -> None:
        super().__init__(dimension, o["lambda"])
        self.o, self.sigma = o, o["noise_scale"] / math.sqrt(averaged)

    def radius(self) -> float:
        """Return the radius of the set, for contexts of length 1 (Theorem 2)."""
        lam, d = self.o["lambda"], len(self.b)
        spread = math.sqrt(d * math.log((1 + self.T / lam) / self.o["delta"]))
        return float(self.o["width"] * (self.sigma * spread + math.sqrt(lam) * self.o["norm"]))

    def least(self) -> float:
        """Return the least eigenvalue of M."""
        return float(np.linalg.eigvalsh(self.M)[0])

    def indices(self, contexts: np.ndarray) -> list[float]:
        """Return the largest reward of each context for a vector of the set. contexts: (K, d)."""
        if self.o["region"] == "ball":  # the multi-agent paper, footnote 1
            return [self.theta @ x + self.radius() / math.sqrt(self.least()) * np.linalg.norm(x) for x in contexts]
        return self.bounds(contexts, self.radius())


class AlbNorm:
    """OFUL in epochs, each twice as long, and a bound b on the length of the vector (Ghosh et al., appendix 13)."""

    def __init__(self, dimension: int, o: Options) -> None:
        self.dimension, self.o, self.delta, self.b, self.E = dimension, o, o["delta"], o["norm"], o["first_epoch"]
        self.start()

    def start(self) -> None:
        """Begin an epoch: a new OFUL, whose S, or the factor of whose radius, is b."""
        bound = {"norm": self.b} if self.o["bound"] == "norm" else {"norm": 1.0, "width": self.o["width"] * self.b}
        self.oful = Oful(self.dimension, {**self.o, **bound, "delta": self.delta})

    def indices(self, contexts: np.ndarray) -> list[float]:
        """Return the indices of the OFUL of this epoch. contexts: (K, d)."""
        return self.oful.indices(contexts)

    def add(self, x: np.ndarray, r: float) -> None:
        """Learn from the reward r at x, (d,); after E of them refine the bound by the longest vector of the set."""
        self.oful.add(x, r)
        if self.oful.T == self.E:
            longest = np.linalg.norm(self.oful.theta) + self.oful.radius() / math.sqrt(self.oful.least())
            self.b, self.delta, self.E = min(self.b, float(longest)), self.delta / 2, 2 * self.E
            self.start()
