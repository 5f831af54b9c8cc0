"""Summary of a play in one line: its regret, the chosen options, and the path of the run table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from manybandits.environments.offpolicy import too_few
from manybandits.results.run_table import describe


def summary_line(
    title: str,
    table: pd.DataFrame,
    grid: Sequence[Mapping[str, object]],
    chosen: Mapping[str, object],
    fate: str,
    out: Path,
) -> str:
    """Return the summary of a play.

    table: a run table; chosen: the point of `grid` that was chosen; fate: what happened to runs whose regret is NaN;
    out: the file of the run table.
    """
    reported = table[(table["stage"] == "evaluation") & table["chosen"]]
    rounds = int(reported["round"].max())
    regret = reported[reported["round"] == rounds]["regret"].to_numpy()
    runs = f"{len(regret)} run{'s' if len(regret) > 1 else ''}"
    tuned = {name: value for name, value in chosen.items() if len({point[name] for point in grid}) > 1}
    choice = f"; {describe(tuned).replace('=', ' ')} chosen of {len(grid)}" if tuned else ""
    lost = int(pd.isna(regret).sum())
    if lost:
        result = f"{lost} of {runs} {fate} before round {rounds:,}{choice}"
    elif len(regret) == 1:
        result = f"regret {regret[0]:,.1f} after {rounds:,} rounds ({runs}{choice})"
    else:
        spread = f"mean and standard deviation of {runs}"
        result = f"regret {regret.mean():,.1f} ± {regret.std(ddof=1):,.1f} after {rounds:,} rounds ({spread}{choice})"
    return f"{title}: {result}; written to {out}"


def effective_words(title: str, effective: Sequence[float], rounds: int) -> list[str]:
    """Return sentences on the effective sample sizes of the runs of a weighted estimate; none without such runs."""
    if not effective:
        return []
    mean = sum(effective) / len(effective)
    shown = f"The effective sample size of {title} is {mean:,.0f} of {rounds:,} rounds."
    return [too_few(mean, title) or shown]
