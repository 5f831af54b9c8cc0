"""MovieLens latest-small, the release of September 2018: ratings of movies."""

from __future__ import annotations

from pathlib import Path

from manybandits.datasets._movielens import CITATION, LICENCE, read_ratings_csv
from manybandits.datasets.base import Dataset, File, Tidy

DATASET = Dataset(
    name="movielens-latest-small",
    family="movielens",
    title="MovieLens latest-small",
    kind="ratings",
    completeness="complete",
    licence=LICENCE,
    citation=CITATION,
    home="https://grouplens.org/datasets/movielens/latest/",
    counts={"ratings": 100_836, "users": 610, "items": 9_724},
    files=(
        File(
            "ml-latest-small.zip",
            "https://files.grouplens.org/datasets/movielens/ml-latest-small.zip",
            "sha256:696d65a3dfceac7c45750ad32df2c259311949efec81f0f144fdfb91ebc9e436",
        ),
    ),
)


def tidy(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the tidy table and its counts."""
    return read_ratings_csv(raw["ml-latest-small.zip"], "ml-latest-small/ratings.csv")
