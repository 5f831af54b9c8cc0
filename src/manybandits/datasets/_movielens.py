"""Readers and licence shared by the MovieLens releases."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import IO

import pandas as pd

from manybandits.core.errors import InputError
from manybandits.datasets.base import Tidy, count_ratings, renumber

LICENCE = "GroupLens research licence: no commercial use, no redistribution without permission"
CITATION = "Harper and Konstan 2015, The MovieLens Datasets, ACM TiiS 5(4)"


def read_member(archive: Path, member: str) -> IO[bytes]:
    """Open one named member of a zip archive; nothing else of the archive is read or written."""
    try:
        return zipfile.ZipFile(archive).open(member)
    except (zipfile.BadZipFile, KeyError) as error:
        raise InputError(f"{archive} has no readable {member}: delete it and fetch it again.") from error


def read_ratings_csv(archive: Path, member: str) -> tuple[Tidy, dict[str, int]]:
    """Read ``userId,movieId,rating,timestamp`` with its header from a zip archive."""
    with read_member(archive, member) as file:
        table = pd.read_csv(file, usecols=[0, 1, 2], names=["user", "item", "rating"], header=0)
    return tidy_ratings(table)


def tidy_ratings(table: pd.DataFrame) -> tuple[Tidy, dict[str, int]]:
    """Number users and movies from 0; return the tidy table and its counts."""
    ratings = renumber(table)
    return {"ratings.parquet": ratings}, count_ratings(ratings)
