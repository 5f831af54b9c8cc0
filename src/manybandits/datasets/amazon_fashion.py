"""Amazon Fashion: all ratings of this category of Amazon."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from manybandits.datasets.base import Dataset, File, Tidy, count_ratings, renumber

DATASET = Dataset(
    name="amazon-fashion",
    family="amazon-fashion",
    title="Amazon Fashion",
    kind="ratings",
    completeness="complete",
    licence="research use; cite Ni, Li and McAuley 2019",
    citation="Ni, Li and McAuley 2019, Justifying recommendations using distantly-labeled reviews",
    home="https://nijianmo.github.io/amazon/",
    counts={"ratings": 883_636},
    files=(
        File(
            "AMAZON_FASHION.csv",
            "https://mcauleylab.ucsd.edu/public_datasets/data/amazon_v2/categoryFilesSmall/AMAZON_FASHION.csv",
            "sha256:c72e84207601cd00840a91b9b4433c60b8be800a27aa86991f5cb57f29b99825",
        ),
    ),
)


def tidy(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the tidy table and its counts."""
    ratings = renumber(
        pd.read_csv(raw["AMAZON_FASHION.csv"], names=["item", "user", "rating", "time"], header=None)[
            ["user", "item", "rating"]
        ]
    )
    return {"ratings.parquet": ratings}, count_ratings(ratings)
