"""The league: how near every algorithm is to the best of each game, one forest per arena.

The regret of an algorithm is divided by that of the best of the same game; drawn is the geometric mean over the games
with its 95 % bootstrap interval over games, and small dots for single games. `manybandits.figures.ranking` draws the
ranks.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.base.statistics import bootstrap_interval
from manybandits.figures import drawing, ranking
from manybandits.figures.canvas import Words, set_words
from manybandits.figures.forest import forest
from manybandits.figures.kind import RUNS, Kind, Picture, words_of
from manybandits.figures.palette import OWN, Look, hero, labelled_looks
from manybandits.figures.panel import Panel
from manybandits.results.display_names import algorithm_name, listed
from manybandits.results.ranks import load, size_words, standings
from manybandits.results.ranks import summarise as ranked

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CAPTION = (
    "Regret relative to the best algorithm of the same game{mean}. Dots are single games; the number on the right is "
    "the average rank. The games are those that the papers play, no sample of all games. {best}"
)
MEAN = ": the geometric mean over the games of an arena with its 95 % bootstrap interval over games"
FEWEST = 5
"""The least number of games of an arena over which there is an interval."""
NEARNESS = ("relative", "low", "high", "games")
LEAST = 1e-9
"""The smallest regret that another one is divided by."""


def relative_regret(league: pd.DataFrame) -> pd.DataFrame:
    """Return the regret of the algorithms of an arena relative to the best of each game: game x algorithm, NaN if lost.

    league: the rows of one arena, see `ranks.summarise`. Games in which the best has no regret are left out.
    """
    regret = league.pivot(index="environment", columns="algorithm", values="regret")
    best = regret.min(axis=1)
    return regret[best > LEAST].div(best[best > LEAST], axis=0)


def nearness(league: pd.DataFrame) -> pd.DataFrame:
    """Return algorithm, relative, low, high and games of one arena, the best first; NaN where runs were lost.

    relative: the geometric mean over games of the regret relative to the best; low, high: its interval over games.
    """
    rows = []
    for title, ratios in relative_regret(league).items():
        logs = np.log(ratios.to_numpy())
        known = bool(len(logs)) and bool(np.isfinite(logs).all())
        low, high = bootstrap_interval(logs) if known and len(logs) >= FEWEST else (np.nan, np.nan)
        mean = logs.mean() if known else np.nan
        rows.append((title, *(float(np.exp(one)) for one in (mean, low, high)), len(logs)))
    table = pd.DataFrame(rows, columns=["algorithm", *NEARNESS])
    return table.sort_values("relative", kind="stable", ignore_index=True)


def message(table: pd.DataFrame, added: Sequence[str] = ()) -> str:
    """Return what the league shows, "" if no algorithm finished all games of an arena.

    table: see `ranks.summarise`; added: titles of algorithms that joined the league, of which it is told where they
    stand. If there are none, it is told which arenas a method of the papers wins: it has the least `relative` there.
    """
    arenas = _placed(table)
    if added:
        return listed([said for arena, near in arenas.items() for said in _places(near, added, arena)])
    own = [f"{algorithm_name(near[0])} in {arena}" for arena, near in arenas.items() if near[0] in OWN]
    if not own:
        return "No proposed method wins an arena" if arenas else ""
    wins = f" {len(own)} of {len(arenas)} arenas" if len(own) < len(arenas) else ""
    return f"A proposed method wins{wins}: {listed(own)}"


def best_of(table: pd.DataFrame) -> str:
    """Return which algorithm is the best of each arena, and where the best method of the papers stands there."""
    said = []
    for arena, near in _placed(table).items():
        own = [title for title in near if title in OWN][:1]
        stands = "".join(f" ({place.replace(' is ', ' ')})" for place in _places(near, own) if near[0] not in OWN)
        said.append(f"{algorithm_name(near[0])} in {arena}{stands}")
    return f"The best by relative regret: {listed(said)}." if said else ""


def caption_of(table: pd.DataFrame) -> str:
    """Return the caption, which tells of means if an arena has so many games that some are drawn."""
    games = table.groupby("arena", sort=False)["environment"].nunique()
    return CAPTION.format(mean=MEAN if games.max() >= FEWEST else "", best=best_of(table)).strip()


def _placed(table: pd.DataFrame) -> dict[str, list[str]]:
    """Return the algorithms of each arena, the nearest to the best first and those that lost runs last.

    Arenas where all of them lost runs are left out.
    """
    near = {str(arena): nearness(league) for arena, league in table.groupby("arena", sort=False)}
    return {arena: one["algorithm"].tolist() for arena, one in near.items() if one["relative"].notna().any()}


def _places(near: Sequence[str], sought: Sequence[str], arena: str = "") -> list[str]:
    """Return the place of each algorithm that is sought. near: all of an arena, the nearest to the best first."""
    where = f" in {arena}" if arena else ""
    return [
        f"{algorithm_name(title)} is {ordinal(place)} of {len(near)}{where}"
        for place, title in enumerate(near, 1)
        if title in sought
    ]


def ordinal(place: int) -> str:
    """Return a place as a word.

    >>> [ordinal(place) for place in (1, 2, 3, 4, 11, 22)]
    ['1st', '2nd', '3rd', '4th', '11th', '22nd']
    """
    ending = {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{'th' if place % 100 in (11, 12, 13) else ending}"


def summarise(table: pd.DataFrame) -> pd.DataFrame:
    """Return what is drawn, one row per arena and algorithm. table: see `ranks.summarise`."""
    leagues = [league for _, league in table.groupby("arena", sort=False)]
    drawn = [standings(league).merge(nearness(league), on="algorithm", how="left") for league in leagues]
    return pd.concat(drawn, ignore_index=True)[["arena", "algorithm", "average_rank", *NEARNESS]]


def figure_of(table: pd.DataFrame, words: Words) -> Figure:
    """Return the figure: a forest per arena. table: see `ranks.summarise`."""
    figure, panels = ranking.arena_panels(table, 0.7, 0.19)
    looks = labelled_looks(table["algorithm"])
    for axes, arena, league in panels:
        drawing.draw_panel(axes, _nearness_panel(arena, league, looks))
    set_words(figure, words)
    return figure


def _nearness_panel(arena: str, league: pd.DataFrame, looks: Mapping[str, Look]) -> Panel:
    """Return the forest of an arena: one row per algorithm, the nearest first, with single games as dots behind."""
    near, lost = nearness(league), league.groupby("algorithm")["lost"].sum()
    ranks = standings(league).set_index("algorithm")["average_rank"]
    told = [f"{ranks[title]:.1f}" + (f", {lost[title]} failed" if lost[title] else "") for title in near["algorithm"]]
    games = relative_regret(league).melt(var_name="series", value_name="mean").dropna()
    rows = near.rename(columns={"algorithm": "series", "relative": "mean"}).assign(words=told)
    title = f"{arena.capitalize()}: {size_words(league)}"
    label = "regret relative to the best of the game"
    return replace(forest(rows, looks, label, "average rank", title, samples=False, cloud=games), legend=False)


def pictures(args: argparse.Namespace) -> list[Picture]:
    """Return how near algorithms are to the best, and beside it their ranks."""
    table = ranked(load(args.runs))
    facts = {"data": list(dict.fromkeys(table["data"])), "stand_in": bool(table["stand_in"].any())}
    near = {"caption": caption_of(table), "seen": message(table, args.added), **facts}
    ranks = {"caption": ranking.CAPTION, "seen": ranking.message(table), **facts}
    with hero(*args.added):
        forests = figure_of(table, words_of(args.title, near))
        diagrams = ranking.figure_of(table, words_of(args.title, ranks))
    return [
        Picture(args.out, forests, summarise(table), near),
        Picture(ranking.beside(args.out), diagrams, ranking.summarise(table), ranks),
    ]


ADDED = {"nargs": "*", "default": [], "metavar": "TITLE", "help": "algorithms that joined: they are red"}
KIND = Kind("Draw the league from run tables.", pictures, {"runs": RUNS, "added": ADDED})
main = KIND.main

if __name__ == "__main__":
    run_script(main)
