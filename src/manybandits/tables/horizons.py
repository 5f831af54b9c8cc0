"""Regret at several horizons, and the slope of its log against the log of the horizon.

Every horizon is a run of its own, whose policy was told it. Beside that slope is the one within the longest run, over
its first part of each length: the two differ where a policy derives from its horizon how much it explores.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from manybandits.base.exceptions import InputError, run_script
from manybandits.base.statistics import slope
from manybandits.base.table_files import Form, Markdown
from manybandits.results.display_names import algorithm_name
from manybandits.results.measures import final_regret
from manybandits.results.runs import Run
from manybandits.results.summaries import names_of, summary_columns
from manybandits.tables.layout import Block, Layout, by_game, lost_words

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
                regret = summary_columns(final_regret(run), "regret")
                rows.append({**names_of(run), "horizon": _horizon(run), **regret, "lost": run.lost, **found})
    return pd.DataFrame(rows)


def blocks(table: pd.DataFrame, form: Form) -> Iterator[Block]:
    """Yield one block per game; of the horizons LaTeX has the shortest and the longest alone."""
    for heading, shared, game in by_game(table, form):
        lengths = [f"T = {horizon:,}" for horizon in sorted(game["horizon"].unique())]
        head = lengths if form is Markdown else ["shortest", "longest"]
        rows = [_cells(name, line, form) for name, line in game.groupby("algorithm", sort=False)]
        yield Block(heading, shared, ["algorithm", *head, "slope", "within the longest run"], rows)


def _horizon(run: Run) -> int:
    return int(run.settings["horizon"])


def _within(longest: Run, horizons: Sequence[int]) -> dict[float, np.ndarray]:
    """Return the regret of one run at the last checkpoint before or at each horizon: rounds -> (n,)."""
    places = sorted({int(np.searchsorted(longest.rounds, one, side="right")) - 1 for one in horizons} - {-1})
    return {float(longest.rounds[place]): longest.regret[:, place] for place in places}


def _columns(prefix: str, points: dict[float, np.ndarray]) -> dict[str, float]:
    return dict(zip((f"{prefix}slope", f"{prefix}slope_low", f"{prefix}slope_high"), slope(points), strict=True))


def _cells(name: object, line: pd.DataFrame, form: Form) -> list[str]:
    """Return the algorithm, its regret at the horizons, and both slopes with their intervals."""
    rows: list[dict] = line.to_dict("records")
    shown = rows if form is Markdown else [rows[0], rows[-1]]
    regrets = [lost_words(row) if row["lost"] else form.spread(row["regret"], row["std"], ".1f") for row in shown]
    slopes = [
        ""
        if np.isnan(rows[0][f"{prefix}slope"])
        else "{:+z.2f} [{:+z.2f}, {:+z.2f}]".format(
            *(rows[0][f"{prefix}{end}"] for end in ("slope", "slope_low", "slope_high"))
        )
        for prefix in ("", "within_")
    ]
    return [form.text(algorithm_name(name)), *regrets, *slopes]


TABLE = Layout("Tabulate regret at several horizons with its slope.", summarise, blocks, lambda *_: NOTE)
main = TABLE.main

if __name__ == "__main__":
    run_script(main)
