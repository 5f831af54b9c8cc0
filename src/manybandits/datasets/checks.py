"""What tidy data must be, whatever their source: the columns of their kind, no NaN, and values that can be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from manybandits.base.exceptions import InputError
from manybandits.datasets.base import FEATURES_FILE, Dataset, Tidy

LEAST_STAR, MOST_STARS = 0.0, 5.0
COLUMNS = {
    "ratings.parquet": ("user", "item", "rating"),
    "edges.parquet": ("source", "target"),
    "images.npz": ("images", "labels"),
    "rows.parquet": ("label",),
    "log.npz": ("arm", "click", "contexts"),
    "user_artists.parquet": ("user", "artist", "weight"),
    "tagged_artists.parquet": ("user", "artist", "tag"),
    "tags.parquet": ("tag", "name"),
    "artists.parquet": ("artist", "name"),
}
"""The columns, or arrays, that a tidy file has at least."""
MOST_IDS = 2**31
NUMBERED = {"user", "item", "source", "target", "arm", "artist", "tag"}
"""The columns of whole numbers from 0 on."""


def check_tidy(dataset: Dataset, tidy: Tidy) -> None:
    """Raise InputError naming the data set, the file and the column that is not as its kind of data has it."""
    for file in dataset.tidy_files:
        if file not in tidy:
            raise InputError(f"{dataset.name}: tidy returns no {file}, which {dataset.kind} have.")
    for file, content in tidy.items():
        try:
            _check_file(file, content)
            if file == "ratings.parquet" and not dataset.counts.get("repeated"):
                _check_pairs(content)
        except InputError as error:
            raise InputError(f"{dataset.name}, {file}: {error}") from error


def _check_file(file: str, content: pd.DataFrame | Mapping[str, Any]) -> None:
    columns = {str(name): np.asarray(column) for name, column in content.items()}
    for name in COLUMNS.get(file, ()):
        if name not in columns:
            raise InputError(f"there is no column {name!r}.")
    lengths = {len(column) for column in columns.values()}
    if file != FEATURES_FILE and (len(lengths) != 1 or 0 in lengths):
        raise InputError(f"its columns have {sorted(lengths)} entries: all have the same number, and at least one.")
    for name, column in columns.items():
        if column.dtype.kind == "f":
            _refuse(name, column, ~np.isfinite(column), "is NaN or infinite")
        elif column.dtype.kind == "O":
            _refuse(name, column, np.asarray(pd.isna(column)), "is missing")
        if name in NUMBERED and column.dtype.kind not in "iu":
            raise InputError(f"column {name!r} holds {column.dtype}, not whole numbers.")
        if name in NUMBERED:
            _refuse(name, column, column < 0, "is below 0")
            _refuse(name, column, column >= MOST_IDS, "is too large: number them from 0, as `renumber` does")
    if file == "ratings.parquet" and not set(np.unique(columns["rating"])) <= {-1.0, 1.0}:
        wrong = (columns["rating"] < LEAST_STAR) | (columns["rating"] > MOST_STARS)
        _refuse("rating", columns["rating"], wrong, "is neither a star from 0 to 5 nor are all of them -1 and 1")


def _check_pairs(content: pd.DataFrame | Mapping[str, Any]) -> None:
    """Raise InputError if a user rates an item twice, where the declaration counts no repeated pairs."""
    pairs = pd.DataFrame({name: np.asarray(content[name]) for name in ("user", "item")})
    repeated = np.flatnonzero(pairs.duplicated())
    if repeated.size:
        second = int(repeated[0])
        first = int(np.flatnonzero((pairs == pairs.iloc[second]).all(axis=1))[0])
        user, item = pairs.iloc[second]
        raise InputError(
            f"rows {first + 1} and {second + 1}: user {user} rates item {item} twice; keep one of them, or declare how "
            "many pairs are repeated as counts={'repeated': ...}."
        )


def _refuse(name: str, column: np.ndarray, wrong: np.ndarray, what: str) -> None:
    """Raise InputError for the first entry that is wrong; do nothing if none is."""
    if wrong.any():
        place = tuple(int(index) for index in np.argwhere(wrong)[0])
        raise InputError(f"row {place[0] + 1}, column {name!r}: {column[place]} {what}.")
