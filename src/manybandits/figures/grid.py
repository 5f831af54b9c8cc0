"""The final reward at every grid point: one line per algorithm over the values of its option, with error bars.

The lines stand beside each other, the paper's own method first; where two options are tuned together, there is a line
for each value of the first. The best value of each has its number, and published numbers are hollow diamonds. Only for
runs of which every grid point plays the reported seeds (tuning rule ``best-of-grid``).
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.figures.canvas import Words, emphasise, mark_stand_in, new_figure, panel_title, save_figure, set_words
from manybandits.figures.command_line import arguments, write_figure
from manybandits.figures.outcomes import placed, short_names
from manybandits.figures.palette import is_own, look, standing
from manybandits.figures.published import Published, draw_mark
from manybandits.results.display_names import algorithm_name, name_before_verb
from manybandits.results.grids import summarise
from manybandits.results.runs import Run, load_points

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GAP = 1.5
"""Distance between two columns; two points of a column are 1 apart."""
LABEL = 3.0
"""Least room of a run, in points: that of its name, however few points it has."""
LETTERS = 156
"""Letters that fit in a line below a panel, over all columns."""
MOST_LABELS, MOST_IN_PANEL = 24, 90
"""Grid points of an algorithm, and of a panel, that are all labelled; of more, every second or third one is."""
VALUE, LETTER = 6.5, 0.58
"""The size of the labels of grid points, in points, and how much of it a letter takes."""


def draw(
    panels: Sequence[Sequence[Run]], words: Words, band: str, stem: Path, marks: Sequence[Published] = ()
) -> pd.DataFrame:
    """Write the figure to ``<stem>.svg``; return the table that it was drawn from."""
    drawn = summarise(panels)
    titles = sorted({run.title for runs in panels for run in runs})
    figure, every_axes = new_figure(len(panels), columns=1)
    figure.set_size_inches(11.0, 3.5 * len(panels))
    for runs, axes in zip(panels, every_axes, strict=True):
        game = runs[0].environment["name"]
        highest = draw_lines(axes, runs, drawn[drawn["environment"] == game], band, titles)
        here = [mark for mark in marks if mark.game == game]
        highest = max([highest, *(mark.value for mark in here)])
        _draw_published(axes, runs, here, titles)
        panel_title(axes, runs[0].environment["data_note"], 110)
        axes.set_ylabel(f"reward of {runs[0].rounds[-1]:,} rounds")
        axes.set_ylim(0, 1.1 * highest)  # with room for the best values' numbers
        if runs[0].environment["stand_in"]:
            mark_stand_in(axes)
    set_words(figure, words)
    save_figure(figure, stem)
    return drawn


def ordered(runs: Sequence[Run]) -> list[Run]:
    """Return the runs of a panel in the order of its columns: own methods first, Random last."""
    return sorted(runs, key=lambda run: standing(run.title))


def places_of(runs: Sequence[Run], counts: Sequence[int]) -> list[np.ndarray]:
    """Return the places of the points of every run on the axis. counts: the grid points of each run."""
    spans = np.maximum(np.array(counts) - 1.0, LABEL)
    starts = np.concatenate([[0.0], np.cumsum(spans[:-1] + GAP + 1.0)])
    middles = starts + spans / 2
    return [middle + np.arange(count) - (count - 1) / 2 for middle, count in zip(middles, counts, strict=True)]


def draw_lines(axes: Axes, runs: Sequence[Run], rows: pd.DataFrame, band: str, titles: list[str]) -> float:
    """Draw the lines of a panel with their values and algorithms below the axis; return the height of the highest."""
    columns = [(run, rows[rows["algorithm"] == run.title]) for run in ordered(runs)]
    counts = [len(column) for _, column in columns]
    every = places_of(runs, counts)
    highest, ticks, labels = 0.0, [], []
    step = max(-(-max(counts) // MOST_LABELS), -(-sum(counts) // MOST_IN_PANEL))
    below = -6.0 - VALUE * LETTER * max(len(value) for _, column in columns for value in column["values"])
    for (run, column), places in zip(columns, every, strict=True):
        mean = column["reward"].to_numpy()
        ends = (column["std"], column["std"]) if band == "std" else (mean - column["low"], column["high"] - mean)
        reach = np.abs(np.array(ends))
        shown, size = look(run.title, titles), 6 if is_own(run.title) else 4.5
        for part in lines_of(column["values"].tolist(), len(run.varied)):
            axes.plot(places[part], mean[part], color=shown["color"], linewidth=1.2, alpha=0.7)
        drawn = {"fmt": shown["marker"], "color": shown["color"], "markersize": size, "elinewidth": 1.0}
        axes.errorbar(places, mean, yerr=reach, **drawn)
        tops = mean + np.nan_to_num(reach[1])
        highest = max(highest, float(np.nanmax(tops)))
        best = column["mark"].tolist().index("best")
        above = (places[best], tops[best])
        number = axes.annotate(f"{mean[best]:,.0f}", above, (0, 5), textcoords="offset points", ha="center", fontsize=7)
        number.set(zorder=6, bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.5})
        name = textwrap.wrap(algorithm_name(run.title), max(11, min(17, LETTERS // len(runs))))
        label = axes.annotate(
            "\n".join([" x ".join(run.varied), *name]),
            (places.mean(), 0.0),
            (0.0, below),
            xycoords=axes.get_xaxis_transform(),
            textcoords="offset points",
            ha="center",
            va="top",
            fontsize=7.5,
        )
        emphasise(label, run.title)
        ticks += places.tolist()
        labels += ["" if place % step else value for place, value in enumerate(column["values"])]
    axes.set_xticks(ticks, labels, rotation=90, fontsize=VALUE)
    axes.margins(x=0.02)
    axes.grid(axis="x", visible=False)
    return highest


def lines_of(values: Sequence[str], options: int) -> list[slice]:
    """Return which grid points are joined: all where one option is tuned, those of equal first values where two are.

    values: of the grid points, in their order, each with the values of all options, separated by spaces.

    >>> lines_of(["0.1 1", "0.1 2", "1 1", "1 2"], 2)
    [slice(0, 2, None), slice(2, 4, None)]
    """
    if options < 2:
        return [slice(0, len(values))]
    firsts = [value.split(" ")[0] for value in values]
    starts = [place for place, first in enumerate(firsts) if place == 0 or firsts[place - 1] != first]
    return [slice(start, end) for start, end in zip(starts, [*starts[1:], len(values)], strict=True)]


def _draw_published(axes: Axes, runs: Sequence[Run], marks: Sequence[Published], titles: list[str]) -> None:
    """Draw the published numbers of a panel at their grid points, or at the end of a line if they name none."""
    tables = [(run, [point_of(run, options) for options in load_points(run)]) for run in ordered(runs)]
    every = places_of(runs, [len(points) for _, points in tables])
    for (run, points), places in zip(tables, every, strict=True):
        for mark in (one for one in marks if one.title == run.title):
            place = places[points.index(mark.point)] if mark.point in points else places[-1] + 0.6
            draw_mark(axes, mark, place, mark.value, look(run.title, titles)["color"])


def point_of(run: Run, values: str) -> str:
    """Return the values of a grid point as claims name them, such as ``alpha=0.1``."""
    return " ".join(sorted(f"{name}={value}" for name, value in zip(run.varied, values.split(), strict=True)))


def seen(panels: Sequence[Sequence[Run]]) -> str:
    """Return which algorithm has the most reward at its best grid point, game by game."""
    names = short_names(panels)
    told: dict[str, list[str]] = {}
    for game, rows in summarise(panels).groupby("environment", sort=False):
        best = rows[rows["mark"] == "best"].sort_values("reward").iloc[-1]
        told.setdefault(str(best["algorithm"]), []).append(names[str(game)])
    if len(told) == 1:
        return f"{name_before_verb(next(iter(told)))} has the most reward at its best value"
    each = [placed(algorithm_name(title), games) for title, games in told.items()]
    return f"Most reward at the best value: {'; '.join(each)}"


def main(argv: list[str] | None = None) -> None:
    """Draw the grids of run tables."""
    given = arguments("Draw the final reward at every grid point of run tables.").parse_args(argv)
    write_figure(
        given,
        lambda made: draw(made.panels, made.words, given.band, given.out, made.marks),
        note="Every value of the grid is shown; the best has its number.",
        measures=["reward"],
        seen=seen,
        tuned=False,
    )


if __name__ == "__main__":
    run_script(main)
