"""The size and the purity of clusters against rounds: one panel per environment and measure.

Both are means over the rounds between two checkpoints, for the user served. Purity is the share of the users of a
cluster that belong to the same true group as the user served; it exists where a game has groups.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from manybandits.base.exceptions import InputError, run_script
from manybandits.figures.kind import of_runs
from manybandits.figures.palette import looks_of, standing
from manybandits.figures.panel import Axis, Panel, listed_names, panel_of, rows_of, shown_number
from manybandits.results.display_names import MEASURES as LABELS
from manybandits.results.display_names import algorithm_name
from manybandits.results.measures import MEASURES as OF_RUNS
from manybandits.results.runs import Run
from manybandits.results.summaries import curves, thinned

MEASURES = ("size", "purity")


def panels_of_runs(environments: Sequence[Sequence[Run]]) -> list[tuple[str, list[Run]]]:
    """Return the panels: a measure, and the runs of one environment that have it; raise InputError where none has."""
    panels = []
    for runs in environments:
        for measure in MEASURES:
            having = [run for run in runs if not np.isnan(OF_RUNS[measure].of(run)).any()]
            if having:
                panels.append((measure, having))
    if not panels:
        raise InputError("no run has clusters: give run tables of algorithms that cluster users.")
    return panels


def summarise(environments: Sequence[Sequence[Run]], band: str) -> pd.DataFrame:
    """Return panel, algorithm, round, mean, low, high, n and measure, at most `POINTS` rows per curve."""
    tables = [
        thinned(curves([runs], band, OF_RUNS[measure].of)).assign(measure=measure)
        for measure, runs in panels_of_runs(environments)
    ]
    return pd.concat(tables, ignore_index=True)


def panels_of(drawn: pd.DataFrame, settings: Mapping[str, Any], facts: Mapping[str, Any]) -> Iterator[Panel | None]:
    """Return a panel per game and measure. drawn: as `summarise` returns it."""
    looks = looks_of(drawn["algorithm"])
    for (game, measure), table in drawn.groupby(["panel", "measure"], sort=False):
        rows, y = rows_of(table, x="round"), Axis(LABELS[str(measure)], ends=(0.0, 1.02))
        if measure == "size":  # a cluster has at least one user, but a band may reach below one
            y = Axis(y.label, "log", (0.8, None), (1.0, float(rows["high"].max())))
        ends = {str(name): shown_number(mean) for name, mean in rows.groupby("series")["mean"].last().items()}
        yield panel_of(
            facts,
            str(game),
            rows=rows,
            x=Axis("round", ends=(0.0, float(rows["x"].max()))),
            y=y,
            series=listed_names(rows, words=ends),
            looks=looks,
            heading="at the end",
        )


def seen(panels: Sequence[Sequence[Run]]) -> str:
    """Return which share of the users the clusters of the papers' own method, or the largest, hold at the end.

    Beside it that of the smallest clusters; both are means over the games.
    """
    shares: dict[str, list[float]] = {}
    for measure, runs in panels_of_runs(panels):
        for run in runs if measure == "size" and runs[0].environment.get("users") else ():
            shares.setdefault(run.title, []).append(float(run.size[:, -1].mean() / run.environment["users"]))
    ends = {title: float(np.mean(values)) for title, values in shares.items()}
    if len(ends) < 2:
        return ""
    first = min(ends, key=lambda title: (min(standing(title), 2), -ends[title]))
    least = min((title for title in ends if title != first), key=lambda title: ends[title])
    held = f"The clusters of {algorithm_name(first)} hold {100 * ends[first]:.0f} % of the users at the end"
    return f"{held}, those of {algorithm_name(least)} {100 * ends[least]:.0f} %"


KIND = of_runs(
    "Draw sizes and purities of clusters from run tables.",
    panels_of,
    lambda games, given: summarise(games, given["band"]),
    seen=lambda games, _: seen(games),
)
main = KIND.main

if __name__ == "__main__":
    run_script(main)
