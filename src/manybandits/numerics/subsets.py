"""Random subsets of the numbers 0, ..., n - 1."""

from __future__ import annotations

import numpy as np


def distinct(choices: np.ndarray, count: int, random: np.random.Generator) -> np.ndarray:
    """Draw `count` different numbers from 0, ..., choices - 1 for every row, (n, count) int64.

    choices: (n,), all at least `count`. Floyd's method, for all rows in lockstep (Bentley and Floyd 1987). A table says
    which numbers a row has drawn, so that time is proportional to `count`, and not to its square.
    """
    drawn = np.empty((len(choices), count), np.int64)
    rows, has = np.arange(len(choices)), np.zeros((len(choices), int(choices.max(initial=0))), np.bool_)
    for step in range(count):
        last = choices - count + step
        candidate = (random.random(len(choices)) * (last + 1)).astype(np.int64)
        number = np.where(has[rows, candidate], last, candidate)
        drawn[:, step] = number
        has[rows, number] = True
    return drawn
