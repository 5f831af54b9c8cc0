"""Samples of a measure, and the exception for claims that cannot be judged."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from manybandits.base.statistics import Statistic, average, estimate


class Untestable(Exception):
    """A claim cannot be judged on the available results; the message is the reason."""


@dataclass(frozen=True)
class Sample:
    """The values of a measure of one run on one game.

    values: (n,), one per seed, or (1,) without seeds; statistic: what is claimed about them, such as their mean.
    exact: whether a repetition would give the same value, as for a number that was computed, or for a replay of a log
    in its own order. late: (n,), the part of the values that the second half of the rounds brought, where a shorter run
    than the paper's makes that matter. rounds: how many were played; None where a claim names the round, or none are.
    """

    name: str
    game: str
    values: np.ndarray
    seeds: tuple[int, ...] = ()
    exact: bool = False
    statistic: Statistic = average
    late: np.ndarray | None = None
    rounds: int | None = None

    @property
    def runs(self) -> int:
        """The number of independent runs."""
        return 1 if self.exact else len(self.values)

    @property
    def value(self) -> float:
        """The statistic of the values."""
        # Of a single number there is no deviation.
        return float(self.values[0]) if len(self.values) == 1 else float(self.statistic(self.values))

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the bootstrap interval of the value; NaN for a single run."""
        return estimate(self.values, self.statistic, level)[1:] if self.runs > 1 else (np.nan, np.nan)

    def paired(self, other: Sample) -> Pair:
        """Return both samples on their common seeds.

        Raises Untestable if there are none, or if one side was played for more rounds of a game than the other: regret
        grows with them, so that it would be behind whatever it does.
        """
        if self.game == other.game and None not in (self.rounds, other.rounds) and self.rounds != other.rounds:
            raise Untestable(f"{self.name} has {self.rounds:,} rounds and {other.name} {other.rounds:,}")
        if len(self.values) == 1 or len(other.values) == 1 or self.exact or other.exact:
            return Pair(self, other, np.array([self.value]), np.array([other.value]))
        common = sorted(set(self.seeds) & set(other.seeds))
        if not common:
            raise Untestable(f"{self.name} and {other.name} have no seed in common")
        places = [[one.seeds.index(seed) for seed in common] for one in (self, other)]
        late = None
        if self.late is not None and other.late is not None:
            late = self.late[places[0]], other.late[places[1]]
        return Pair(self, other, self.values[places[0]], other.values[places[1]], late)

    def over(self, other: Sample) -> Sample:
        """Return this sample divided by another one, seed by seed; raise Untestable if that is 0."""
        pair = self.paired(other)
        if not np.all(pair.second):
            raise Untestable(f"{other.name} is 0, and nothing can be relative to it")
        late = pair.late[0] / pair.late[1] if pair.late and np.all(pair.late[1]) else None
        common = tuple(sorted(set(self.seeds) & set(other.seeds))) if len(pair.first) > 1 else ()
        exact = self.exact and other.exact
        return replace(self, values=pair.first / pair.second, seeds=common, exact=exact, late=late)


@dataclass(frozen=True)
class Pair:
    """Two samples on common seeds: first and second, (n,) each, and their late parts."""

    own: Sample
    other: Sample
    first: np.ndarray
    second: np.ndarray
    late: tuple[np.ndarray, np.ndarray] | None = None

    @property
    def exact(self) -> bool:
        """Whether neither side would differ if it were repeated, and no log was replayed."""
        return self.own.exact and self.other.exact and not (self.own.seeds or self.other.seeds)

    @property
    def runs(self) -> int:
        return len(self.first)
