"""MAGIC gamma telescope: whether an image shows signal or background, by 10 measurements."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from manybandits.datasets._classification import tidy_rows
from manybandits.datasets.base import Dataset, File, Tidy

COLUMNS = "fLength fWidth fSize fConc fConc1 fAsym fM3Long fM3Trans fAlpha fDist label".split()

DATASET = Dataset(
    name="magic",
    family="magic",
    title="MAGIC gamma telescope",
    kind="rows",
    completeness="complete",
    licence="CC BY 4.0 (UCI)",
    citation="UCI Machine Learning Repository, MAGIC Gamma Telescope",
    home="https://archive.ics.uci.edu/dataset/159/magic+gamma+telescope",
    counts={"rows": 19_020, "classes": 2, "largest_class": 12_332},
    files=(
        File(
            "magic04.data",
            "https://archive.ics.uci.edu/ml/machine-learning-databases/magic/magic04.data",
            "sha256:e9314b7ebd4b4b59a3b3d65f7316663963777b16a46786877651dbbaa640b36a",
        ),
    ),
)


def tidy(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the tidy table and its counts."""
    return tidy_rows(pd.read_csv(raw["magic04.data"], names=COLUMNS))
