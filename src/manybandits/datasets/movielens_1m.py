"""MovieLens 1M: ratings of movies."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from manybandits.datasets._archives import open_packed, open_zip_member
from manybandits.datasets._movielens import CITATION, LICENCE, tidy_ratings
from manybandits.datasets.base import Dataset, File, Tidy

DATASET = Dataset(
    name="movielens-1m",
    family="movielens",
    title="MovieLens 1M",
    kind="ratings",
    completeness="complete",
    licence=LICENCE,
    citation=CITATION,
    home="https://grouplens.org/datasets/movielens/1m/",
    counts={
        "ratings": 1_000_209,
        "users": 6_040,
        "items": 3_706,
        "rated 1": 56_174,
        "rated 2": 107_557,
        "rated 3": 261_197,
        "rated 4": 348_971,
        "rated 5": 226_310,
    },
    files=(
        File(
            "ml-1m.zip",
            "https://files.grouplens.org/datasets/movielens/ml-1m.zip",
            "sha256:a6898adb50b9ca05aa231689da44c217cb524e7ebd39d264c56e2832f2c54e20",
        ),
    ),
    copies=(
        File("ratings.dat.xz", checksum="sha256:b00ed8facdbcbb3c3b0c4fbaeb77d9635694f17459d9b58eb76800f4301b54b2"),
    ),
    notes="The copy has all ratings in official order, but lacks the timestamps of half of them: no time is kept.",
)


def tidy(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the tidy table and its counts."""
    path = next(iter(raw.values()))
    with open_packed(path) if path.suffix == ".xz" else open_zip_member(path, "ml-1m/ratings.dat") as file:
        # Fields are separated by "::", so every second column is empty.
        table = pd.read_csv(file, sep=":", usecols=[0, 2, 4], names=range(7), header=None)
    table.columns = pd.Index(["user", "item", "rating"])
    tables, counted = tidy_ratings(table)
    given = table["rating"].value_counts().sort_index()
    return tables, {**counted, **{f"rated {stars}": int(count) for stars, count in given.items()}}
