"""What K arms saw and paid, and which of it is nearest to a context: exact, one observation at a time.

An arm's observations are a list through all of them, the latest first. A question goes through the list once and keeps
the k nearest so far; a distance is given up where it exceeds the k-th. Of equally near ones the latest come first.

Block contexts that are not written out stand in the log of their replica, see `manybandits.core.long_ridge`, and
|x - y|^2 = |x|^2 + |y|^2 - 2 x'y, with the inner products that ridge regressions of the same policy use, too.

Arrays carry the replica axis first; compiled policies see one replica.
"""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np
from numba import njit

from manybandits.core.forms import NAMED, also
from manybandits.core.lanes import LANES, add_product, add_scaled, load, sum_lanes, zeros
from manybandits.core.long_ridge import Log, enter, product_with, squared_length

STRIDE = 4 * LANES
"""Features between two looks at the limit of a distance."""


class Neighbours(NamedTuple):
    """Up to T observations of K arms in each of R replicas."""

    context: np.ndarray  # (R, T, d)
    reward: np.ndarray  # (R, T)
    before: np.ndarray  # (R, T) int32: the observation of the same arm before this one, -1 = none
    last: np.ndarray  # (R, K) int32: the latest observation of an arm, -1 = none
    count: np.ndarray  # type: ignore[assignment]  # (R, K): observations of an arm
    total: np.ndarray  # (R, K): the sum of its rewards, and
    squares: np.ndarray  # (R, K): of their squares


class LongNeighbours(NamedTuple):
    """The same of block contexts that are not written out: an observation is the number of its round."""

    log: Log
    before: np.ndarray  # (R, T) int32
    last: np.ndarray  # (R, K) int32
    count: np.ndarray  # type: ignore[assignment]  # (R, K)
    total: np.ndarray  # (R, K)
    squares: np.ndarray  # (R, K)


NAMED[Neighbours] = LongNeighbours


def new_neighbours(replicas: int, arms: int, dimension: int, observations: int, log: Log | None = None) -> Neighbours:
    """Return the memory of arms that saw nothing yet, with room for so many observations.

    log: of block contexts that are not written out; their memory is a `LongNeighbours`.
    """
    before, last = np.full((replicas, observations), -1, np.int32), np.full((replicas, arms), -1, np.int32)
    count, total, squares = np.zeros((replicas, arms), np.int64), np.zeros((replicas, arms)), np.zeros((replicas, arms))
    if log is not None:
        return cast(Neighbours, LongNeighbours(log, before, last, count, total, squares))
    context, reward = np.zeros((replicas, observations, dimension)), np.zeros((replicas, observations))
    return Neighbours(context, reward, before, last, count, total, squares)


@njit
def link(seen: Neighbours | LongNeighbours, arm: int, place: int, reward: float) -> None:
    """Make an observation the latest of an arm."""
    seen.before[place] = seen.last[arm]
    seen.last[arm] = place
    seen.count[arm] += 1
    seen.total[arm] += reward
    seen.squares[arm] += reward * reward


@njit
def insert(square: float, reward: float, found: int, distances: np.ndarray, rewards: np.ndarray) -> int:
    """Put an observation behind the nearer ones and those as near, and return how many there are now.

    distances, rewards: (k,), of squared distances, the first `found` of them in order. The last gives way.
    """
    found = min(found + 1, len(distances))
    slot = found - 1
    while slot > 0 and distances[slot - 1] > square:
        distances[slot], rewards[slot] = distances[slot - 1], rewards[slot - 1]
        slot -= 1
    distances[slot], rewards[slot] = square, reward
    return found


@njit
def remember_long(seen: LongNeighbours, arm: int, x: np.ndarray, reward: float) -> None:
    enter(seen.log, x, reward)
    link(seen, arm, x[0], reward)


@also(remember_long)
@njit
def remember(seen: Neighbours, arm: int, x: np.ndarray, reward: float) -> None:
    """Add an observation of an arm. x: (d,)."""
    place = seen.count.sum()
    seen.context[place] = x
    seen.reward[place] = reward
    link(seen, arm, place, reward)


@njit
def squared_distance(x: np.ndarray, y: np.ndarray, limit: float) -> float:
    """Return |x - y|^2, or some number of at least `limit` where it is no smaller. x, y: (d,)."""
    square = 0.0
    for first in range(0, len(x), STRIDE):
        part = zeros()
        for i in range(first, min(first + STRIDE, len(x)), LANES):
            gap = add_scaled(load(x, i), -1.0, load(y, i))
            part = add_product(part, gap, gap)
        square += sum_lanes(part)
        if square >= limit:
            break
    return square


@njit(forceinline=False)
def nearest_long(seen: LongNeighbours, arm: int, x: np.ndarray, distances: np.ndarray, rewards: np.ndarray) -> int:
    log, most, found = seen.log, len(distances), 0
    own = squared_length(log, x[1])
    place = seen.last[arm]
    while place >= 0:
        square = own + log.square[place]
        if log.block[place] == x[2]:  # orthogonal otherwise
            square = max(square - 2.0 * product_with(log, place, x[0], x[1]), 0.0)
        if found < most or square < distances[most - 1]:
            found = insert(square, log.reward[place], found, distances, rewards)
        place = seen.before[place]
    distances[:found] = np.sqrt(distances[:found])
    return found


@also(nearest_long)
@njit
def nearest(seen: Neighbours, arm: int, x: np.ndarray, distances: np.ndarray, rewards: np.ndarray) -> int:
    """Fill distances and rewards, (k,), with those of the nearest observations of an arm, the nearest first.

    x: (d,). Returns how many there are: k, or fewer where the arm has fewer observations.
    """
    most, found = len(distances), 0
    place = seen.last[arm]
    while place >= 0:
        limit = distances[most - 1] if found == most else np.inf
        square = squared_distance(x, seen.context[place], limit)
        if square < limit:
            found = insert(square, seen.reward[place], found, distances, rewards)
        place = seen.before[place]
    distances[:found] = np.sqrt(distances[:found])
    return found


@njit
def variance(seen: Neighbours, arm: int) -> float:
    """Return the variance of an arm's rewards, over their number, 0 where there are none."""
    pulls = max(seen.count[arm], 1)
    mean = seen.total[arm] / pulls
    return max(seen.squares[arm] / pulls - mean * mean, 0.0)
