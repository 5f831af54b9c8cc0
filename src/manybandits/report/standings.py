"""Where algorithms stand in the league, and when to use one: by one rule, from the league and the costs of a run.

In every arena the regret of an algorithm is divided by that of the best algorithm of the same game; the geometric mean
over the games says how near it is to the best, as in the figure of the league. An algorithm is one to

use        if that is at most `NEAR`
weak       if it saves less than `LITTLE` of the regret that the best of each game saves against Random
pass over  otherwise: others have less regret
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from manybandits.base.table_files import Row
from manybandits.papers.claim import RANDOM
from manybandits.results.display_names import algorithm_name
from manybandits.results.runs import ARENA

NEAR = 1.1
"""The largest regret, relative to the best of each game, of an algorithm that is as good as the best in practice."""
LITTLE = 0.5
"""The least share of what the best saves against Random that is worth having."""
LEAST = 1e-9
"""The smallest regret that another one is divided by."""
FASTER = 2.0
"""From how many times as fast an algorithm is named for its speed."""
USE, OTHERS, WEAK = "Use it", "Others have less regret", "Weak here"


@dataclass(frozen=True)
class Entrant:
    """An algorithm in an arena.

    relative: its regret relative to the best, the geometric mean over games, infinite where runs were lost; saved: its
    share of what the best saves against Random, the mean over games, NaN without Random; rank: average rank over games;
    nanoseconds: the median over games of the time of one core for a decision, NaN if unknown.
    """

    file: str
    title: str
    relative: float
    saved: float
    rank: float
    nanoseconds: float

    @property
    def name(self) -> str:
        """The display name."""
        return algorithm_name(self.title)

    @property
    def lost(self) -> bool:
        """Whether runs were lost, so that there is no mean regret."""
        return math.isinf(self.relative)


@dataclass(frozen=True)
class Arena:
    """An arena of the league with its entrants, the nearest to the best first.

    critical: the least difference of average ranks that is significant, NaN if there are too few games for a test.
    """

    key: str
    title: str
    games: int
    critical: float
    entrants: Sequence[Entrant]

    @property
    def best(self) -> Entrant:
        """The entrant that is nearest to the best of each game."""
        return self.entrants[0]

    @property
    def near(self) -> list[Entrant]:
        """The entrants that are as good as the best in practice, the fastest first where costs are known."""
        return sorted((one for one in self.entrants if one.relative <= NEAR), key=_slowness)


@dataclass(frozen=True)
class Standing:
    """Where an algorithm stands in an arena."""

    arena: Arena
    own: Entrant

    @property
    def advice(self) -> str:
        """One of `USE`, `OTHERS` and `WEAK`."""
        if self.own.relative <= NEAR:
            return USE
        return WEAK if self.own.saved < LITTLE else OTHERS

    @property
    def words(self) -> str:
        """Why, in sentences."""
        return " ".join(filter(None, (self._regret(), self._saving(), self._better(), self._faster())))

    def _regret(self) -> str:
        games = f"{self.arena.games} games" if self.arena.games > 1 else "one game"
        rank = f"its average rank is {self.own.rank:.1f} among {len(self.arena.entrants)} algorithms on {games}"
        if self.own.lost:
            return f"Some of its runs failed; {rank}."
        return f"Its regret is {self.own.relative:.2f} times that of the best algorithm of each game; {rank}."

    def _saving(self) -> str:
        if self.advice != WEAK:
            return ""
        share = f"{100 * self.own.saved:.0f} %" if self.own.saved > 0 else "none"
        return f"It saves {share} of the regret that the best algorithm saves compared with {RANDOM}."

    def _better(self) -> str:
        best = self.arena.best
        if self.own is best:
            return "No other algorithm comes closer to the best of each game."
        gap = self.own.rank - best.rank
        told = "differ significantly" if gap > self.arena.critical else "do not differ significantly"
        few = "; these are too few games for a significance test"
        ranks = few if math.isnan(self.arena.critical) else f"; the average ranks of the two {told}"
        return f"{best.name} comes closest to the best of each game, with {best.relative:.2f} times its regret{ranks}."

    def _faster(self) -> str:
        rivals = [one for one in self.arena.entrants if one.relative <= max(self.own.relative, NEAR)]
        fastest = min(rivals, key=_slowness, default=self.own)
        if self.advice == WEAK or not fastest.nanoseconds * FASTER <= self.own.nanoseconds:
            return ""
        also = "is as good by this rule" if self.advice == USE else "has no more regret"
        return f"{fastest.name} {also} and decides {self.own.nanoseconds / fastest.nanoseconds:,.0f} times as fast."


def arenas_of(league: Sequence[Row], costs: Sequence[Row], known: Mapping[str, Mapping[str, str]]) -> list[Arena]:
    """Return the arenas of a league. league, costs: all rows of these tables; known: the arenas of the file."""
    return [
        _arena(key, str(known[key]["title"]), [row for row in league if row["arena"] == key], costs)
        for key in dict.fromkeys(row["arena"] for row in league)
    ]


def standings_of(file: str, arenas: Sequence[Arena]) -> list[Standing]:
    """Return where an algorithm stands in the arenas that it plays in."""
    return [Standing(arena, own) for arena in arenas for own in arena.entrants if own.file == file]


def _arena(key: str, title: str, rows: Sequence[Row], costs: Sequence[Row]) -> Arena:
    """Return one arena. rows: those of the league in it."""
    games = list(dict.fromkeys(row["environment"] for row in rows))
    best = {game: min(_regret(row) for row in rows if row["environment"] == game) for game in games}
    chance = {row["environment"]: _regret(row) for row in rows if row["algorithm"] == RANDOM}
    times = _times([row for row in costs if row["paper"] == ARENA + key])
    entrants = [
        _entrant([row for row in rows if row["algorithm"] == title], best, chance, times.get(title, math.nan))
        for title in dict.fromkeys(row["algorithm"] for row in rows)
    ]
    critical = float(rows[0]["critical_difference"] or "nan")
    return Arena(key, title, len(games), critical, sorted(entrants, key=lambda one: (one.relative, one.rank)))


def _entrant(rows: Sequence[Row], best: Mapping[str, float], chance: Mapping[str, float], time: float) -> Entrant:
    """Return an entrant of an arena. rows: its own; best, chance: game -> the regret of the best and that of Random."""
    regret = {row["environment"]: _regret(row) for row in rows}
    saved = [
        (chance[game] - own) / (chance[game] - best[game])
        for game, own in regret.items()
        if game in chance and best[game] < chance[game] < math.inf
    ]
    ratios = [own / best[game] for game, own in regret.items() if best[game] > LEAST]
    mean = statistics.fmean(saved) if saved else math.nan
    return Entrant(rows[0]["file"], rows[0]["algorithm"], _relative(ratios), mean, float(rows[0]["average_rank"]), time)


def _times(costs: Sequence[Row]) -> dict[str, float]:
    """Return the median time of a decision in ns by algorithm. costs: the rows of one arena."""
    times: dict[str, list[float]] = {}
    for row in costs:
        times.setdefault(row["algorithm"], []).append(float(row["ns_per_decision"]))
    return {name: statistics.median(found) for name, found in times.items()}


def _relative(ratios: Sequence[float]) -> float:
    """Return the geometric mean of the regrets relative to the best; infinite if one is, or if no game has any."""
    if not ratios or math.inf in ratios:
        return math.inf
    return statistics.geometric_mean(ratios)


def _regret(row: Row) -> float:
    """Return the regret of a row of the league, infinite if runs were lost."""
    return float(row["regret"]) if row["regret"] else math.inf


def _slowness(one: Entrant) -> float:
    return math.inf if math.isnan(one.nanoseconds) else one.nanoseconds
