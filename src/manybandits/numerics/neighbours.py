"""Exact incremental nearest-neighbour search, with one store of observations per arm.

The observations of an arm form a linked list, latest first. A query goes through the list once and keeps the k nearest
so far; the computation of a distance stops once it exceeds the k-th. Of equally near ones, the latest come first, or
the earliest.

If the same contexts are queried round after round, the nearest observations of a context are cached, and the next query
for it looks only at later observations. A cached context is found by its hash, in one of `WAYS` places; if all of these
are taken, a new context replaces the one that was queried longest ago. No result depends on the cache.

Block contexts that are not written out are stored in the log of their replica (see
`manybandits.numerics.sparse_blocks.block_log`); there |x - y|^2 = |x|^2 + |y|^2 - 2 x'y, with inner products that are
shared with the ridge regressions of the same policy.
"""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np

from manybandits.compiling.lanes import LANES, add_product, add_scaled, load, sum_lanes, zeros
from manybandits.compiling.parts import part
from manybandits.numerics.sparse_blocks.block_log import Log, enter, product_with, squared_length
from manybandits.numerics.vectors import assign, total

STRIDE = 4 * LANES
"""Number of features that are added to a distance between two comparisons with its limit."""
PLACES = 2**14
"""Size of the cache if contexts recur; a power of two."""
WAYS = 4
"""Number of places of the cache in which a context may be stored; a power of two."""
KEPT = 16
"""Number of nearest observations that are cached per context; a query for more goes through the whole list."""
UNTIL, FOUND, ARM, HEAD = 0, 1, 2, 3
"""Columns of the cache before the context itself: the number of observations at the last query (0: a free place), how
many neighbours are cached, and the arm. After the context come the squared distances and the observation numbers."""
_MIX = np.uint64(0xFF51AFD7ED558CCD)  # the multiplier of a mixing step of MurmurHash3
_SHIFT = np.uint64(33)


class Neighbours(NamedTuple):
    """Up to T observations of K arms."""

    context: np.ndarray  # (T, d)
    reward: np.ndarray  # (T,)
    before: np.ndarray  # (T,) int32: the observation of the same arm before this one, -1 = none
    last: np.ndarray  # (K,) int32: the latest observation of an arm, -1 = none
    count: np.ndarray  # (K,): observations of an arm
    total: np.ndarray  # (K,): the sum of its rewards
    squares: np.ndarray  # (K,): the sum of their squares
    kept: np.ndarray  # (P, 3 + d + 2 KEPT): the nearest observations of up to P contexts
    earliest: bool  # whether the earliest of equally near observations come first, instead of the latest


class BlockNeighbours(NamedTuple):
    """Up to T observations of K arms, for block contexts that are not written out: the numbers of rounds."""

    log: Log
    reward: np.ndarray  # (T,): those of the log may be what a ridge regression fits instead
    before: np.ndarray  # (T,) int32
    last: np.ndarray  # (K,) int32
    count: np.ndarray  # (K,)
    total: np.ndarray  # (K,)
    squares: np.ndarray  # (K,)
    earliest: bool


def new_neighbours(
    arms: int,
    dimension: int,
    observations: int,
    recurring: bool = False,
    log: Log | None = None,
    earliest: bool = False,
) -> Neighbours:
    """Return stores without observations: a `BlockNeighbours` if there is a log.

    observations: their largest number, of all arms; recurring: whether the same contexts are queried in many rounds;
    log: of block contexts that are not written out; earliest: whether the earliest of equally near ones come first.
    """
    before, last = np.full(observations, -1, np.int32), np.full(arms, -1, np.int32)
    count, total, squares = np.zeros(arms, np.int64), np.zeros(arms), np.zeros(arms)
    reward = np.zeros(observations)
    if log is not None:
        return cast(Neighbours, BlockNeighbours(log, reward, before, last, count, total, squares, earliest))
    context = np.zeros((observations, dimension))
    kept = np.zeros((PLACES if recurring else 0, HEAD + dimension + 2 * KEPT))
    return Neighbours(context, reward, before, last, count, total, squares, kept, earliest)


@part
def link(seen: Neighbours | BlockNeighbours, arm: int, place: int, reward: float) -> None:
    """Put an observation at the head of the list of an arm. place: its number."""
    seen.before[place] = seen.last[arm]
    seen.last[arm] = place
    seen.count[arm] += 1
    seen.total[arm] += reward
    seen.squares[arm] += reward * reward


@part
def insert(square: float, place: int, found: int, squares: np.ndarray, places: np.ndarray, earliest: bool) -> int:
    """Insert an observation into the nearest so far if it is one of them; return how many these are now.

    square, place: its squared distance and its number; squares, places: (k,), those of the nearest so far, of which the
    first `found` are filled; earliest: whether the earliest of equally near ones come first.
    """
    if found == len(squares) and not _before(square, place, squares[found - 1], places[found - 1], earliest):
        return found
    found = min(found + 1, len(squares))
    slot = found - 1
    while slot > 0 and _before(square, place, squares[slot - 1], places[slot - 1], earliest):
        squares[slot], places[slot] = squares[slot - 1], places[slot - 1]
        slot -= 1
    squares[slot], places[slot] = square, place
    return found


