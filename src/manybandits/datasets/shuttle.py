"""Statlog (Shuttle): 9 sensor readings of a space shuttle, in 7 classes."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from manybandits.datasets._classification import tidy_rows
from manybandits.datasets.base import Dataset, File, Tidy

DATASET = Dataset(
    name="shuttle",
    family="shuttle",
    title="Statlog (Shuttle)",
    kind="rows",
    completeness="complete",
    licence="CC BY 4.0 (UCI)",
    citation="UCI Machine Learning Repository, Statlog (Shuttle)",
    home="https://archive.ics.uci.edu/dataset/148/statlog+shuttle",
    counts={"rows": 58_000, "classes": 7, "largest_class": 45_586},
    files=(
        # The training rows are published as shuttle.trn.Z, which Python cannot read.
        File("shuttle.trn", "", "sha256:87b24ee9fb5137e1d417659cf905d84d0e15342bbaa60770f1ae83da1a38200a"),
        File(
            "shuttle.tst",
            "https://archive.ics.uci.edu/ml/machine-learning-databases/statlog/shuttle/shuttle.tst",
            "sha256:f776934a628d9b94c482cb058a76ddaa63823e0f74aec065813c9dff3b89d661",
        ),
    ),
    by_hand="take shuttle.trn.Z and shuttle.tst from https://archive.ics.uci.edu/ml/machine-learning-databases/statlog/"
    "shuttle/, unpack the first with `gzip -d`, and place shuttle.trn and shuttle.tst in {folder}.",
)

COLUMNS = [*(f"attribute_{number}" for number in range(1, 10)), "label"]


def tidy(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the tidy table, training rows first, and its counts."""
    parts = [pd.read_csv(raw[name], sep=" ", names=COLUMNS) for name in ("shuttle.trn", "shuttle.tst")]
    return tidy_rows(pd.concat(parts, ignore_index=True))
