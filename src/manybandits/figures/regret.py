"""Regret or reward against rounds: one panel per environment, one line per algorithm, a band over the runs."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from manybandits.base.exceptions import pick, run_script
from manybandits.figures.canvas import mark_stand_in, new_figure, save_figure, set_words
from manybandits.figures.caption import caption
from manybandits.figures.command_line import arguments, write_figure
from manybandits.figures.palette import look
from manybandits.results.display_names import MEASURES as LABELS
from manybandits.results.display_names import algorithm_name
from manybandits.results.measures import MEASURES as OF_RUNS
from manybandits.results.runs import Run
from manybandits.results.summaries import curves, relative_to

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MEASURES: dict[str, tuple[str, str, Callable[[Run], np.ndarray]]] = {
    "regret": (LABELS["regret"], LABELS["final"], OF_RUNS["regret"].of),
    "reward": (LABELS["reward"], "final reward", OF_RUNS["reward"].of),
    "mean": (LABELS["mean"], "final mean", OF_RUNS["reward_per_round"].of),
}
"""What a figure may show: the label of its axis, the name of its last value, and its values of a run."""
CORNERS = ("lower right", "lower left", "upper left")
BESIDE = "beside"
"""The place of a legend that has no room in any corner: to the right of the panel."""
MOST_INSIDE = 10
"""The most lines whose legend has room inside the only panel of a figure."""


def highest(runs: Sequence[Run], drawn: pd.DataFrame) -> float | None:
    """Return the end of the axis of a panel, None for the default: where all agents act, Random does not set it."""
    if not runs[0].environment.get("all_act"):
        return None
    shown = drawn[(drawn["panel"] == runs[0].environment["name"]) & (drawn["algorithm"] != "Random")]
    return None if shown.empty else 1.6 * float(shown["high"].max())


def axis_label(measure: str, relative: str | None, environment: Mapping[str, Any]) -> str:
    """Return the label of the axis. relative: the title of the algorithm that values are divided by, if any."""
    what = "regret per agent" if environment.get("all_act") else MEASURES[measure][0]
    return what if relative is None else f"{what}, as a share of {algorithm_name(relative)}'s"


def draw(
    panels: Sequence[Sequence[Run]],
    title: str,
    band: str,
    stem: Path,
    relative: str | None = None,
    scale: str = "linear",
    measure: str = "regret",
    legend: str | None = None,
) -> pd.DataFrame:
    """Write the figure to ``<stem>.png`` and ``<stem>.svg``; return the table that it was drawn from.

    The other arguments are those of `figure_of`.
    """
    figure, drawn = figure_of(panels, title, band, relative, scale, measure, legend)
    save_figure(figure, stem)
    return drawn


def figure_of(
    panels: Sequence[Sequence[Run]],
    title: str,
    band: str,
    relative: str | None = None,
    scale: str = "linear",
    measure: str = "regret",
    legend: str | None = None,
) -> tuple[Figure, pd.DataFrame]:
    """Return the figure, and the table that it was drawn from.

    scale: of the values, linear or log; measure: one of `MEASURES`; legend: one of `CORNERS`, or `BESIDE`.
    """
    _, heading, values = MEASURES[measure]
    drawn = curves(panels, band, relative_to(panels, relative, values))
    figure, every_axes = new_figure(len(panels))
    others = sorted({run.title for runs in panels for run in runs})
    # Averages may be anywhere from the first round on, and many lines leave no room in a single panel.
    beside = legend == BESIDE or measure == "mean" or (len(panels) == 1 and len(panels[0]) > MOST_INSIDE)
    for runs, axes in zip(panels, every_axes, strict=True):
        draw_lines(axes, runs, drawn, others)
        stand_in = any(run.environment["stand_in"] for run in runs)
        axes.set_title(textwrap.fill(runs[0].environment["data_note"], 60), fontsize=9)
        axes.set_xlabel("round")
        axes.set_ylabel(axis_label(measure, relative, runs[0].environment))
        axes.set_xlim(0, drawn["round"].max())
        if scale == "log":
            # Two decades below the final regrets are left for the legend.
            final = drawn[(drawn["panel"] == runs[0].environment["name"]) & (drawn["round"] == drawn["round"].max())]
            axes.set_yscale("log")
            axes.set_ylim(bottom=final["mean"].min() / 200)
        else:
            axes.set_ylim(0, highest(runs, drawn) if relative is None else None)
        corner = "lower right" if scale == "log" else "lower left" if relative else "upper left"
        place: dict[str, Any] = {"loc": legend or corner}
        if beside:
            place = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0)}
        axes.legend(
            title="final share" if relative else heading, fontsize=7.5, title_fontsize=7.5, handlelength=3.2, **place
        )
        if stand_in:
            mark_stand_in(axes)
    if beside:
        figure.set_figwidth(figure.get_figwidth() + 2.2 * min(len(panels), 2))
    set_words(figure, title, caption(panels, band))
    return figure, drawn


def draw_lines(axes: Axes, runs: Sequence[Run], drawn: pd.DataFrame, others: list[str]) -> None:
    """Draw the curves of a panel, the one that ends highest first, with their last values in the legend.

    drawn: as `curves` returns it; others: all titles of the figure, sorted.
    """
    lines = [
        (run, drawn[(drawn["panel"] == run.environment["name"]) & (drawn["algorithm"] == run.title)]) for run in runs
    ]
    ended = sorted(lines, key=lambda pair: -np.inf if pair[0].lost else -pair[1]["mean"].iloc[-1])
    for place, (run, line) in enumerate(ended):
        shown = look(run.title, others)
        gap = max(1, len(line) // 5)  # between two markers; shifted, so that curves that coincide all show theirs
        axes.plot(
            line["round"],
            line["mean"],
            label=f"{algorithm_name(run.title)}  {'lost' if run.lost else shown_number(line['mean'].iloc[-1])}",
            markevery=((place + 1) * gap // (len(runs) + 1), gap),
            markersize=4,
            linewidth=1.4,
            **shown,
        )
        axes.fill_between(line["round"], line["low"], line["high"], color=shown["color"], alpha=0.18, linewidth=0)


def shown_number(value: float) -> str:
    """Return a number with three significant digits, or as a whole number from 100 on."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def main(argv: list[str] | None = None) -> None:
    """Draw regret or reward from run tables."""
    parser = arguments("Draw regret or reward from run tables.")
    parser.add_argument(
        "--measure", default="regret", help="regret (default), reward, or mean: mean reward of the rounds so far"
    )
    parser.add_argument("--scale", default="linear", help="of the values: linear (default) or log")
    parser.add_argument("--relative", help="title of the algorithm whose regret is 1")
    parser.add_argument("--legend", help="its place (default: where most curves leave room)")
    given = parser.parse_args(argv)
    pick(given.scale, ("linear", "log"), "scale")
    pick(given.measure, MEASURES, "measure")
    pick(given.legend or BESIDE, (*CORNERS, BESIDE), "place of the legend")
    how = given.relative, given.scale, given.measure, given.legend
    write_figure(given, lambda panels: draw(panels, given.title, given.band, given.out, *how))


if __name__ == "__main__":
    run_script(main)
