"""Readers and licence shared by the MovieLens releases."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from manybandits.datasets._archives import open_zip_member
from manybandits.datasets.base import Tidy, count_ratings, renumber

LICENCE = "GroupLens research licence: no commercial use, no redistribution without permission"
CITATION = "Harper and Konstan 2015, The MovieLens Datasets, ACM TiiS 5(4)"


def read_ratings_csv(archive: Path, member: str) -> tuple[Tidy, dict[str, int]]:
    """Read a table ``userId,movieId,rating,timestamp`` from a zip archive; return the tidy table and its counts."""
    with open_zip_member(archive, member) as file:
        table = pd.read_csv(file, usecols=[0, 1, 2], names=["user", "item", "rating"], header=0)
    return tidy_ratings(table)


def tidy_ratings(table: pd.DataFrame) -> tuple[Tidy, dict[str, int]]:
    """Return a table of ratings as tidy, with users and movies numbered from 0, and its counts."""
    ratings = renumber(table)
    return {"ratings.parquet": ratings}, count_ratings(ratings)
