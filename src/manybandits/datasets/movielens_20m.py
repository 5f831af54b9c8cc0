"""MovieLens 20M: ratings of movies."""

from __future__ import annotations

from pathlib import Path

from manybandits.datasets._movielens import CITATION, LICENCE, read_ratings_csv
from manybandits.datasets.base import Dataset, File, Tidy

DATASET = Dataset(
    name="movielens-20m",
    family="movielens",
    title="MovieLens 20M",
    kind="ratings",
    completeness="complete",
    licence=LICENCE,
    citation=CITATION,
    home="https://grouplens.org/datasets/movielens/20m/",
    counts={"ratings": 20_000_263, "users": 138_493, "items": 26_744},
    files=(
        File(
            "ml-20m.zip",
            "https://files.grouplens.org/datasets/movielens/ml-20m.zip",
            "md5:cd245b17a1ae2cc31bb14903e1204af3",
        ),
    ),
)


def tidy(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the tidy table and its counts."""
    return read_ratings_csv(raw["ml-20m.zip"], "ml-20m/ratings.csv")
