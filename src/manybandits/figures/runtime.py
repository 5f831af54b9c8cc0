"""Running time against final regret: one panel per game, one point per algorithm.

The time is that of one run of the whole horizon on one core. Replicas are played together, so it is the time of all
replicas divided by their number; a run that is played alone takes longer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from manybandits.base.exceptions import run_script
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
from manybandits.figures.outcomes import listed, short_names
from manybandits.figures.palette import RANDOM, is_own, look, standing
from manybandits.results.display_names import MEASURES as LABELS
from manybandits.results.display_names import algorithm_name
from manybandits.results.runs import Run, seconds_a_run
from manybandits.results.summaries import final_regrets, flat

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NOTE = "Seconds of one core for one run, when many are played together."


def summarise(panels: Sequence[Sequence[Run]], band: str) -> pd.DataFrame:
    """Return panel, algorithm, seconds, mean, low, high and n, one row per run table."""
    final = final_regrets(panels, band).assign(seconds=[seconds_a_run(run) for run in flat(panels)])
    return final[["panel", "algorithm", "seconds", "mean", "low", "high", "n"]]


def draw(panels: Sequence[Sequence[Run]], words: Words, band: str, stem: Path) -> pd.DataFrame:
    """Write the figure to ``<stem>.svg``; return the table that it was drawn from."""
    drawn = summarise(panels, band)
    titles = sorted(drawn["algorithm"].unique())
    figure, all_axes = new_figure(len(panels))
    for axes, runs in zip(all_axes, panels, strict=True):
        environment = runs[0].environment
        rows = drawn[drawn["panel"] == environment["name"]].to_dict("records")
        for row in sorted(rows, key=lambda one: -standing(str(one["algorithm"]))):
            _draw_point(axes, row, titles)
        seconds = [float(row["seconds"]) for row in rows]
        plain_log(axes.xaxis, min(seconds), max(seconds))
        axes.margins(x=0.12)
        axes.set(xlabel=LABELS["seconds"], ylabel=LABELS["final"])
        panel_title(axes, environment["data_note"])
        handles, labels = axes.get_legend_handles_labels()
        order = sorted(range(len(labels)), key=lambda place: -place)  # own methods, which are drawn last, come first
        axes.legend(
            [handles[place] for place in order],
            [labels[place] for place in order],
            fontsize=SMALL,
            loc="upper left",
            bbox_to_anchor=(1.0, 1.0),
        )
        if environment["stand_in"]:
            mark_stand_in(axes)
    figure.set_size_inches(figure.get_figwidth() * 1.25, figure.get_figheight() - 0.6)
    set_words(figure, words)
    save_figure(figure, stem)
    return drawn


def _draw_point(axes: Axes, row: Mapping[Any, Any], titles: list[str]) -> None:
    """Draw an algorithm with its band; a method of the paper is larger, and has its name beside it."""
    title, shown = str(row["algorithm"]), look(str(row["algorithm"]), titles)
    axes.errorbar(
        row["seconds"],
        row["mean"],
        yerr=[[row["mean"] - row["low"]], [row["high"] - row["mean"]]],
        fmt=shown["marker"],
        color=shown["color"],
        markersize=9 if is_own(title) else 6.5,
        elinewidth=1.0,
        label=f"{algorithm_name(title)}  {row['seconds']:.3g} s",
    )
    if is_own(title):
        at = {"textcoords": "offset points", "fontsize": 8, "fontweight": "bold", "color": shown["color"]}
        axes.annotate(algorithm_name(title), (row["seconds"], row["mean"]), (7, 5), **at)


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


def main(argv: list[str] | None = None) -> None:
    """Draw running time against regret from run tables."""
    given = arguments("Draw running time against final regret.").parse_args(argv)
    write_figure(given, lambda made: draw(made.panels, made.words, given.band, given.out), NOTE, seen=seen)


if __name__ == "__main__":
    run_script(main)
