"""Tables of errors of estimators."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from manybandits.base.artifacts import save_table
from manybandits.estimators.comparison import DEFAULTS, ESTIMATORS

SWEEPS = {"rows": [100, 400, 1600], "support": [1, 3, 9]}
POWERS = dict(zip(ESTIMATORS, (-0.5, 0.0, 0.0, -0.25, 0.5, 0.0, -0.5), strict=True))
COLUMNS = ["swept", "value", "estimator", "seed", "error"]


def plant_errors(
    path: Path,
    errors: Iterable[tuple[str, float, str, int, float]],
    settings: Mapping[str, Any],
    facts: Mapping[str, Any],
) -> Path:
    """Write a table of errors; return its path. errors: rows of `COLUMNS`."""
    save_table(path, pd.DataFrame(errors, columns=COLUMNS), {"settings": settings, **facts})
    return path


def plant_powers(folder: Path, regime: str = "standard", sweeps: Mapping[str, Sequence[float]] = SWEEPS) -> Path:
    """Write a table in which the error of each estimator is a power of what is swept."""
    rng = np.random.default_rng(0)
    rows = [
        (swept, float(value), name, seed, value**power * (1 + 0.02 * rng.normal()))
        for swept, values in sweeps.items()
        for name, power in POWERS.items()
        for value in values
        for seed in range(12)
    ]
    settings = {**DEFAULTS, "regime": regime, "seeds": list(range(12))}
    facts = {"constants": {swept: {"Robust multitask": 2.0} for swept in sweeps}, "ridged": {}}
    return plant_errors(folder / f"{regime}.parquet", rows, settings, facts)
