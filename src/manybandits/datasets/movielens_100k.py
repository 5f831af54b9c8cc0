"""MovieLens 100K: ratings of movies."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from manybandits.datasets._archives import open_zip_member
from manybandits.datasets._movielens import CITATION, LICENCE, tidy_ratings
from manybandits.datasets.base import Dataset, File, Tidy

DATASET = Dataset(
    name="movielens-100k",
    family="movielens",
    title="MovieLens 100K",
    kind="ratings",
    completeness="complete",
    licence=LICENCE,
    citation=CITATION,
    home="https://grouplens.org/datasets/movielens/100k/",
    counts={"ratings": 100_000, "users": 943, "items": 1_682},
    files=(
        File(
            "ml-100k.zip",
            "https://files.grouplens.org/datasets/movielens/ml-100k.zip",
            "sha256:50d2a982c66986937beb9ffb3aa76efe955bf3d5c6b761f4e3a7cd717c6a3229",
        ),
    ),
    copies=(File("u.data", checksum="sha256:06416e597f82b7342361e41163890c81036900f418ad91315590814211dca490"),),
)


def tidy(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the tidy table and its counts."""
    source = raw["u.data"] if "u.data" in raw else open_zip_member(raw["ml-100k.zip"], "ml-100k/u.data")
    return tidy_ratings(pd.read_csv(source, sep="\t", usecols=[0, 1, 2], names=["user", "item", "rating"]))
