"""Slopes of errors on logarithmic axes beside the slopes of the rates that Xu and Bastani state (their Table 1).

A stated rate is a formula in n, d, N and s and not a power, so its slope is fitted to its values at the points that
were measured, with constants 1. It is a range where another term of the formula becomes the largest between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from manybandits.base.exceptions import InputError, run_script
from manybandits.base.statistics import slope
from manybandits.base.table_files import Form
from manybandits.results.display_names import algorithm_name
from manybandits.results.error_table import LETTERS, TABLE_1, Errors, load_errors, stated_rate
from manybandits.tables.layout import Block, Layout

ONE_NUMBER = 0.1
"""A stated slope is shown as one number where it varies by no more than this over the points."""
NOTE = (
    "Slope of the log of the mean error against the log of the swept setting, and its 95 % bootstrap interval over "
    "draws of the regressions. In brackets the slope of the rate that the paper states, constants 1, at the same "
    "points; the two ends of its range where it is not one number. Rates are lower bounds in the worst case, that of "
    "the robust estimator is an upper bound, and all leave out constants and logarithms."
)


def summarise(tables: Sequence[Errors]) -> pd.DataFrame:
    """Return one row per regime, swept setting and estimator: the measured slope, and the stated one with its range."""
    rows = []
    for table in tables:
        regime = table.settings["regime"]
        for swept, estimators in table.sweeps.items():
            if swept not in LETTERS:
                raise InputError(
                    f"{table.path} sweeps {swept}, but Table 1 states rates in {', '.join(LETTERS)} only: leave it out."
                )
            for name, points in ((name, estimators[name]) for name in TABLE_1):
                values = np.array(list(points))
                stated = np.array([stated_rate(name, regime, {**table.settings, swept: value}) for value in values])
                pieces = np.diff(np.log(stated)) / np.diff(np.log(values))
                fitted, _, _ = slope(dict(zip(values, stated[:, None], strict=True)))
                measured = slope(points)
                numbers = *measured, fitted, float(pieces.min()), float(pieces.max())
                bound = "upper" if name == "Robust multitask" else "lower"
                constant = table.facts["constants"][swept].get(name, np.nan)
                rows.append(
                    (regime, swept, name, *numbers, bound, constant, len(points), len(next(iter(points.values()))))
                )
    columns = ["regime", "swept", "estimator", "slope", "low", "high", "stated", "stated_least", "stated_most"]
    return pd.DataFrame(rows, columns=[*columns, "bound", "constant", "points", "n"])


def blocks(table: pd.DataFrame, form: Form) -> Iterator[Block]:
    """Yield one block per regime."""
    for regime, block in table.groupby("regime", sort=False):
        letters = [form.math(LETTERS[swept]) for swept in block["swept"].unique()]
        rows = [
            [form.text(algorithm_name(name)), *_cells(line)] for name, line in block.groupby("estimator", sort=False)
        ]
        yield Block(f"**{regime} regime**", [str(regime)], ["estimator", *letters], rows, "l")


def _cells(line: pd.DataFrame) -> list[str]:
    """Return, for every sweep, the measured slope with its interval, and the stated slope in brackets."""

    def shown(slope: float) -> str:
        return f"{slope:+z.2f}"

    cells = []
    for row in line.to_dict("records"):
        least, most = row["stated_least"], row["stated_most"]
        stated = shown(row["stated"]) if most - least <= ONE_NUMBER else f"{shown(least)} to {shown(most)}"
        cells.append(f"{shown(row['slope'])} [{shown(row['low'])}, {shown(row['high'])}] ({stated})")
    return cells


MEANING = "Tabulate slopes of errors beside the stated ones."
TABLE = Layout(MEANING, summarise, blocks, lambda *_: NOTE, ("regime",), load_errors)
main = TABLE.main

if __name__ == "__main__":
    run_script(main)
