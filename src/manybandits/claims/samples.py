"""Samples of a measure, and the exception for claims that cannot be judged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


class Untestable(Exception):
    """A claim cannot be judged on the available results; the message is the reason."""


@dataclass(frozen=True)
class Sample:
    """The values of a measure of one run on one game.

    values: (n,), one per seed; or (1,), one value of all seeds together, if `seeds` is empty.
    """

    name: str
    game: str
    values: np.ndarray
    seeds: tuple[int, ...] = ()

    def paired(self, other: Sample) -> tuple[np.ndarray, np.ndarray]:
        """Return the values of both samples on their common seeds, (m,) each; raise Untestable if there are none."""
        if not self.seeds or not other.seeds:
            return self.values[:1], other.values[:1]
        common = sorted(set(self.seeds) & set(other.seeds))
        if not common:
            raise Untestable(f"{self.name} and {other.name} have no seed in common")
        first, second = (dict(zip(one.seeds, one.values, strict=True)) for one in (self, other))
        return np.array([first[seed] for seed in common]), np.array([second[seed] for seed in common])
