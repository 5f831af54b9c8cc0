"""Counts of close pairs among many points that move, without a table of all pairs.

Each point has a radius. Points j and k are close if |x_j - x_k| < width (r_j + r_k). A point that moves is compared
with all others at the place it leaves and at the one it takes, so that counts take n numbers, and not n x n.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.compiling.parts import part
from manybandits.numerics.vectors import assign, distance


class ClosePairs(NamedTuple):
    """Up to n points and their counts. A point without a place has radius 0, and is close to none."""

    point: np.ndarray  # (n, d)
    radius: np.ndarray  # (n,)
    later: np.ndarray  # (n,): how many points k > j are close to point j
    end: np.ndarray  # (1,): all points that ever had a place have smaller numbers


def new_close_pairs(points: int, dimension: int) -> ClosePairs:
    """Return points without places."""
    later, end = np.zeros(points, np.int64), np.zeros(1, np.int64)
    return ClosePairs(np.zeros((points, dimension)), np.zeros(points), later, end)


@part
def move(pairs: ClosePairs, j: int, point: np.ndarray, radius: float, width: float) -> None:
    """Give point j a place, (d,), and a radius > 0."""
    _count(pairs, j, -1, width)
    assign(pairs.point[j], point)
    pairs.radius[j] = radius
    pairs.end[0] = max(pairs.end[0], j + 1)
    _count(pairs, j, 1, width)


@part
def remove(pairs: ClosePairs, j: int, width: float) -> None:
    """Take the place of point j away."""
    _count(pairs, j, -1, width)
    pairs.radius[j] = 0.0


@part
def are_close(pairs: ClosePairs, j: int, k: int, width: float) -> bool:
    """Return whether two points are close."""
    if pairs.radius[j] == 0.0 or pairs.radius[k] == 0.0:
        return False
    return distance(pairs.point[j], pairs.point[k]) < width * (pairs.radius[j] + pairs.radius[k])


@part(inlined=False)
def _count(pairs: ClosePairs, j: int, change: int, width: float) -> None:
    """Add `change` to the count of every pair of point j and another one that are close."""
    for k in range(pairs.end[0]):
        if k != j and are_close(pairs, j, k, width):
            pairs.later[min(j, k)] += change
