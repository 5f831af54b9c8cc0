"""MovieLens 25M: ratings of movies."""

from __future__ import annotations

from pathlib import Path

from manybandits.datasets._movielens import CITATION, LICENCE, read_ratings_csv
from manybandits.datasets.base import Dataset, File, Tidy

DATASET = Dataset(
    name="movielens-25m",
    family="movielens",
    title="MovieLens 25M",
    kind="ratings",
    completeness="complete",
    licence=LICENCE,
    citation=CITATION,
    home="https://grouplens.org/datasets/movielens/25m/",
    counts={"ratings": 25_000_095, "users": 162_541, "items": 59_047},
    files=(
        File(
            "ml-25m.zip",
            "https://files.grouplens.org/datasets/movielens/ml-25m.zip",
            "md5:6b51fb2759a8657d3bfcbfc42b592ada",
        ),
    ),
)


def tidy(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the tidy table and its counts."""
    return read_ratings_csv(raw["ml-25m.zip"], "ml-25m/ratings.csv")
