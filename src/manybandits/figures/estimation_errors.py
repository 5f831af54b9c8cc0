"""Errors of estimators of related regressions: one row of panels per regime, one panel per sweep, logarithmic axes."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from manybandits.base.artifacts import Provenance
from manybandits.base.exceptions import run_script
from manybandits.figures.canvas import Words, emphasise, new_figure, plain_log, save_figure, set_words
from manybandits.figures.command_line import add_verdicts, place_of, save_drawn
from manybandits.figures.message import load_rows, message
from manybandits.figures.palette import is_own, look
from manybandits.results.display_names import algorithm_name
from manybandits.results.error_table import Errors, load_errors
from manybandits.results.estimation_errors import AXES, LINEAR, summarise


def caption(tables: Sequence[Errors]) -> str:
    """Return the caption: what an error is, over how many draws it is, and how the penalties were chosen."""
    return (
        f"|estimate - parameter|_1 of instance 0: mean and 95 % bootstrap interval over {tables[0].draws} draws of the "
        "regressions; where several constants of the penalty were tried, every estimator has the one with the "
        "smallest error on other draws, chosen in each sweep."
    )


def draw(tables: Sequence[Errors], words: Words, stem: Path) -> pd.DataFrame:
    """Write the figure to ``<stem>.png`` and ``<stem>.svg``; return the table that it was drawn from."""
    drawn = summarise(tables)
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
            panel.set_xlabel(AXES[swept])
            plain_log(panel.yaxis, float(here["low"].min()), float(here["high"].max()))
            if swept not in LINEAR:
                values = sorted(here["value"].unique())
                panel.set(xscale="log")
                panel.set_xticks(values, [f"{value:g}" for value in values])
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
    told = message(load_rows(given.verdicts), place_of(given.title), regimes)
    words = Words(told or given.title, given.title if told else "", caption(tables))
    descriptions = [table.description for table in tables]
    facts = {"caption": words.caption, "seen": told, "data": descriptions, "stand_in": False}
    save_drawn(given.out, draw(tables, words, given.out), provenance, facts)


if __name__ == "__main__":
    run_script(main)
