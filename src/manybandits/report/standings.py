"""Where algorithms stand in the league, and when to use one: by one rule, from the league and the costs of a run.

In every arena the regret of an algorithm is divided by that of the best algorithm of the same game; the geometric mean
over the games says how near it is to the best, as in the figure of the league. An algorithm is one to

use        if that is at most `NEAR`
weak       if it saves less than `LITTLE` of the regret that the best of each game saves against Random
pass over  otherwise: others have less regret
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from manybandits.base.table_files import Row
from manybandits.figures.league import nearness
from manybandits.papers.claim import RANDOM
from manybandits.results.display_names import algorithm_name
from manybandits.results.runs import ARENA

NEAR = 1.1
"""The largest regret, relative to the best of each game, of an algorithm that is as good as the best in practice."""
LITTLE = 0.5
"""The least share of what the best saves against Random that is worth having."""
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
    if not league:
        return []
    table, times = pd.DataFrame(league), pd.DataFrame(costs, columns=["paper", "algorithm", "ns_per_decision"])
    for name in ("regret", "average_rank", "critical_difference"):
        table[name] = pd.to_numeric(table[name])
    times["ns_per_decision"] = pd.to_numeric(times["ns_per_decision"])
    return [
        _arena(str(key), str(known[str(key)]["title"]), rows, times[times["paper"] == f"{ARENA}{key}"])
        for key, rows in table.groupby("arena", sort=False)
    ]


def standings_of(file: str, arenas: Sequence[Arena]) -> list[Standing]:
    """Return where an algorithm stands in the arenas that it plays in."""
    return [Standing(arena, own) for arena in arenas for own in arena.entrants if own.file == file]


def _arena(key: str, title: str, rows: pd.DataFrame, times: pd.DataFrame) -> Arena:
    """Return one arena. rows, times: those of the tables of the league and of costs that are about it."""
    regret = rows.pivot(index="environment", columns="algorithm", values="regret").fillna(math.inf)
    best = regret.min(axis=1)
    relative = nearness(rows).set_index("algorithm")["relative"].fillna(math.inf)
    nanoseconds = times.groupby("algorithm")["ns_per_decision"].median()
    saved = pd.Series(math.nan, regret.columns)
    if RANDOM in regret:
        chance = regret[RANDOM]
        known = (best < chance) & (chance < math.inf)
        saved = regret.rsub(chance, axis=0).div(chance - best, axis=0)[known].mean()
    entrants = [
        Entrant(
            file=row["file"],
            title=row["algorithm"],
            relative=float(relative[row["algorithm"]]),
            saved=float(saved[row["algorithm"]]),
            rank=row["average_rank"],
            nanoseconds=float(nanoseconds.get(row["algorithm"], math.nan)),
        )
        for row in rows.drop_duplicates("algorithm").to_dict("records")
    ]
    entrants.sort(key=lambda one: (one.relative, one.rank))
    return Arena(key, title, len(regret), float(rows["critical_difference"].iloc[0]), entrants)


def _slowness(one: Entrant) -> float:
    return math.inf if math.isnan(one.nanoseconds) else one.nanoseconds
