"""The size and the purity of clusters against rounds: one panel per environment and measure.

Both are means over the rounds between two checkpoints, for the user served. Purity is the share of the users of a
cluster that belong to the same true group as the user served; it exists where a game has groups.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from manybandits.base.exceptions import InputError, run_script
from manybandits.figures.canvas import mark_stand_in, new_figure, save_figure, set_words
from manybandits.figures.caption import caption
from manybandits.figures.command_line import arguments, write_figure
from manybandits.figures.regret import draw_lines
from manybandits.results.display_names import MEASURES as LABELS
from manybandits.results.measures import MEASURES as OF_RUNS
from manybandits.results.runs import Run
from manybandits.results.summaries import curves

MEASURES: dict[str, tuple[str, Callable[[Run], np.ndarray]]] = {
    "size": (LABELS["size"], OF_RUNS["size"].of),
    "purity": (LABELS["purity"], OF_RUNS["purity"].of),
}


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


def draw(panels: Sequence[tuple[str, list[Run]]], title: str, band: str, stem: Path) -> pd.DataFrame:
    """Write the figure to ``<stem>.png`` and ``<stem>.svg``; return the table that it was drawn from."""
    figure, every_axes = new_figure(len(panels))
    others = sorted({run.title for _, runs in panels for run in runs})
    tables = []
    for (measure, runs), axes in zip(panels, every_axes, strict=True):
        words, values = MEASURES[measure]
        table = curves([runs], band, values)
        draw_lines(axes, runs, table, others)
        axes.set_title(textwrap.fill(runs[0].environment["data_note"], 60), fontsize=9)
        axes.set(xlabel="round", ylabel=words, xlim=(0, table["round"].max()))
        if measure == "size":
            axes.set_yscale("log")
            axes.set_ylim(bottom=0.8)  # a cluster has at least one user, but a band may reach below one
        else:
            axes.set_ylim(0, 1.02)
        beside: Any = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0)}  # because lines may be anywhere in a panel
        axes.legend(title="at the end", fontsize=7.5, title_fontsize=7.5, handlelength=3.2, **beside)
        if any(run.environment["stand_in"] for run in runs):
            mark_stand_in(axes)
        tables.append(table.assign(measure=measure))
    figure.set_size_inches(figure.get_figwidth() * 1.25, figure.get_figheight())
    set_words(figure, title, caption([runs for _, runs in panels], band))
    save_figure(figure, stem)
    return pd.concat(tables, ignore_index=True)


def main(argv: list[str] | None = None) -> None:
    """Draw the sizes and purities of clusters from run tables."""
    given = arguments("Draw sizes and purities of clusters from run tables.").parse_args(argv)
    write_figure(given, lambda panels: draw(panels_of(panels), given.title, given.band, given.out))


if __name__ == "__main__":
    run_script(main)
