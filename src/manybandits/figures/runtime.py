"""Running time against final regret: one panel per game, one point per algorithm.

The time is that of one run of the whole horizon on one core. Replicas are played together, so it is the time of all
replicas divided by their number; a run that is played alone takes longer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.figures.kind import of_runs
from manybandits.figures.outcomes import listed, short_names
from manybandits.figures.palette import looks_of, standing
from manybandits.figures.panel import Axis, Panel, listed_names, panel_of, rows_of
from manybandits.results.display_names import MEASURES as LABELS
from manybandits.results.display_names import RANDOM, algorithm_name
from manybandits.results.runs import Run, seconds_a_run
from manybandits.results.summaries import final_regrets, flat

NOTE = "Seconds of one core for one run, when many are played together."


def summarise(panels: Sequence[Sequence[Run]], band: str) -> pd.DataFrame:
    """Return panel, algorithm, seconds, mean, low, high and n, one row per run table."""
    final = final_regrets(panels, band).assign(seconds=[seconds_a_run(run) for run in flat(panels)])
    return final[["panel", "algorithm", "seconds", "mean", "low", "high", "n"]]


def panels_of(drawn: pd.DataFrame, settings: Mapping[str, Any], facts: Mapping[str, Any]) -> Iterator[Panel | None]:
    """Return a panel per game. drawn: as `summarise` returns it."""
    looks = looks_of(drawn["algorithm"])
    for game, table in drawn.groupby("panel", sort=False):
        rows = rows_of(table, x="seconds")
        seconds = {name: f"{value:.3g} s" for name, value in zip(rows["series"], rows["x"], strict=True)}
        low, high = float(rows["x"].min()), float(rows["x"].max())
        room = (high / low) ** 0.08 or 1.0
        x = Axis(LABELS["seconds"], "log", (low / room / 1.1, 1.1 * high * room), (low, high))
        how: Any = {"rows": rows, "x": x, "y": Axis(LABELS["final"]), "series": listed_names(rows, words=seconds)}
        yield panel_of(facts, str(game), looks=looks, form="points", **how)


def seen(panels: Sequence[Sequence[Run]]) -> str:
    """Return how much time the papers' own method takes, relative to the fastest and the slowest, game by game."""
    names = short_names(panels)
    told: dict[str, list[str]] = {}
    for runs in panels:
        seconds = {run.title: seconds_a_run(run) for run in runs if run.title != RANDOM}
        own = min((title for title in seconds if standing(title) <= 1), key=standing, default=None)
        if own is None or len(seconds) < 2:
            continue
        slower = sum(one > seconds[own] for one in seconds.values())
        faster, where = len(seconds) - 1 - slower, names[runs[0].environment["name"]]
        told.setdefault(own, []).append(f"{faster} of {len(seconds) - 1} rivals on {where}")
    return "; ".join(f"{algorithm_name(own)} is slower than {listed(games)}" for own, games in told.items())


KIND = of_runs(
    "Draw running time against final regret.",
    panels_of,
    lambda games, given: summarise(games, given["band"]),
    seen=lambda games, _: seen(games),
    note=lambda _: NOTE,
)
main = KIND.main

if __name__ == "__main__":
    run_script(main)
