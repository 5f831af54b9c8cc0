"""Running time against final regret: one panel per game, one point per algorithm.

The time is that of one run of the whole horizon on one core. Replicas are played together, so it is the time of all
replicas divided by their number; a run that is played alone takes longer.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.figures.canvas import mark_stand_in, new_figure, save_figure, set_words
from manybandits.figures.caption import caption
from manybandits.figures.command_line import arguments, write_figure
from manybandits.figures.palette import look
from manybandits.results.display_names import MEASURES as LABELS
from manybandits.results.display_names import algorithm_name
from manybandits.results.runs import Run, seconds_a_run
from manybandits.results.summaries import final_regrets, flat

NOTE = "Seconds of one core for one run, when many are played together."


def summarise(panels: Sequence[Sequence[Run]], band: str) -> pd.DataFrame:
    """Return panel, algorithm, seconds, mean, low, high and n, one row per run table."""
    final = final_regrets(panels, band).assign(seconds=[seconds_a_run(run) for run in flat(panels)])
    return final[["panel", "algorithm", "seconds", "mean", "low", "high", "n"]]


def draw(panels: Sequence[Sequence[Run]], title: str, band: str, stem: Path) -> pd.DataFrame:
    """Write the figure to ``<stem>.png`` and ``<stem>.svg``; return the table that it was drawn from."""
    drawn = summarise(panels, band)
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    titles = sorted(drawn["algorithm"].unique())
    figure, all_axes = new_figure(len(panels))
    for axes, runs in zip(all_axes, panels, strict=True):
        environment = runs[0].environment
        for row in drawn[drawn["panel"] == environment["name"]].to_dict("records"):
            shown = look(str(row["algorithm"]), titles)
            axes.errorbar(
                row["seconds"],
                row["mean"],
                yerr=[[row["mean"] - row["low"]], [row["high"] - row["mean"]]],
                fmt=shown["marker"],
                color=shown["color"],
                markersize=7,
                elinewidth=1.0,
                label=f"{algorithm_name(row['algorithm'])}  {row['seconds']:.3g} s",
            )
        axes.set(xscale="log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda seconds, _: f"{seconds:g}"))
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.set(xlabel=LABELS["seconds"], ylabel=LABELS["final"], title=environment["data_note"])
        axes.legend(fontsize=7.5, loc="upper left", bbox_to_anchor=(1.0, 1.0))
        if environment["stand_in"]:
            mark_stand_in(axes)
    figure.set_size_inches(figure.get_figwidth() * 1.25, figure.get_figheight())
    set_words(figure, title, f"{caption(panels, band)} {NOTE}")
    save_figure(figure, stem)
    return drawn


def main(argv: list[str] | None = None) -> None:
    """Draw running time against regret from run tables."""
    given = arguments("Draw running time against final regret.").parse_args(argv)
    write_figure(given, lambda panels: draw(panels, given.title, given.band, given.out), NOTE)


if __name__ == "__main__":
    run_script(main)
