"""What the measured sizes of ``scale_of_a_game.csv`` say: slopes, and what sizes that were not measured would take.

A curve is extended by the growth between its two largest measured sizes. Since much of what a small game takes depends
on no size, this is the growth of what is more than at the smallest size, and is at least proportional if only two sizes
were measured. A single one is extended, in proportion, only for the seconds of plays with more rounds or seeds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import NamedTuple

from benchmarks.scale_of_a_game import AXES, FAMILIES, Row

LENGTH = 10_000
"""Rounds of the plays whose needs are told, unless rounds are what grows."""
FARTHEST = {"seeds": 1_000, "users": 1_000_000, "rounds": 100_000_000}
"""The sizes for which the needs of a play are told."""
FLAT = 0.05
"""The slope from which on two sizes are taken to show growth, and not noise."""
MOST_GROWTH = 3.0
"""The steepest slope by which a curve is extended, since no algorithm here needs more than a cube of any size."""


class Point(NamedTuple):
    """A size of a game and what it takes; measured: or else extended."""

    size: int
    value: float
    measured: bool
    limit: str = ""  # why it was left out


class Curve(NamedTuple):
    """What one algorithm takes along an axis."""

    algorithm: str
    title: str
    axis: str
    points: list[Point]
    slope: float | None  # between the two largest measured sizes; None if there is only one

    @property
    def last(self) -> Point:
        return self.points[-1]


def microseconds(row: Row) -> float | None:
    """Return the time of a round."""
    return row.microseconds


def own_memory(row: Row) -> float | None:
    """Return the memory of a play in MB, without that of the process before it."""
    return None if row.memory_mb is None or row.idle_mb is None else max(1.0, row.memory_mb - row.idle_mb)


def play_seconds(row: Row) -> float | None:
    """Return the seconds of one core for a play of `LENGTH` rounds, or of as many rounds as the size says."""
    if row.microseconds is None or row.start_seconds is None:
        return None
    rounds = row.size if row.axis == "rounds" else LENGTH
    return row.start_seconds + 1e-6 * row.microseconds * rounds * (row.size if row.axis == "seeds" else 1)


def curves(rows: Iterable[Row], axis: str, value: Callable[[Row], float | None]) -> list[Curve]:
    """Return the curves of all algorithms along an axis, in the order of `FAMILIES`, with what can be extended."""
    table = list(rows)
    found = []
    for algorithm in FAMILIES:
        own = sorted((row for row in table if (row.algorithm, row.axis) == (algorithm, axis)), key=lambda row: row.size)
        given = [(row.size, value(row)) for row in own]
        measured = [(size, amount) for size, amount in given if amount is not None]
        if not measured:
            continue
        limits = {row.size: row.limit for row in own}
        sizes = sorted({*AXES[axis], FARTHEST.get(axis, 0)} - {0}) if value is play_seconds else AXES[axis]
        points = [Point(size, amount, measured=True) for size, amount in measured]
        for size in sizes:
            if size > measured[-1][0] and (len(measured) > 1 or (value is play_seconds and axis != "users")):
                amount = extended(measured, size)
                points.append(Point(size, amount, measured=False, limit=limits.get(size, "")))
        found.append(Curve(algorithm, own[0].title, axis, points, _slope(measured)))
    return found


def extended(measured: list[tuple[int, float]], size: int) -> float:
    """Return what a larger size would take. measured: sizes and what they took; the smallest first."""
    (smallest, least), (largest, most) = measured[0], measured[-1]
    if len(measured) == 1:
        return most * size / largest
    whole = _slope(measured) or 0.0
    if most <= least or whole < FLAT:
        return most
    if len(measured) == 2:
        growth = max(whole, 1.0)
        return least + (most - least) * ((size - smallest) / (largest - smallest)) ** growth
    growth = _slope([(one, max(amount - least, 1e-9 * most)) for one, amount in measured[-2:]]) or 0.0
    return least + (most - least) * (size / largest) ** min(max(growth, 0.0), MOST_GROWTH)


def _slope(measured: list[tuple[int, float]]) -> float | None:
    """Return the slope between the two largest sizes on logarithmic axes."""
    if len(measured) < 2:
        return None
    (small, less), (large, more) = measured[-2:]
    return math.log(more / less) / math.log(large / small)
