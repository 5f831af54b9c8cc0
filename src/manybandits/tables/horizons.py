"""Regret at several horizons, and the slope of its log against the log of the horizon.

Every horizon is a run of its own, whose policy was told it. Beside that slope is the one within the longest run, over
its first part of each length: the two differ where a policy derives from its horizon how much it explores.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from manybandits.base.exceptions import InputError, run_script
from manybandits.base.statistics import slope
from manybandits.base.table_files import Form, Latex, Markdown
from manybandits.results.display_names import algorithm_name
from manybandits.results.measures import final_regret
from manybandits.results.runs import Run
from manybandits.results.summaries import summary_columns
from manybandits.tables.command_line import lost_words, write_table

NOTE = (
    "Regret after all rounds of runs with different horizons, mean ± standard deviation over runs. Slope: of the log "
    "of the mean regret against the log of the horizon, with its 95 % bootstrap interval over the seeds, which all "
    "horizons share. Within the longest run: the same over the first rounds of that run, as many as each horizon has."
)


def summarise(panels: Sequence[Sequence[Run]]) -> pd.DataFrame:
    """Return one row per environment, algorithm and horizon, with both slopes; NaN slopes where runs were lost."""
    rows = []
    for runs in panels:
        for title in dict.fromkeys(run.title for run in runs):
            kin = sorted((run for run in runs if run.title == title), key=_horizon)
            if len(kin) < 2:
                raise InputError(
                    f"{kin[0].path} is the only run of {title} on its game: a slope needs two horizons; add a run."
                )
            whole = not any(run.lost for run in kin)
            found = {
                **_columns("", {_horizon(run): final_regret(run) for run in kin} if whole else {}),
                **_columns("within_", _within(kin[-1], list(map(_horizon, kin))) if whole else {}),
            }
            for run in kin:
                names = {"environment": run.environment["name"], "data": run.environment["data_note"]}
                points = {"algorithm": title, "horizon": _horizon(run), **summary_columns(final_regret(run), "regret")}
                rows.append({**names, **points, "lost": run.lost, **found})
    return pd.DataFrame(rows)


def markdown(table: pd.DataFrame, title: str) -> str:
    """Return the table as Markdown, one block per environment."""
    blocks = []
    for (environment, data), rows in table.groupby(["environment", "data"], sort=False):
        horizons = [f"T = {horizon:,}" for horizon in sorted(rows["horizon"].unique())]
        columns = ["algorithm", *horizons, "slope", "within the longest run"]
        cells = [_cells(name, line, Markdown) for name, line in rows.groupby("algorithm", sort=False)]
        blocks.append((f"**{environment}** ({data})", Markdown.table(columns, "l" + "r" * (len(columns) - 1), cells)))
    return Markdown.page(title, NOTE, blocks)


def latex(table: pd.DataFrame, title: str) -> str:
    """Return the table as LaTeX: the slopes, one group of rows per environment."""
    groups = [
        [
            [Latex.text(environment), *(_cells(name, line, Latex)[place] for place in (0, 1, -3, -2, -1))]
            for name, line in rows.groupby("algorithm", sort=False)
        ]
        for environment, rows in table.groupby("environment", sort=False)
    ]
    columns = ["environment", "algorithm", "shortest", "longest", "slope", "within the longest run"]
    return Latex.page(title, NOTE, columns, "llrrrr", groups)


def _horizon(run: Run) -> int:
    return int(run.settings["horizon"])


def _within(longest: Run, horizons: Sequence[int]) -> dict[float, np.ndarray]:
    """Return the regret of one run at the last checkpoint before or at each horizon: rounds -> (n,)."""
    places = sorted({int(np.searchsorted(longest.rounds, one, side="right")) - 1 for one in horizons} - {-1})
    return {float(longest.rounds[place]): longest.regret[:, place] for place in places}


def _columns(prefix: str, points: dict[float, np.ndarray]) -> dict[str, float]:
    return dict(zip((f"{prefix}slope", f"{prefix}slope_low", f"{prefix}slope_high"), slope(points), strict=True))


def _cells(name: object, line: pd.DataFrame, form: Form) -> list[str]:
    """Return the algorithm, its regret at every horizon, and both slopes with their intervals."""
    rows: list[dict] = line.to_dict("records")
    regrets = [lost_words(row) if row["lost"] else form.spread(row["regret"], row["std"], ".1f") for row in rows]
    slopes = [
        ""
        if np.isnan(rows[0][f"{prefix}slope"])
        else "{:+z.2f} [{:+z.2f}, {:+z.2f}]".format(
            *(rows[0][f"{prefix}{end}"] for end in ("slope", "slope_low", "slope_high"))
        )
        for prefix in ("", "within_")
    ]
    return [form.text(algorithm_name(name)), *regrets, *slopes]


def main(argv: list[str] | None = None) -> None:
    """Write the table of regrets at several horizons, from run tables."""
    meaning = "Tabulate regret at several horizons with its slope."
    write_table(argv, meaning, summarise, markdown, latex, lambda _: NOTE)


if __name__ == "__main__":
    run_script(main)
