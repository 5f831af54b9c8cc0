"""A classification table with one row per instance: a label, and all other columns as attributes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from manybandits.base.exceptions import InputError
from manybandits.datasets.base import Tidy
from manybandits.datasets.own.tables import OwnTable, read_table


def tidy(path: Path, label: str = "label", drop: Sequence[str] = ()) -> tuple[Tidy, dict[str, int]]:
    """Return tidy rows and their counts.

    label: the column of classes; drop: columns to leave out. Raises InputError naming the first wrong row or column.
    """
    table = read_table(path).without(drop, "--drop")
    labels = table.labels(label, "--label")
    if label != "label" and "label" in table.frame:
        raise InputError(f"{path} has a column 'label' beside {label!r}: rename it, or leave it out by --drop label.")
    counts = labels.value_counts()
    if len(counts) == 1:
        raise InputError(f"{path}, column {label!r} has one class only ({counts.index[0]}): a game needs two or more.")
    if 2 * len(counts) > len(labels):
        raise InputError(
            f"{path}, column {label!r} has {len(counts)} classes in {len(labels)} rows, too few rows of each: name a "
            "column of classes by --label COLUMN."
        )
    rows = attributes(table, table.frame.columns.drop(label).to_list()).assign(label=labels)
    return {"rows.parquet": rows}, {"rows": len(rows), "classes": len(counts)}


def attributes(table: OwnTable, names: Sequence[str]) -> pd.DataFrame:
    """Return columns of numbers (float64) or words; raise InputError naming the first wrong row or column."""
    found: dict[str, pd.Series | np.ndarray] = {}
    for name in names:
        column = table.column(name, "--drop")
        if pd.api.types.is_numeric_dtype(column):
            found[name] = table.numbers(name, "--drop")
            continue
        if not (pd.api.types.is_object_dtype(column) or pd.api.types.is_string_dtype(column)):
            raise InputError(
                f"{table.path}, column {name!r} holds {column.dtype}: make it numbers or words, or leave it out by "
                f"--drop {name}."
            )
        table.not_mixed(name)
        if len(column) > 1 and column.is_unique:
            raise InputError(
                f"{table.path}, column {name!r} has another word in every row, so it tells nothing: leave it out by "
                f"--drop {name}."
            )
        found[name] = column
    if not found:
        raise InputError(f"{table.path} has no attributes beside its label: add columns of features.")
    return pd.DataFrame(found)
