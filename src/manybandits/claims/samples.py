"""Samples: a measure of one run on one game, and what makes a claim untestable."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


class Untestable(Exception):
    """A claim cannot be judged on what there is; the message says why."""


@dataclass(frozen=True)
class Sample:
    """A measure of one run on one game. values: (n,), of the seeds, or one number of all if there are none."""

    name: str
    game: str
    values: np.ndarray
    seeds: tuple[int, ...] = ()

    def paired(self, other: Sample) -> tuple[np.ndarray, np.ndarray]:
        """Return the values of both on their common seeds; Untestable where there are none."""
        if not self.seeds or not other.seeds:
            return self.values[:1], other.values[:1]
        common = sorted(set(self.seeds) & set(other.seeds))
        if not common:
            raise Untestable(f"{self.name} and {other.name} have no seed in common")
        first, second = (dict(zip(one.seeds, one.values, strict=True)) for one in (self, other))
        return np.array([first[seed] for seed in common]), np.array([second[seed] for seed in common])
