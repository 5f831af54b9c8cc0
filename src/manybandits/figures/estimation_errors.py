"""Errors of estimators of related regressions: one row of panels per regime, one panel per sweep, logarithmic axes.

The rates that the paper states for its own estimator are thick grey lines, through the middle of what was measured.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.claims.sentences import bounded
from manybandits.claims.verdict import Verdict
from manybandits.figures import drawing
from manybandits.figures.canvas import Words
from manybandits.figures.kind import RUNS, VERDICTS, Kind, Picture, place_of, words_of
from manybandits.figures.message import load_measured, message
from manybandits.figures.palette import Look, is_own, looks_of
from manybandits.figures.panel import Axis, Line, Panel, listed_names, log_axis, rows_of
from manybandits.figures.ticks import written_out
from manybandits.results.error_table import Errors, load_errors
from manybandits.results.estimation_errors import AXES, LINEAR
from manybandits.results.estimation_errors import summarise as tabulate

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STATED = " Thick grey lines: the rates that the paper states for its own estimator, through the middle of its errors."
"""What the caption says where such rates are drawn."""


def caption(tables: Sequence[Errors]) -> str:
    """Return the caption: what an error is, over how many draws it is, and how the penalties were chosen."""
    return (
        f"|estimate - parameter|_1 of instance 0: mean and 95 % bootstrap interval over {tables[0].draws} draws of the "
        "regressions; where several constants of the penalty were tried, every estimator has the one with the "
        "smallest error on other draws, chosen in each sweep."
    )


def stated_in(tables: Sequence[Errors], verdicts: Sequence[Verdict]) -> dict[str, dict[str, float]]:
    """Return the slopes that the paper states for its own estimator: ``regime setting`` -> in words -> the slope.

    verdicts: those on the figure. On a linear axis a slope is no line, and none is given.
    """
    found: dict[str, dict[str, float]] = {}
    own = [one for one in verdicts if one.claim.kind == "slope" and is_own(one.claim.selection.of)]
    for table in tables:
        for swept in table.sweeps:
            about = [one for one in own if one.claim.against == swept and one.data == (table.description,)]
            slopes = {
                bounded(f"{slope:z.2f}", one.claim.bound): slope
                for one in about
                if (slope := one.published) is not None
            }
            if slopes and swept not in LINEAR:
                found[f"{table.settings['regime']} {swept}"] = slopes
    return found


def summarise(tables: Sequence[Errors], stated: Mapping[str, Mapping[str, float]]) -> pd.DataFrame:
    """Return what is drawn, with the slopes that are stated of the paper's own estimator in words."""
    drawn = tabulate(tables)
    own, keys = drawn["estimator"].map(is_own), drawn["regime"] + " " + drawn["swept"]
    return drawn.assign(
        stated_slope=keys.map({key: " or ".join(one) for key, one in stated.items()}).where(own).fillna("")
    )


def panels_of(drawn: pd.DataFrame, settings: Mapping[str, Any], facts: Mapping[str, Any]) -> Iterator[Panel | None]:
    """Return a row of panels per regime, one per sweep. facts: ``stated``, see `stated_in`."""
    looks = looks_of(drawn["estimator"])
    columns = drawn.groupby("regime")["swept"].nunique().max()
    for regime, table in drawn.groupby("regime", sort=False):
        sweeps = table.groupby("swept", sort=False)
        row = [_panel(str(regime), str(swept), part, looks, facts) for swept, part in sweeps]
        yield from (*(replace(one, legend=False) for one in row[:-1]), row[-1], *[None] * (columns - len(row)))


def _panel(regime: str, swept: str, table: pd.DataFrame, looks: Mapping[str, Look], facts: Mapping[str, Any]) -> Panel:
    """Return the panel of a sweep, with the rates that are stated, through the middle of the own estimator's errors."""
    rows = rows_of(table, series="estimator", x="value")
    slopes = facts.get("stated", {}).get(f"{regime} {swept}", {})
    own = rows[rows["series"].map(is_own)]
    places, middle = own["x"].to_numpy(float), np.exp(np.log(own["mean"]).mean())
    rates = [middle * (places / np.exp(np.log(places).mean())) ** slope for slope in slopes.values()]
    linear, label = swept in LINEAR, AXES[swept]
    ticks = {value: written_out(value) for value in sorted(rows["x"].unique())}
    return Panel(
        title="; ".join([f"{regime} regime", *([f"stated: {' or '.join(slopes)}"] if slopes else [])]),
        rows=rows,
        x=Axis(label) if linear else log_axis(label, rows["x"], ticks),
        y=log_axis("error", rows[["low", "high"]]),
        series=listed_names(rows),
        looks=looks,
        lines=[Line(places.tolist(), rate.tolist()) for rate in rates],
    )


def figure_of(drawn: pd.DataFrame, words: Words, facts: Mapping[str, Any]) -> Figure:
    """Return the figure of a table."""
    panels = list(panels_of(drawn, {}, facts))
    rows = drawn["regime"].nunique()
    columns = len(panels) // rows
    return drawing.figure_of(panels, words, (3.1 * columns + 2.0, 2.8 * rows), columns)


def pictures(args: argparse.Namespace) -> list[Picture]:
    """Return the picture of some tables of errors."""
    tables, verdicts = load_errors(args.runs), load_measured(args.verdicts)
    regimes = {table.path.stem: f"regressions of the {table.settings['regime']} regime" for table in tables}
    stated = stated_in(tables, verdicts)
    drawn = summarise(tables, stated)
    facts = {
        "caption": f"{caption(tables)}{STATED if stated else ''}",
        "seen": message(verdicts, place_of(args.title), regimes),
        "data": [table.description for table in tables],
        "stand_in": False,
        "stated": stated,
    }
    return [Picture(args.out, figure_of(drawn, words_of(args.title, facts), facts), drawn, facts)]


GIVEN = {"runs": {**RUNS, "help": "tables of errors"}, "verdicts": VERDICTS}
KIND = Kind("Draw the errors of estimators over sweeps.", pictures, GIVEN, panels_of)
main = KIND.main

if __name__ == "__main__":
    run_script(main)
