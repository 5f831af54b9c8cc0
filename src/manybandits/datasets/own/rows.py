"""A classification table with one row per instance: a label, and all other columns as attributes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from manybandits.base.exceptions import InputError
from manybandits.datasets.own.dialect import DATE, MISSING, NUMBER
from manybandits.datasets.own.tables import INFINITE, OTHER_NUMBER, OwnTable, Read, Source, is_text, matches, read_table

MANY_WORDS = 100
"""Words of a column beyond which it is remarked that each becomes a column of its own."""
FEW_ROWS = 5
"""Rows up to which whole numbers may be in a row by chance."""
PADDED = r"[+-]?0\d.*"
"""A number with a leading zero, which is a code."""


def tidy(source: Source, label: str = "label", drop: Sequence[str] = ()) -> Read:
    """Return tidy rows, their counts and remarks.

    label: the column of classes; drop: columns to leave out. Raises InputError naming the first wrong row or column.
    """
    table = read_table(source).without(drop, "drop")
    labels = table.labels(label, "label")
    if label != "label" and "label" in table.frame:
        raise InputError(
            f"{table.path} has a column 'label' beside {label!r}: rename it, or leave it out by drop=label."
        )
    counts = labels.value_counts()
    if len(counts) == 1:
        raise InputError(
            f"{table.path}, column {label!r} has one class only ({counts.index[0]}): name a column with two or more by "
            "label=COLUMN."
        )
    if 2 * len(counts) > len(labels):
        raise InputError(
            f"{table.path}, column {label!r} has {len(counts)} classes in {len(labels)} rows, too few rows of each: "
            "name a column of classes by label=COLUMN."
        )
    columns = attributes(table, table.frame.columns.drop(label).to_list())
    rows = columns.assign(label=labels)
    return Read({"rows.parquet": rows}, {"rows": len(rows), "classes": len(counts)}, remarks(columns))


def remarks(columns: pd.DataFrame) -> list[str]:
    """Return what is odd about columns of numbers and words, in sentences."""
    found, rows = [], len(columns)
    for name, column in columns.items():
        values, numeric = column.nunique(), column.dtype != object
        if values == 1:
            found.append(f"Column {name!r} has one value only, so it tells nothing: leave it out by drop={name}.")
        elif numeric and values == rows == column.max() - column.min() + 1 and rows > FEW_ROWS:
            found.append(f"Column {name!r} numbers the rows, so it tells nothing: leave it out by drop={name}.")
        elif not numeric and values > MANY_WORDS:
            found.append(
                f"Column {name!r} has {values:,} words, which become as many columns of 0 and 1: if they mean numbers, "
                f"write them like 4.5; else think of fewer groups, or leave it out by drop={name}."
            )
    return found


def attributes(
    table: OwnTable, names: Sequence[str], cure: str = "leave it out by drop={}", one_each: bool = False
) -> pd.DataFrame:
    """Return columns of numbers (float64) or words; raise InputError naming the first wrong row or column.

    cure: how a column is left out; one_each: whether every row may have a word of its own.
    """
    found: dict[str, pd.Series | np.ndarray] = {}
    for name in names:
        column, out = table.column(name, "drop"), cure.format(name)
        if not (is_text(column) or pd.api.types.is_numeric_dtype(column)):
            raise InputError(f"{table.path}, column {name!r} holds {column.dtype}: make it numbers or words, or {out}.")
        if is_text(column) and not _are_numbers(table, column, name, out):
            if len(column) > 1 and column.is_unique and not one_each:
                raise InputError(
                    f"{table.path}, column {name!r} has another word in every row, so it tells nothing: {out}."
                )
            found[name] = column.astype(object)
        else:
            found[name] = table.numbers(name, "drop")
    if not found:
        raise InputError(f"{table.path} has no attributes beside its label: add columns of features.")
    return pd.DataFrame(found)


def _has_one_unit(column: pd.Series) -> bool:
    """Return whether all values are numbers with one unit, before or behind them, and some have a point or a comma."""
    # pyrefly: ignore[bad-argument-type]
    parts = pd.Series(column.unique()).str.extract(r"^([^\d+.-]*)[+-]?(\d[\d.,]*)([^\d]*)$")
    before, number, behind = (parts[place] for place in parts)
    fractions = number.notna().all() and number.str.contains(r"\d[.,]\d").any()
    return bool(fractions) and before.nunique() == behind.nunique() == 1


def _are_numbers(table: OwnTable, column: pd.Series, name: str, out: str) -> bool:
    """Return whether a column of text holds numbers; raise InputError if it holds neither numbers nor words."""
    number = matches(column, f"{NUMBER}|{INFINITE}")
    if number.all():
        return not matches(column, PADDED).any()
    other = ~number & matches(column, OTHER_NUMBER)
    if (other.any() and (number | other | matches(column, MISSING)).all()) or _has_one_unit(column):
        table.refuse(~number, name, "is not a number", f"write numbers like 4.5, with a point, or {out}")
    if matches(column, DATE).all():
        table.refuse(~number, name, "is a date", f"write a number, such as days since the first one, or {out}")
    if 2 * number.sum() >= len(number):
        cure = f"make all of them numbers, or all words, or {out}"
        table.refuse(~number, name, "is a word, but others are numbers", cure)
    return False
