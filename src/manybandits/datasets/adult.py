"""Adult: whether a person earns more than 50,000 dollars, by 14 census attributes."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from manybandits.datasets._classification import tidy_rows
from manybandits.datasets.base import Dataset, File, Tidy

ADDRESS = "https://archive.ics.uci.edu/ml/machine-learning-databases/adult/"
COLUMNS = (
    "age workclass fnlwgt education education-num marital-status occupation relationship race sex "
    "capital-gain capital-loss hours-per-week native-country label"
).split()

DATASET = Dataset(
    name="adult",
    family="adult",
    title="Adult",
    kind="rows",
    completeness="complete",
    licence="CC BY 4.0 (UCI)",
    citation="UCI Machine Learning Repository, Adult",
    home="https://archive.ics.uci.edu/dataset/2/adult",
    counts={"rows": 48_842, "classes": 2, "largest_class": 37_155, "incomplete": 3_620},
    files=(
        File(
            "adult.data",
            ADDRESS + "adult.data",
            "sha256:5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d",
        ),
        File(
            "adult.test",
            ADDRESS + "adult.test",
            "sha256:a2a9044bc167a35b2361efbabec64e89d69ce82d9790d2980119aac5fd7e9c05",
        ),
    ),
    notes="A question mark, which marks an unknown value, is kept as a category of its own.",
)


def tidy(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the tidy table, training rows first, and its counts."""
    train = pd.read_csv(raw["adult.data"], names=COLUMNS, skipinitialspace=True)
    test = pd.read_csv(raw["adult.test"], names=COLUMNS, skipinitialspace=True, skiprows=1)
    table = pd.concat([train, test], ignore_index=True)
    table["label"] = table["label"].str.rstrip(".")  # the test file ends its labels with a full stop
    tidy_table, counts = tidy_rows(table)
    return tidy_table, {**counts, "incomplete": int((table == "?").any(axis=1).sum())}
