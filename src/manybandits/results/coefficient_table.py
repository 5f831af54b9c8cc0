"""Tables of coefficients of related regressions, for the figure of well and poorly aligned components."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from manybandits.base.artifacts import load_table
from manybandits.base.exceptions import InputError

COLUMNS = ("part", "instance", "component", "value")
PARTS = {
    "delta": "differences of the instances",
    "Averaging": "their mean",
    "Trimmed mean": "their trimmed mean",
    "Averaging multitask": "found by LASSO after the mean",
    "Robust multitask": "found by LASSO after the trimmed mean",
}
"""The parts of a table of coefficients, in words."""


def load_parts(path: Path) -> dict[str, np.ndarray]:
    """Read a table of coefficients: part -> (instances, components); raise InputError if it is not one."""
    table = load_table(path)
    if tuple(table.columns) != COLUMNS:
        raise InputError(
            f"{path} is not a table of coefficients: it has the columns {', '.join(table.columns)}; name another file."
        )
    parts = {str(part): rows for part, rows in table.groupby("part")}
    return {part: parts[part].pivot(index="instance", columns="component", values="value").to_numpy() for part in PARTS}
