"""Read a table of a user, CSV or Parquet, and check its columns."""

from __future__ import annotations

import csv
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from manybandits.base.exceptions import InputError, nearest

SEPARATORS = ",;\t|"
"""What may separate the columns of a CSV file: the one that its header has most of."""
ROW_NUMBERS = "__index_level_"
"""How the name of an index without a name starts, which pandas writes to Parquet as a column."""
NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"


@dataclass(frozen=True)
class OwnTable:
    """A table with at least one row and columns of different names. Rows are counted from 1, below the header."""

    path: Path
    frame: pd.DataFrame

    def column(self, name: str, option: str) -> pd.Series:
        """Return a column without missing values. option: the one that names it, for messages.

        Raises InputError if there is no such column, or if a row has no value in it.
        """
        if name not in self.frame:
            hint = nearest(name, map(str, self.frame.columns))
            raise InputError(f"{self.path} has no column {name!r}: {hint} Name it by {option} COLUMN.")
        column = self.frame[name]
        self.refuse(column.isna(), name, "has no value, or NaN", "fill it in, or leave the row out")
        return column

    def numbers(
        self, name: str, option: str, low: float = -np.inf, high: float = np.inf, positive: bool = False
    ) -> np.ndarray:
        """Return a column of numbers, (n,) float64.

        low, high: the least and the largest allowed; positive: whether they must be above 0. Raises InputError naming
        the first row with another value.
        """
        column = self.column(name, option)
        if not (pd.api.types.is_numeric_dtype(column) or _is_text(column)):
            raise InputError(f"{self.path}, column {name!r} holds {column.dtype}, not numbers: name another column.")
        values = pd.to_numeric(column, errors="coerce").astype(np.float64)
        self.refuse(values.isna(), name, "is not a number", "write numbers like 4.5, with a point")
        self.refuse(np.isinf(values), name, "is infinite", "give a finite number, or leave the row out")
        if positive:
            self.refuse(values <= 0, name, "is not above 0", "give a positive number")
        self.refuse(values < low, name, f"is below {low:g}", f"give numbers from {low:g} to {high:g}")
        self.refuse(values > high, name, f"is above {high:g}", f"give numbers from {low:g} to {high:g}")
        return values.to_numpy()

    def labels(self, name: str, option: str) -> pd.Series:
        """Return a column of names: whole numbers or words.

        Raises InputError naming the first row with a fraction, or with a word among numbers.
        """
        column = self.column(name, option)
        if pd.api.types.is_bool_dtype(column):
            return column.astype(np.int64)
        if pd.api.types.is_numeric_dtype(column):
            fraction = ~np.isfinite(column) | (column != np.floor(column))
            self.refuse(fraction, name, "is not a whole number", "give whole numbers or words")
            inexact = pd.api.types.is_float_dtype(column) & (column.abs() > 2**53)
            self.refuse(inexact, name, "is too large to be told from its neighbours", "store it as text")
            return column.astype(np.int64)
        if not _is_text(column):
            raise InputError(f"{self.path}, column {name!r} holds {column.dtype}: give whole numbers or words.")
        self.not_mixed(name)
        return column

    def not_mixed(self, name: str) -> None:
        """Raise InputError if a column of text has both numbers and words, naming the first row of the rarer kind."""
        column = self.frame[name]
        odd = column.map(lambda value: not isinstance(value, str))
        self.refuse(odd, name, "is neither a number nor a word", "give one of them")
        number = column.str.fullmatch(NUMBER)
        if number.any() and not number.all():
            rare = number if number.mean() < 0.5 else ~number
            kind, others = ("a number", "words") if number.mean() < 0.5 else ("a word", "numbers")
            self.refuse(rare, name, f"is {kind}, but others are {others}", "make all of them numbers, or all words")

    def refuse(self, wrong: pd.Series | np.ndarray, column: str, what: str, cure: str) -> None:
        """Raise InputError for the first row in which `wrong`, (n,) bool, is true; do nothing if it never is."""
        places = np.flatnonzero(np.asarray(wrong, bool))
        if places.size:
            value = self.frame[column].iloc[places[0]]
            shown = "" if pd.isna(value) else f" {_shown(value)}"
            raise InputError(f"{self.path}, row {places[0] + 1}, column {column!r}:{shown} {what}; {cure}.")

    def without(self, names: Sequence[str], option: str) -> OwnTable:
        """Return the table without some columns; raise InputError if there is no such column."""
        for name in names:
            if name not in self.frame:
                hint = nearest(name, map(str, self.frame.columns))
                raise InputError(f"{self.path} has no column {name!r} to leave out ({option}): {hint}")
        return OwnTable(self.path, self.frame.drop(columns=list(names)))


