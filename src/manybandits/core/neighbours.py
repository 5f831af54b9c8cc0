"""What K arms saw and paid, and which of it is nearest to a context: exact, one observation at a time.

An arm's observations are a list through all of them, the latest first. A question goes through the list once and keeps
the k nearest so far; a distance is given up where it exceeds the k-th. Of equally near ones the latest come first.

Arrays carry the replica axis first; compiled policies see one replica.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit


class Neighbours(NamedTuple):
    """Up to T observations of K arms in each of R replicas."""

    context: np.ndarray  # (R, T, d)
    reward: np.ndarray  # (R, T)
    before: np.ndarray  # (R, T) int32: the observation of the same arm before this one, -1 = none
    last: np.ndarray  # (R, K) int32: the latest observation of an arm, -1 = none
    count: np.ndarray  # type: ignore[assignment]  # (R, K): observations of an arm
    total: np.ndarray  # (R, K): the sum of its rewards, and
    squares: np.ndarray  # (R, K): of their squares


def new_neighbours(replicas: int, arms: int, dimension: int, observations: int) -> Neighbours:
    """Return the memory of arms that saw nothing yet, with room for so many observations."""
    return Neighbours(
        context=np.zeros((replicas, observations, dimension)),
        reward=np.zeros((replicas, observations)),
        before=np.full((replicas, observations), -1, np.int32),
        last=np.full((replicas, arms), -1, np.int32),
        count=np.zeros((replicas, arms), np.int64),
        total=np.zeros((replicas, arms)),
        squares=np.zeros((replicas, arms)),
    )


@njit
def remember(seen: Neighbours, arm: int, x: np.ndarray, reward: float) -> None:
    """Add an observation of an arm. x: (d,)."""
    place = seen.count.sum()
    seen.context[place] = x
    seen.reward[place] = reward
    seen.before[place] = seen.last[arm]
    seen.last[arm] = place
    seen.count[arm] += 1
    seen.total[arm] += reward
    seen.squares[arm] += reward * reward


@njit
def nearest(seen: Neighbours, arm: int, x: np.ndarray, distances: np.ndarray, rewards: np.ndarray) -> int:
    """Fill distances and rewards, (k,), with those of the nearest observations of an arm, the nearest first.

    x: (d,). Returns how many there are: k, or fewer where the arm has fewer observations.
    """
    most, found = len(distances), 0
    place = seen.last[arm]
    while place >= 0:
        limit = distances[most - 1] if found == most else np.inf
        square = 0.0
        for i in range(len(x)):
            gap = x[i] - seen.context[place, i]
            square += gap * gap
            if square >= limit:
                break
        if square < limit:
            found = min(found + 1, most)
            slot = found - 1
            while slot > 0 and distances[slot - 1] > square:
                distances[slot], rewards[slot] = distances[slot - 1], rewards[slot - 1]
                slot -= 1
            distances[slot], rewards[slot] = square, seen.reward[place]
        place = seen.before[place]
    for slot in range(found):
        distances[slot] = np.sqrt(distances[slot])
    return found


@njit
def variance(seen: Neighbours, arm: int) -> float:
    """Return the variance of an arm's rewards, over their number, 0 where there are none."""
    pulls = max(seen.count[arm], 1)
    mean = seen.total[arm] / pulls
    return max(seen.squares[arm] / pulls - mean * mean, 0.0)
