"""Summaries of the errors of estimators over sweeps: the mean error with its interval at every value that is swept."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from manybandits.results.display_names import SETTINGS
from manybandits.results.error_table import Errors
from manybandits.results.summaries import summary_columns

AXES = {name: SETTINGS[name] for name in ("rows", "dimension", "instances", "support", "share", "omega", "constant")}
"""Label of the axis of every setting that can be swept."""
LINEAR = ("omega", "share")
"""The settings whose axis is linear; all others have a logarithmic axis."""


def summarise(tables: Sequence[Errors]) -> pd.DataFrame:
    """Return regime, swept setting, estimator, value, mean, std, low, high and n, one row per point."""
    rows = [
        (table.settings["regime"], swept, name, value, *summary_columns(errors).values())
        for table in tables
        for swept, estimators in table.sweeps.items()
        for name, points in estimators.items()
        for value, errors in points.items()
    ]
    return pd.DataFrame(rows, columns=["regime", "swept", "estimator", "value", "mean", "std", "low", "high", "n"])
