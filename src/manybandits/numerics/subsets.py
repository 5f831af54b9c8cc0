"""Random subsets of the numbers 0, ..., n - 1."""

from __future__ import annotations

import numpy as np


def distinct(choices: np.ndarray, count: int, random: np.random.Generator) -> np.ndarray:
    """Draw `count` different numbers from 0, ..., choices - 1 for every row, (n, count) int64.

    choices: (n,), all at least `count`. Floyd's method, for all rows in lockstep (Bentley and Floyd 1987).
    """
    drawn = np.empty((len(choices), count), np.int64)
    for step in range(count):
        last = choices - count + step
        candidate = (random.random(len(choices)) * (last + 1)).astype(np.int64)
        taken = (drawn[:, :step] == candidate[:, None]).any(axis=1)
        drawn[:, step] = np.where(taken, last, candidate)
    return drawn
