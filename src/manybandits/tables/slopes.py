"""Slopes of errors on log axes beside the slopes of the rates that Xu and Bastani state (their Table 1).

A stated rate is a formula in n, d, N and s, not a power, so its slope is fitted to its values, constants 1, at the
points that were measured, and is one number only where no term takes over from another between them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from manybandits.base.exceptions import InputError, run_script
from manybandits.base.statistics import slope
from manybandits.results.error_table import LETTERS, Errors, load_errors, stated_rate
from manybandits.tables.command import escape, write_table

ONE_NUMBER = 0.1
"""A stated slope is one number if it varies by no more than this over the points."""
NOTE = (
    "Slope of the log of the mean error against the log of what is swept, and its 95 % bootstrap interval over draws "
    "of the regressions. In brackets the slope of the rate that the paper states, constants 1, at the same points; the "
    "two ends of its range where it is not one number. Rates are lower bounds in the worst case, that of the robust "
    "estimator is an upper bound, and all leave out constants and logarithms."
)


def summarise(tables: Sequence[Errors]) -> pd.DataFrame:
    """Return a row a regime, swept setting and estimator: the measured slope, and the stated one with its range."""
    rows = []
    for table in tables:
        regime = table.settings["regime"]
        for swept, estimators in table.sweeps.items():
            if swept not in LETTERS:
                raise InputError(f"{table.path} sweeps {swept}, but Table 1 states rates in {', '.join(LETTERS)} only.")
            for name, points in estimators.items():
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


def markdown(table: pd.DataFrame, title: str) -> str:
    """Return the table as Markdown, one block a regime."""
    lines = [f"# {title}", "", NOTE]
    for regime, block in table.groupby("regime", sort=False):
        heads = [LETTERS[swept] for swept in block["swept"].unique()]
        lines += ["", f"**{regime} regime**", "", f"| estimator | {' | '.join(heads)} |", "|---|" + "---|" * len(heads)]
        for name, line in block.groupby("estimator", sort=False):
            lines.append(f"| {name} | {' | '.join(_cells(line))} |")
    return "\n".join(lines) + "\n"


def latex(table: pd.DataFrame, title: str) -> str:
    """Return the table as a LaTeX ``tabular`` (package booktabs)."""
    heads = [f"${LETTERS[swept]}$" for swept in table["swept"].unique()]
    lines = [f"% {escape(title)}", rf"\begin{{tabular}}{{ll{'l' * len(heads)}}}", r"\toprule"]
    lines += [" & ".join(["regime", "estimator", *heads]) + r" \\"]
    for regime, block in table.groupby("regime", sort=False):
        lines.append(r"\midrule")
        for name, line in block.groupby("estimator", sort=False):
            lines.append(" & ".join([str(regime), str(name), *_cells(line)]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", f"% {escape(NOTE)}"]) + "\n"


def _cells(line: pd.DataFrame) -> list[str]:
    """Return of every sweep the measured slope with its interval, and the stated one in brackets."""

    def shown(slope: float) -> str:
        return f"{round(slope, 2) + 0.0:+.2f}"  # no negative zero

    cells = []
    for row in line.to_dict("records"):
        least, most = row["stated_least"], row["stated_most"]
        stated = shown(row["stated"]) if most - least <= ONE_NUMBER else f"{shown(least)} to {shown(most)}"
        cells.append(f"{shown(row['slope'])} [{shown(row['low'])}, {shown(row['high'])}] ({stated})")
    return cells


def main(argv: list[str] | None = None) -> None:
    """Write the table of the slopes of some tables of errors."""
    meaning = "Tabulate slopes of errors beside the stated ones."
    write_table(argv, meaning, summarise, markdown, latex, lambda table: NOTE, load_errors)


if __name__ == "__main__":
    run_script(main)
