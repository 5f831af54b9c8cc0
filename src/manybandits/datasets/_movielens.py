"""Readers and licence shared by the MovieLens releases."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from manybandits.datasets._archives import open_zip_member
from manybandits.datasets.base import Tidy, count_ratings, renumber

LICENCE = "GroupLens research licence: no commercial use, no redistribution without permission"
CITATION = "Harper and Konstan 2015, The MovieLens Datasets, ACM TiiS 5(4)"


def read_ratings_csv(archive: Path, member: str) -> tuple[Tidy, dict[str, int]]:
    """Read ``userId,movieId,rating,timestamp`` with its header from a zip archive."""
    with open_zip_member(archive, member) as file:
        table = pd.read_csv(file, usecols=[0, 1, 2], names=["user", "item", "rating"], header=0)
    return tidy_ratings(table)


def tidy_ratings(table: pd.DataFrame) -> tuple[Tidy, dict[str, int]]:
    """Number users and movies from 0; return the tidy table and its counts."""
    ratings = renumber(table)
    return {"ratings.parquet": ratings}, count_ratings(ratings)
