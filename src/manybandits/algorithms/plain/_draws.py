"""The random numbers of a twin, in the order in which the fast form draws them: SplitMix64, in Python's integers."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from manybandits.base.seeds import generator

MASK = (1 << 64) - 1
TIE = 1e-9
"""Indices closer than this are a tie, so that rounding errors do not choose an arm."""


class Random:
    """The stream of one replica. word: (1,) uint64, its first state."""

    def __init__(self, word: np.ndarray) -> None:
        self.state = int(word[0])

    def before(self) -> np.random.Generator:
        """Return a stream for what is drawn before the first round, which does not advance this one."""
        return generator(np.array([self.state], np.uint64))

    def uniform(self) -> float:
        """Draw from [0, 1) (Steele, Lea and Flood 2014)."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        word = self.state
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
        return ((word ^ (word >> 31)) >> 11) / 2**53

    def below(self, n: int) -> int:
        """Draw one of 0, ..., n - 1."""
        return int(self.uniform() * n)

    def best(self, values: Sequence[float]) -> int:
        """Return the place of the largest value; ties are broken at random."""
        top = max(values)
        tied = [place for place, value in enumerate(values) if value >= top - TIE]
        return tied[self.below(len(tied))] if len(tied) > 1 else tied[0]

    def normal(self) -> float:
        """Draw from the standard normal distribution (Box and Muller 1958)."""
        radius = math.sqrt(-2 * math.log(1 - self.uniform()))
        return radius * math.cos(2 * math.pi * self.uniform())

    def gamma(self, shape: float) -> float:
        """Draw from the gamma distribution with scale 1 (Marsaglia and Tsang 2000)."""
        boost = 1.0
        if shape < 1:
            boost, shape = (1 - self.uniform()) ** (1 / shape), shape + 1
        d = shape - 1 / 3
        while True:
            x = self.normal()
            v = (1 + x / math.sqrt(9 * d)) ** 3
            if v > 0 and math.log(1 - self.uniform()) < x * x / 2 + d - d * v + d * math.log(v):
                return float(boost * d * v)

    def beta(self, a: float, b: float) -> float:
        """Draw from the beta distribution."""
        x = self.gamma(a)
        return x / (x + self.gamma(b))
