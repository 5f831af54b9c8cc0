"""Mushroom: whether a mushroom is edible or poisonous, by 22 categorical attributes."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from manybandits.datasets._classification import tidy_rows
from manybandits.datasets.base import Dataset, File, Tidy

COLUMNS = (
    "label cap-shape cap-surface cap-color bruises odor gill-attachment gill-spacing gill-size gill-color "
    "stalk-shape stalk-root stalk-surface-above-ring stalk-surface-below-ring stalk-color-above-ring "
    "stalk-color-below-ring veil-type veil-color ring-number ring-type spore-print-color population habitat"
).split()

DATASET = Dataset(
    name="mushroom",
    family="mushroom",
    title="Mushroom",
    kind="rows",
    completeness="complete",
    licence="CC BY 4.0 (UCI)",
    citation="UCI Machine Learning Repository, Mushroom",
    home="https://archive.ics.uci.edu/dataset/73/mushroom",
    counts={"rows": 8_124, "classes": 2, "largest_class": 4_208, "missing": 2_480},
    files=(
        File(
            "agaricus-lepiota.data",
            "https://archive.ics.uci.edu/ml/machine-learning-databases/mushroom/agaricus-lepiota.data",
            "sha256:e65d082030501a3ebcbcd7c9f7c71aa9d28fdfff463bf4cf4716a3fe13ac360e",
        ),
    ),
    notes="A question mark, the value of a missing stalk-root, is kept as a category of its own.",
)


def tidy(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the tidy table and its counts."""
    table = pd.read_csv(raw["agaricus-lepiota.data"], names=COLUMNS)
    tidy_table, counts = tidy_rows(table)
    return tidy_table, {**counts, "missing": int((table["stalk-root"] == "?").sum())}