@part
def _before(square: float, place: int, other: float, other_place: float, earliest: bool) -> bool:
    """Return whether an observation is nearer than another, or equally near and comes first by its number."""
    return square < other or (square == other and (place < other_place) == earliest)


@part
def remember_in_block(seen: BlockNeighbours, arm: int, x: np.ndarray, reward: float) -> None:
    enter(seen.log, x, reward)
    seen.reward[x[0]] = reward
    link(seen, arm, x[0], reward)


@part(overloads={BlockNeighbours: remember_in_block})
def remember(seen: Neighbours, arm: int, x: np.ndarray, reward: float) -> None:
    """Add an observation of an arm. x: (d,)."""
    place = total(seen.count)
    assign(seen.context[place], x)
    seen.reward[place] = reward
    link(seen, arm, place, reward)


@part
def squared_distance(x: np.ndarray, y: np.ndarray, limit: float) -> float:
    """Return |x - y|^2 if it is at most `limit`, otherwise some number above `limit`. x, y: (d,)."""
    square = 0.0
    for first in range(0, len(x), STRIDE):
        part = zeros()
        for i in range(first, min(first + STRIDE, len(x)), LANES):
            gap = add_scaled(load(x, i), -1.0, load(y, i))
            part = add_product(part, gap, gap)
        square += sum_lanes(part)
        if square > limit:
            break
    return square


@part(inlined=False)
def nearest_in_blocks(
    seen: BlockNeighbours, arm: int, x: np.ndarray, distances: np.ndarray, rewards: np.ndarray
) -> int:
    log, found = seen.log, 0
    own = squared_length(log, x[1])
    place = seen.last[arm]
    while place >= 0:
        square = own + log.square[place]
        if log.block[place] == x[2]:  # contexts of different blocks are orthogonal
            square = max(square - 2.0 * product_with(log, place, x[0], x[1]), 0.0)
        found = insert(square, place, found, distances, rewards, seen.earliest)
        place = seen.before[place]
    look_up(found, distances, rewards, seen.reward)
    return found


@part(overloads={BlockNeighbours: nearest_in_blocks})
def nearest(seen: Neighbours, arm: int, x: np.ndarray, distances: np.ndarray, rewards: np.ndarray) -> int:
    """Fill distances and rewards, (k,), with those of the k observations of an arm nearest to x, (d,), nearest first.

    Returns how many there are: k, or fewer if the arm has fewer observations.
    """
    k = len(distances)
    if len(seen.kept) > 0 and k <= KEPT:
        row = row_of(seen.kept, arm, x)
        square, number = row[HEAD + len(x) : -KEPT], row[-KEPT:]
        found = merge(seen, arm, x, int(row[UNTIL]), int(row[FOUND]), square, number)
        row[UNTIL], row[FOUND] = total(seen.count), found
        found = min(found, k)
        for j in range(found):
            distances[j], rewards[j] = square[j], number[j]
    else:
        found = merge(seen, arm, x, 0, 0, distances, rewards)
    look_up(found, distances, rewards, seen.reward)
    return found


@part
def look_up(found: int, distances: np.ndarray, rewards: np.ndarray, reward: np.ndarray) -> None:
    """Replace squared distances by distances and numbers of observations by their rewards, for the first `found`."""
    for j in range(found):
        distances[j], rewards[j] = np.sqrt(distances[j]), reward[int(rewards[j])]


@part
def merge(
    seen: Neighbours, arm: int, x: np.ndarray, since: int, found: int, square: np.ndarray, number: np.ndarray
) -> int:
    """Merge the observations of an arm from number `since` on into the nearest so far; return how many these are now.

    square, number: (k,), squared distances and numbers of the nearest so far, of which the first `found` are filled.
    """
    place = seen.last[arm]
    while place >= since:
        limit = square[-1] if found == len(square) else np.inf
        distance = squared_distance(x, seen.context[place], limit)
        found = insert(distance, place, found, square, number, seen.earliest)
        place = seen.before[place]
    return found


@part
def row_of(kept: np.ndarray, arm: int, x: np.ndarray) -> np.ndarray:
    """Return the row of a context in the cache; make it if there is none. kept: (P, w), x: (d,)."""
    code = np.uint64(arm)
    for word in x.view(np.uint64):
        code = (code ^ word) * _MIX
        code ^= code >> _SHIFT
    first = int(code & np.uint64(len(kept) // WAYS - 1)) * WAYS
    oldest = first
    for place in range(first, first + WAYS):
        row = kept[place]
        if row[UNTIL] > 0 and row[ARM] == arm:
            same = 0
            while same < len(x) and row[HEAD + same] == x[same]:
                same += 1
            if same == len(x):
                return row
        if row[UNTIL] < kept[oldest, UNTIL]:
            oldest = place
    row = kept[oldest]
    row[UNTIL], row[FOUND], row[ARM] = 0, 0, arm
    assign(row[HEAD : HEAD + len(x)], x)
    return row


@part
def variance(seen: Neighbours, arm: int) -> float:
    """Return the variance of an arm's rewards (divided by their number), 0 if there are none."""
    pulls = max(seen.count[arm], 1)
    mean = seen.total[arm] / pulls
    return max(seen.squares[arm] / pulls - mean * mean, 0.0)
