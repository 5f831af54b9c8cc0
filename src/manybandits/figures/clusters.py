"""The size and the purity of clusters against rounds: one panel per environment and measure.

Both are means over the rounds between two checkpoints, for the user served. Purity is the share of the users of a
cluster that belong to the same true group as the user served; it exists where a game has groups.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from manybandits.base.exceptions import InputError, run_script
from manybandits.figures.canvas import (
    SMALL,
    Words,
    mark_stand_in,
    new_figure,
    panel_title,
    plain_log,
    save_figure,
    set_words,
)
from manybandits.figures.command_line import arguments, write_figure
from manybandits.figures.palette import standing
from manybandits.figures.regret import draw_lines, shown_number
from manybandits.results.display_names import MEASURES as LABELS
from manybandits.results.display_names import algorithm_name
from manybandits.results.measures import MEASURES as OF_RUNS
from manybandits.results.runs import Run
from manybandits.results.summaries import curves, thinned

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MEASURES: dict[str, tuple[str, Callable[[Run], np.ndarray]]] = {
    "size": (LABELS["size"], OF_RUNS["size"].of),
    "purity": (LABELS["purity"], OF_RUNS["purity"].of),
}
WIDEST = 40
"""The letters of a line of the legend."""


def panels_of(environments: Sequence[Sequence[Run]]) -> list[tuple[str, list[Run]]]:
    """Return the panels: a measure, and the runs of one environment that have it; raise InputError where none has."""
    panels = []
    for runs in environments:
        for measure, (_, values) in MEASURES.items():
            having = [run for run in runs if not np.isnan(values(run)).any()]
            if having:
                panels.append((measure, having))
    if not panels:
        raise InputError("no run has clusters: give run tables of algorithms that cluster users.")
    return panels


def draw(panels: Sequence[tuple[str, list[Run]]], words: Words, band: str, stem: Path) -> pd.DataFrame:
    """Write the figure to ``<stem>.svg``; return the table that it was drawn from."""
    figure, every_axes = new_figure(len(panels), columns=min(2, len(panels)))
    others = sorted({run.title for _, runs in panels for run in runs})
    tables = []
    for (measure, runs), axes in zip(panels, every_axes, strict=True):
        label, values = MEASURES[measure]
        table = thinned(curves([runs], band, values))
        draw_lines(axes, runs, table, others)
        panel_title(axes, runs[0].environment["data_note"])
        axes.set(xlabel="round", ylabel=label, xlim=(0, table["round"].max()))
        if measure == "size":
            plain_log(axes.yaxis, 1.0, float(table["high"].max()))
            axes.set_ylim(bottom=0.8)  # a cluster has at least one user, but a band may reach below one
        else:
            axes.set_ylim(0, 1.02)
        _add_ends(axes, runs, table)
        if any(run.environment["stand_in"] for run in runs):
            mark_stand_in(axes)
        tables.append(table.assign(measure=measure))
    figure.set_size_inches(figure.get_figwidth() * 1.25, figure.get_figheight() - 0.6)
    set_words(figure, words)
    save_figure(figure, stem)
    return pd.concat(tables, ignore_index=True)


def _add_ends(axes: Axes, runs: Sequence[Run], table: pd.DataFrame) -> None:
    """Add a legend beside a panel, because lines may be anywhere in it, with the last value of every line."""
    ends = table.groupby("algorithm")["mean"].last()
    for line in axes.get_lines():
        title = next(run.title for run in runs if algorithm_name(run.title) == line.get_label())
        line.set_label(textwrap.fill(f"{line.get_label()}  {shown_number(ends[title])}", WIDEST))
    handles, labels = axes.get_legend_handles_labels()  # own methods, which are drawn last, come first
    beside: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0), "handlelength": 3.2}
    axes.legend(handles[::-1], labels[::-1], title="at the end", fontsize=SMALL, title_fontsize=SMALL, **beside)


def seen(panels: Sequence[Sequence[Run]]) -> str:
    """Return which share of the users the clusters of the papers' own method, or the largest, hold at the end.

    Beside it that of the smallest clusters; both are means over the games.
    """
    shares: dict[str, list[float]] = {}
    for measure, runs in panels_of(panels):
        for run in runs if measure == "size" and runs[0].environment.get("users") else ():
            shares.setdefault(run.title, []).append(float(run.size[:, -1].mean() / run.environment["users"]))
    ends = {title: float(np.mean(values)) for title, values in shares.items()}
    if len(ends) < 2:
        return ""
    first = min(ends, key=lambda title: (min(standing(title), 2), -ends[title]))
    least = min((title for title in ends if title != first), key=lambda title: ends[title])
    held = f"The clusters of {algorithm_name(first)} hold {100 * ends[first]:.0f} % of the users at the end"
    return f"{held}, those of {algorithm_name(least)} {100 * ends[least]:.0f} %"


def main(argv: list[str] | None = None) -> None:
    """Draw the sizes and purities of clusters from run tables."""
    given = arguments("Draw sizes and purities of clusters from run tables.").parse_args(argv)
    write_figure(given, lambda made: draw(panels_of(made.panels), made.words, given.band, given.out), seen=seen)


if __name__ == "__main__":
    run_script(main)
