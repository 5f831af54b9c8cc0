"""The final reward at every grid point: one column per algorithm, one point per value, an error bar over the runs.

Only for runs of which every grid point plays the reported seeds (tuning rule ``best-of-grid``).
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.figures.canvas import mark_stand_in, new_figure, save_figure, set_words
from manybandits.figures.caption import caption
from manybandits.figures.command_line import arguments, write_figure
from manybandits.figures.palette import look
from manybandits.results.display_names import algorithm_name
from manybandits.results.grids import summarise
from manybandits.results.runs import Run

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GAP = 1.5
"""Distance between two columns; two points of a column are 1 apart."""
LETTERS = 156
"""Letters that fit in a line below a panel, over all columns."""


def draw(panels: Sequence[Sequence[Run]], title: str, band: str, stem: Path) -> pd.DataFrame:
    """Write the figure to ``<stem>.png`` and ``<stem>.svg``; return the table that it was drawn from."""
    drawn = summarise(panels)
    titles = sorted({run.title for runs in panels for run in runs})
    figure, every_axes = new_figure(len(panels), columns=1)
    for runs, axes in zip(panels, every_axes, strict=True):
        rows = drawn[drawn["environment"] == runs[0].environment["name"]]
        highest = draw_columns(axes, runs, rows, band, titles)
        axes.set_title(textwrap.fill(runs[0].environment["data_note"], 110), fontsize=9)
        axes.set_ylabel(f"reward of {runs[0].rounds[-1]:,} rounds")
        axes.set_ylim(0, 1.1 * highest)  # with room for the best values' numbers
        if runs[0].environment["stand_in"]:
            mark_stand_in(axes)
    figure.set_size_inches(11.0, figure.get_figheight())
    note = caption(panels, band).partition(";")[0] + "; every value of the grid on the seeds shown."
    set_words(figure, title, note)
    save_figure(figure, stem)
    return drawn


def draw_columns(axes: Axes, runs: Sequence[Run], rows: pd.DataFrame, band: str, titles: list[str]) -> float:
    """Draw the columns of a panel with their values and algorithms below the axis; return the height of the highest."""
    left, highest, ticks, labels = 0.0, 0.0, [], []
    for run in runs:
        column = rows[rows["algorithm"] == run.title]
        places = left + np.arange(len(column))
        mean = column["reward"].to_numpy()
        ends = (column["std"], column["std"]) if band == "std" else (mean - column["low"], column["high"] - mean)
        reach = np.abs(np.array(ends))
        shown = look(run.title, titles)
        axes.errorbar(places, mean, yerr=reach, fmt=shown["marker"], color=shown["color"], elinewidth=1.0)
        tops = mean + np.nan_to_num(reach[1])
        highest = max(highest, np.nanmax(tops))
        best = column["mark"].tolist().index("best")
        above = (places[best], tops[best])
        axes.annotate(f"{mean[best]:.0f}", above, (0, 5), textcoords="offset points", ha="center", fontsize=7)
        names = " x ".join(run.varied)
        axes.text(
            places.mean(),
            -0.2,
            "\n".join([names, *textwrap.wrap(algorithm_name(run.title), min(17, LETTERS // len(runs)))]),
            transform=axes.get_xaxis_transform(),
            ha="center",
            va="top",
            fontsize=7.5,
        )
        ticks += places.tolist()
        labels += column["values"].tolist()
        left = places[-1] + GAP + 1.0
    axes.set_xticks(ticks, labels, rotation=90, fontsize=6.5)
    axes.grid(axis="x", visible=False)
    return float(highest)


def main(argv: list[str] | None = None) -> None:
    """Draw the grids of run tables."""
    given = arguments("Draw the final reward at every grid point of run tables.").parse_args(argv)
    write_figure(given, lambda panels: draw(panels, given.title, given.band, given.out))


if __name__ == "__main__":
    run_script(main)
