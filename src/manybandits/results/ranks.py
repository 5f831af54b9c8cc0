"""Ranks of algorithms over games: average ranks, Friedman's test, and Nemenyi's critical difference.

In an arena (`manybandits.planning.league`) the same algorithms play the same games, so that average ranks can be
compared (Demsar 2006, *Statistical comparisons of classifiers over multiple data sets*): Friedman's test says whether
they differ at all, and two that are closer than Nemenyi's critical difference are not significantly different.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from manybandits.base.exceptions import InputError
from manybandits.results.display_names import RANDOM
from manybandits.results.measures import final_regret, mean_final_regret
from manybandits.results.runs import ARENA, Run, load_run
from manybandits.results.summaries import LEVEL, is_at_chance

LEAST_ALGORITHMS = 3
"""The fewest algorithms of an arena that is tested: Friedman's test needs three."""
LEAST_GAMES = 4
"""The fewest games of an arena that is tested."""
COLUMNS = (
    *("arena", "environment", "data", "stand_in", "algorithm", "file", "regret", "std", "n", "lost", "rank"),
    *("average_rank", "friedman_p", "critical_difference", "at_chance"),
)


def tests_of(ranks: pd.DataFrame) -> tuple[float, float]:
    """Return the p of Friedman's test that all algorithms have equal ranks, and Nemenyi's critical difference.

    ranks: one row per game, one column per algorithm. Both are NaN if the arena is too small to be tested.
    """
    games, algorithms = ranks.shape
    if games < LEAST_GAMES or algorithms < LEAST_ALGORITHMS:
        return np.nan, np.nan
    from scipy import stats  # here, because the import takes half a second and few processes need it

    p = float(stats.friedmanchisquare(*ranks.to_numpy().T).pvalue)
    quantile = stats.studentized_range.ppf(1 - LEVEL, algorithms, np.inf) / np.sqrt(2)
    return p, float(quantile * np.sqrt(algorithms * (algorithms + 1) / (6 * games)))


def summarise(runs: Sequence[Run]) -> pd.DataFrame:
    """Return one row per game and algorithm, the best first, with the ranks and tests of its arena.

    Raises InputError naming a game that an algorithm of its arena did not play.
    """
    random = {(run.paper, run.environment["name"]): run for run in runs if run.title == RANDOM}
    rows = [
        {
            "arena": run.paper.removeprefix(ARENA),
            "environment": run.environment["name"],
            "data": run.environment["data_note"],
            "stand_in": run.environment["stand_in"],
            "algorithm": run.title,
            "file": run.settings["algorithm"],
            "regret": mean_final_regret(run),
            "std": float(np.std(final_regret(run), ddof=min(1, len(run.seeds) - 1))),
            "n": len(run.seeds),
            "lost": run.lost,
            "at_chance": _is_at_chance(run, random.get((run.paper, run.environment["name"]))),
        }
        for run in runs
    ]
    table = pd.DataFrame(rows)
    # Two games of an arena may be made of the same data, and must not look like one.
    shared = table.groupby(["arena", "data"])["environment"].transform("nunique") > 1
    table["data"] = table["data"].mask(shared, table["data"] + " (" + table["environment"] + ")")
    arenas = [ranked(str(arena), league) for arena, league in table.groupby("arena", sort=False)]
    return pd.concat(arenas, ignore_index=True)[list(COLUMNS)].replace({"regret": {np.inf: np.nan}})


def _is_at_chance(run: Run, random: Run | None) -> bool:
    """Return whether an algorithm is no better than Random, where Random plays."""
    return random is not None and random is not run and is_at_chance(run, random)


def ranked(arena: str, league: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of one arena with ranks and tests, in the order of its games, the best first."""
    regret = league.pivot(index="environment", columns="algorithm", values="regret")
    for game, algorithm in np.argwhere(regret.isna().to_numpy()):
        name, where = regret.columns[algorithm], regret.index[game]
        raise InputError(f"{name} did not play {where}, a game of the arena {arena!r}: give its run table, too.")
    ranks = regret.rank(axis=1)
    friedman_p, critical_difference = tests_of(ranks)
    league = league.assign(
        rank=league.groupby("environment")["regret"].rank(),
        average_rank=league["algorithm"].map(ranks.mean()),
        # As text, since tables round numbers to some decimals, and p is never 0.
        friedman_p="" if np.isnan(critical_difference) else f"{friedman_p:.3g}",
        critical_difference=critical_difference,
    )
    places = {name: place for place, name in enumerate(league["environment"].unique())}
    return league.sort_values(["environment", "rank"], key=lambda c: c.map(places) if c.name != "rank" else c)


def load(paths: Sequence[Path]) -> list[Run]:
    """Read run tables."""
    return [load_run(path) for path in paths]


def standings(league: pd.DataFrame) -> pd.DataFrame:
    """Return the average ranks of the algorithms of one arena, the best first."""
    return league.drop_duplicates("algorithm").sort_values("average_rank", kind="stable")


def size_words(league: pd.DataFrame) -> str:
    """Return the size of an arena in words."""
    games = league["environment"].nunique()
    return f"{league['algorithm'].nunique()} algorithms on {games} game{'s' if games > 1 else ''}"


def block_words(league: pd.DataFrame) -> str:
    """Return the size of an arena and the results of its tests, in words."""
    size, first = size_words(league), league.iloc[0]
    if pd.isna(first["critical_difference"]):
        return f"{size}: too few to test"
    return f"{size}; Friedman p = {first['friedman_p']}, critical difference {first['critical_difference']:.2f}"
