"""Ridge regression by its definition."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from manybandits.base.exceptions import InputError

LONGEST = 800
"""The most numbers of a context: a matrix of 7,840 x 7,840 would have to be inverted in each round."""


class Ridge:
    """M = lambda I + sum of x x', b = sum of r x, and T, how many."""

    def __init__(self, dimension: int, lam: float) -> None:
        if dimension > LONGEST:
            raise InputError(
                f"contexts of {dimension} numbers are too long for a plain ridge regression, whose limit is {LONGEST}: "
                "play the fast form, without plain/, or a game with shorter contexts."
            )
        self.M, self.b, self.T = lam * np.eye(dimension), np.zeros(dimension), 0

    def add(self, x: np.ndarray, r: float) -> None:
        """Learn from the reward r at x, (d,)."""
        self.M, self.b, self.T = self.M + np.outer(x, x), self.b + r * x, self.T + 1

    @property
    def theta(self) -> np.ndarray:
        """The estimate, (d,)."""
        return np.linalg.solve(self.M, self.b)

    def squared(self, x: np.ndarray) -> float:
        """Return x' M^-1 x."""
        return float(x @ np.linalg.solve(self.M, x))

    def bounds(self, contexts: np.ndarray, factor: float) -> list[float]:
        """Return theta' x + factor sqrt(x' M^-1 x) for the rows x of contexts, (K, d)."""
        theta = self.theta
        return [float(theta @ x) + factor * math.sqrt(self.squared(x)) for x in contexts]


def pooled(members: Iterable[Ridge], dimension: int, lam: float) -> Ridge:
    """Return the regression on the data of all members."""
    whole = Ridge(dimension, lam)
    for one in members:
        merge(whole, one, 1, lam)
    return whole


def merge(whole: Ridge, one: Ridge, sign: int, lam: float) -> None:
    """Add the data of a regression to those of another one, or take them away with sign -1."""
    whole.M = whole.M + sign * (one.M - lam * np.eye(len(one.b)))
    whole.b, whole.T = whole.b + sign * one.b, whole.T + sign * one.T
