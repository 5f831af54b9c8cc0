"""Errors of estimators of related regressions: one row of panels per regime, one panel per sweep, logarithmic axes.

The rates that the paper states for its own estimator are thick grey lines, through the middle of what was measured.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from manybandits.base.artifacts import Provenance
from manybandits.base.exceptions import run_script
from manybandits.claims.sentences import bounded
from manybandits.claims.verdict import Verdict
from manybandits.figures.canvas import Words, emphasise, new_figure, plain_log, save_figure, set_words
from manybandits.figures.command_line import add_verdicts, place_of, save_drawn
from manybandits.figures.message import load_measured, message
from manybandits.figures.palette import is_own, look
from manybandits.figures.ticks import written_out
from manybandits.results.display_names import algorithm_name
from manybandits.results.error_table import Errors, load_errors
from manybandits.results.estimation_errors import AXES, LINEAR, summarise

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STATED = " Thick grey lines: the rates that the paper states for its own estimator, through the middle of its errors."
"""What the caption says where such rates are drawn."""


def caption(tables: Sequence[Errors]) -> str:
    """Return the caption: what an error is, over how many draws it is, and how the penalties were chosen."""
    return (
        f"|estimate - parameter|_1 of instance 0: mean and 95 % bootstrap interval over {tables[0].draws} draws of the "
        "regressions; where several constants of the penalty were tried, every estimator has the one with the "
        "smallest error on other draws, chosen in each sweep."
    )


def stated_slopes(verdicts: Sequence[Verdict], table: Errors, swept: str) -> dict[str, float]:
    """Return the slopes in a setting that the paper states for its own estimator: in words -> the slope.

    verdicts: those on the figure; table: one of its regimes. On a linear axis a slope is no line, and none is given.
    """
    found: dict[str, float] = {}
    for one in verdicts if swept not in LINEAR else ():
        claim, slope = one.claim, one.published
        here = claim.kind == "slope" and claim.against == swept and one.data == (table.description,)
        if here and is_own(claim.selection.of) and slope is not None:
            found[bounded(f"{slope:z.2f}", claim.bound)] = slope
    return found


def _draw_stated(axes: Axes, line: pd.DataFrame, slopes: Mapping[str, float]) -> None:
    """Draw rates through the middle of a line, and name them above it. line: value and mean of the own estimator."""
    if not slopes:
        return
    places = line["value"].to_numpy(float)
    middle, centre = np.exp(np.log(line["mean"]).mean()), np.exp(np.log(places).mean())
    for slope in slopes.values():
        heights = middle * (places / centre) ** slope
        axes.plot(places, heights, color="0.6", linewidth=3, alpha=0.6, zorder=0)
    axes.set_title(f"stated: {' or '.join(slopes)}", fontsize=8, color="0.35", loc="right")


def draw(tables: Sequence[Errors], words: Words, verdicts: Sequence[Verdict], stem: Path) -> pd.DataFrame:
    """Write the figure to ``<stem>.svg``; return the table that it was drawn from.

    verdicts: those on the figure, with the slopes that the paper states.
    """
    drawn = summarise(tables)
    drawn["stated_slope"] = ""
    columns = max(len(table.sweeps) for table in tables)
    figure, axes = new_figure(columns * len(tables), columns)
    for row, table in enumerate(tables):
        for column, (swept, estimators) in enumerate(table.sweeps.items()):
            panel = axes[row * columns + column]
            here = drawn[(drawn["regime"] == table.settings["regime"]) & (drawn["swept"] == swept)]
            for name in sorted(estimators, key=lambda one: not is_own(one)):
                line, shown = here[here["estimator"] == name], look(name, list(estimators))
                how: dict[str, Any] = {"linewidth": 2.2, "zorder": 3} if is_own(name) else {"linewidth": 1.3}
                panel.plot(line["value"], line["mean"], label=algorithm_name(name), markersize=4.5, **how, **shown)
                panel.fill_between(
                    line["value"], line["low"], line["high"], color=shown["color"], alpha=0.14, linewidth=0
                )
                if is_own(name):
                    slopes = stated_slopes(verdicts, table, swept)
                    _draw_stated(panel, line, slopes)
                    drawn.loc[line.index, "stated_slope"] = " or ".join(slopes)
            panel.set_xlabel(AXES[swept])
            plain_log(panel.yaxis, float(here["low"].min()), float(here["high"].max()))
            if swept not in LINEAR:
                values = sorted(here["value"].unique())
                panel.set(xscale="log")
                panel.set_xticks(values, [written_out(value) for value in values])
                panel.xaxis.minorticks_off()
            if column == 0:
                panel.set_ylabel(f"{table.settings['regime']} regime\nerror")
        for spare in axes[row * columns + len(table.sweeps) : (row + 1) * columns]:
            spare.axis("off")
    legend = axes[columns - 1].legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    for text in legend.get_texts():
        emphasise(text, text.get_text())
    figure.set_size_inches(3.1 * columns + 2.0, 2.8 * len(tables))
    set_words(figure, words)
    save_figure(figure, stem)
    return drawn


def main(argv: list[str] | None = None) -> None:
    """Draw the figure of some tables of errors."""
    parser = argparse.ArgumentParser(description="Draw the errors of estimators over sweeps.")
    parser.add_argument("--title", required=True)
    add_verdicts(parser)
    parser.add_argument("--runs", type=Path, nargs="+", required=True, help="tables of errors")
    parser.add_argument("--out", type=Path, required=True, help="stem of the files to write")
    given = parser.parse_args(argv)
    provenance = Provenance({"title": given.title}, (*given.runs, *([given.verdicts] if given.verdicts else [])))
    tables = load_errors(given.runs)
    regimes = {table.path.stem: f"regressions of the {table.settings['regime']} regime" for table in tables}
    verdicts = load_measured(given.verdicts)
    told = message(verdicts, place_of(given.title), regimes)
    stated = any(stated_slopes(verdicts, table, swept) for table in tables for swept in table.sweeps)
    words = Words(told or given.title, given.title if told else "", f"{caption(tables)}{STATED if stated else ''}")
    descriptions = [table.description for table in tables]
    facts = {"caption": words.caption, "seen": told, "data": descriptions, "stand_in": False}
    save_drawn(given.out, draw(tables, words, verdicts, given.out), provenance, facts)


if __name__ == "__main__":
    run_script(main)
