"""Summaries of a grid of hyper-parameters: the final reward at every grid point of every algorithm."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from manybandits.results.runs import Run, load_points
from manybandits.results.summaries import flat, names_of, summary_columns


def summarise(panels: Sequence[Sequence[Run]]) -> pd.DataFrame:
    """Return one row per environment, algorithm and grid point, in the order of the grid; the best point is marked.

    Raises InputError for a run that was not tuned by ``best-of-grid``: its grid points played other seeds.
    """
    rows = []
    for run in flat(panels):
        points = load_points(run)
        best = max(points, key=lambda values: np.nan_to_num(points[values].mean(), nan=-np.inf))
        for values, final in points.items():
            columns = summary_columns(final, mean="reward")
            rows.append(
                {
                    **names_of(run),
                    "values": values,
                    **columns,
                    "lost": int(np.isnan(final).sum()),
                    "reward_per_round": columns["reward"] / run.rounds[-1],
                    "mark": "best" if values == best else "",
                }
            )
    return pd.DataFrame(rows)