def check_different(columns: Mapping[str, str]) -> None:
    """Raise InputError if two options name the same column. columns: option -> column."""
    for name in columns.values():
        same = [other for other in columns if columns[other] == name]
        if len(same) > 1:
            raise InputError(f"{' and '.join(same)} name the same column {name!r}: give each a column of its own.")


def read_table(path: Path) -> OwnTable:
    """Read a CSV file (UTF-8, with a header) or a Parquet file.

    The row numbers that pandas writes, a first column without a name, are left out. Raises InputError if the file
    cannot be read, has no rows, or has two columns of one name.
    """
    if not path.is_file():
        raise InputError(f"{path} does not exist: give the path of a CSV or Parquet file.")
    readers = {".csv": _read_csv, ".tsv": _read_csv, ".txt": _read_csv, ".parquet": _read_parquet}
    if path.suffix.lower() not in readers:
        raise InputError(f"{path} is neither CSV nor Parquet by its name: give a file that ends in .csv or .parquet.")
    frame = readers[path.suffix.lower()](path)
    if frame.empty:
        raise InputError(f"{path} has no rows below its header: give a table with data.")
    return OwnTable(path, frame)


def _read_csv(path: Path) -> pd.DataFrame:
    names, separator = _header(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            frame = pd.read_csv(
                path,
                sep=separator,
                names=names,
                header=0,
                index_col=False,
                encoding="utf-8-sig",
                keep_default_na=False,  # "NA" and "None" may be words
                na_values=[""],
                low_memory=False,
                float_precision="round_trip",
            )
    except UnicodeDecodeError as error:
        raise _not_utf8(path) from error
    except (pd.errors.ParserError, pd.errors.ParserWarning) as error:
        reason = " ".join(str(error).removeprefix("Error tokenizing data. C error:").split()).rstrip(".")
        raise InputError(
            f"{path} has a row that does not fit its header of {len(names)} columns ({reason}): quote values "
            f"that contain {separator!r}, and give every row as many values as the header."
        ) from error
    return frame.drop(columns="") if names[0] == "" else frame


def _header(path: Path) -> tuple[list[str], str]:
    """Return the names of the columns of a CSV file and what separates them."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            line = file.readline()
            separator = max(SEPARATORS, key=line.count)
            file.seek(0)
            names = [name.strip() for name in next(csv.reader(file, delimiter=separator), [])]
    except UnicodeDecodeError as error:
        raise _not_utf8(path) from error
    if not any(names):
        raise InputError(f"{path} is empty: its first line must name the columns.")
    _check_names(path, names)
    return names, separator


def _not_utf8(path: Path) -> InputError:
    """Return the error for a file that is not UTF-8, with its first such line."""
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                found = f"line {number} holds the byte 0x{line[error.start]:02x}"
                break
    return InputError(f"{path} is not UTF-8: {found}. Save it as UTF-8, for example by `iconv -f LATIN1 -t UTF-8`.")


def _read_parquet(path: Path) -> pd.DataFrame:
    from pyarrow import ArrowException, parquet

    try:
        content = parquet.ParquetFile(path)
        _check_names(path, content.schema_arrow.names)
        # Without the metadata of pandas an index with a name is a column like any other.
        frame: pd.DataFrame = content.read().to_pandas(ignore_metadata=True)
        frame = frame.drop(columns=[name for name in frame.columns if name.startswith(ROW_NUMBERS)])
    except InputError:
        raise
    except (ArrowException, OSError, ValueError) as error:
        reason = " ".join(str(error).split()).rstrip(".")
        raise InputError(f"{path} cannot be read as Parquet ({reason}): write it again.") from error
    for name, column in frame.items():
        if isinstance(column.dtype, pd.CategoricalDtype):
            frame[name] = column.astype(column.cat.categories.dtype)
    return frame


def _check_names(path: Path, names: Sequence[str]) -> None:
    """Raise InputError if two columns have the same name, or if one after the first has none."""
    twice = [name for name, count in Counter(names).items() if count > 1 and name]
    if twice:
        places = [str(place) for place, name in enumerate(names, 1) if name == twice[0]]
        raise InputError(
            f"{path} has two columns {twice[0]!r} ({' and '.join(places)}): rename or remove one; the first line "
            "must name the columns."
        )
    if "" in names[1:]:
        raise InputError(f"{path} has no name for column {names.index('', 1) + 1}: name it in the header.")


def _is_text(column: pd.Series) -> bool:
    return pd.api.types.is_object_dtype(column) or pd.api.types.is_string_dtype(column)


def _shown(value: Any) -> str:
    """Return a value as a message shows it: text in quotes, and long text cut."""
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 40 else text[:39] + "…"
