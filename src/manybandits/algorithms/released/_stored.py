"""Who has stored which observations: lists of places for every user, for compiled policies."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.compiling.parts import part
from manybandits.numerics.one_sample import sample


class Stored(NamedTuple):
    """The places that n users have stored, oldest first; a place may be with several users."""

    places: np.ndarray  # (n, T) int32
    counts: np.ndarray  # (n,)
    numbers: np.ndarray  # (n T,) int32: 0, 1, ..., for `sample`


def stored(users: int, horizon: int, shared: bool) -> Stored:
    """Return empty lists. shared: whether several users may store the same observation."""
    numbers = np.arange(horizon * (users if shared else 1), dtype=np.int32)
    return Stored(np.zeros((users, horizon), np.int32), np.zeros(users, np.int64), numbers)


@part
def store(kept: Stored, user: int, place: int) -> None:
    """Add a place to the list of a user."""
    kept.places[user, kept.counts[user]] = place
    kept.counts[user] += 1


@part
def size_of(kept: Stored, group: np.ndarray) -> int:
    """Return how many places the users of a group, (n,) bool, have stored, each as often as users have it."""
    total = 0
    for user in range(len(group)):
        if group[user]:
            total += kept.counts[user]
    return total


@part
def draw_of(kept: Stored, group: np.ndarray, most: int, random: np.ndarray) -> np.ndarray:
    """Return all places that the users of a group, (n,) bool, have stored, in a random order, or the first `most`."""
    order = sample(size_of(kept, group), most, kept.numbers, random)
    ends = np.cumsum(np.where(group, kept.counts, 0))
    for s in range(len(order)):
        user = np.searchsorted(ends, order[s], side="right")
        order[s] = kept.places[user, order[s] - (ends[user] - kept.counts[user])]
    return order


@part
def draw_own(kept: Stored, user: int, most: int, random: np.ndarray) -> np.ndarray:
    """Return all places that one user has stored, in a random order, or the first `most`."""
    order = sample(kept.counts[user], most, kept.numbers, random)
    for s in range(len(order)):
        order[s] = kept.places[user, order[s]]
    return order
