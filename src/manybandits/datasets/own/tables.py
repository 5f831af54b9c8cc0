"""Read a table of a user, a file or a frame, and check its columns.

What is in a file is told by its content: CSV in the encodings, packings and dialects of `text` and `dialect`, or
Parquet. The values of a CSV file are text until a column is asked for as numbers, labels or times, so that an id such
as 0042 stays what it is.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv, parquet

from manybandits.base.exceptions import InputError, nearest
from manybandits.datasets.base import Tidy
from manybandits.datasets.own.dialect import LOOKED_AT, NUMBER, SPACES, Dialect, check_names, dialect_of, is_data
from manybandits.datasets.own.text import PARQUET, content_of, text_of

ROW_NUMBERS = "__index_level_"
"""How the name of an index without a name starts, which pandas writes to Parquet as a column."""
NAMELESS = "\0"
"""How the names of columns without one begin, while a file is read."""
FRAME = "the frame"
WORDS = "give whole numbers, or words such as n4.5"
TEXT = pd.StringDtype("pyarrow", na_value=np.nan)
INFINITE = r"[+-]?(?i:inf|infinity)"
WHOLE = r"-?(?:0|[1-9]\d*)(?:\.0*)?"
"""A whole number that says nothing else, as leading zeros may."""
DIGITS = r"\p{Nd}(?:[\p{Nd}.,'_ ]|[" + "\u2019\u066b\u066c\u00a0\u2009\u202f" + r"])*"
OTHER_NUMBER = rf"[+-]?[^\w\s]?\s*{DIGITS}%?\s*[^\w\s]?|0[xX][\da-fA-F]+|[+-]?\d*\.\d*[dD][+-]?\d+"
"""A number with a decimal comma, separators of thousands, a percent sign or a currency, or one of a programme."""
LARGEST_WHOLE = 2**53
"""Beyond it, floating-point numbers cannot tell a whole number from its neighbours."""


class Read(NamedTuple):
    """What was read from tables: tidy data, their counts, what their owner should know, and the places of columns."""

    tidy: Tidy
    counts: dict[str, int]
    remarks: list[str]
    places: dict[str, int] = {}  # noqa: RUF012  # column of numbers -> its place in a context, of a log


@dataclass(frozen=True)
class OwnTable:
    """A table with at least one row and columns of different names, that are text.

    path: its file, or what messages call it; line: returns the number of the line of a row, counted from 0, in a file
    of text; name: what a game made of it is called.
    """

    path: Path | str
    frame: pd.DataFrame
    line: Callable[[int], int] | None = None
    name: str = ""

    @property
    def checksum(self) -> str:
        """The SHA-256 of its columns and values."""
        values = pd.util.hash_pandas_object(self.frame.astype(str), index=False).to_numpy()
        return hashlib.sha256(" ".join(self.frame.columns).encode() + values.tobytes()).hexdigest()

    def place(self, row: int) -> str:
        """Return where a row is, as a user finds it: by its line in a file of text, else counted from 1."""
        return f"line {self.line(row)}" if self.line else f"row {row + 1}"

    def column(self, name: str, option: str) -> pd.Series:
        """Return a column without missing values, text without spaces around it. option: the argument that named it.

        Raises InputError if there is no such column, or if a row has no value in it.
        """
        if name not in self.frame:
            hint = nearest(name, self.frame.columns)
            raise InputError(f"{self.path} has no column {name!r}: {hint} Name it by {option}=COLUMN.")
        column = self.frame[name]
        if is_text(column):
            if column.dtype != TEXT:
                self._refuse_objects(column, name)
            column = _as_meant(column.astype(TEXT))
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
        if is_text(column):
            wrong = ~matches(column, f"{NUMBER}|{INFINITE}")
            self.refuse(wrong, name, "is not a number", "write numbers like 4.5, with a point")
            values = floats(column)
        elif pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_complex_dtype(column):
            values = column.to_numpy(np.float64)
        else:
            raise InputError(f"{self.path}, column {name!r} holds {column.dtype}, not numbers: name another column.")
        self.refuse(np.isinf(values), name, "is infinite", "give a finite number, or leave the row out")
        if positive:
            self.refuse(values <= 0, name, "is not above 0", "give a positive number")
        self.refuse(values < low, name, f"is below {low:g}", f"give numbers from {low:g} to {high:g}")
        self.refuse(values > high, name, f"is above {high:g}", f"give numbers from {low:g} to {high:g}")
        return values

    def labels(self, name: str, option: str) -> pd.Series:
        """Return a column of names: whole numbers if all are, else text.

        Raises InputError naming the first row with a fraction among numbers, or with another type.
        """
        column = self.column(name, option)
        if pd.api.types.is_bool_dtype(column):
            return column.astype(np.int64)
        if is_text(column):
            return self._named(column, name)
        if not pd.api.types.is_numeric_dtype(column) or pd.api.types.is_complex_dtype(column):
            raise InputError(f"{self.path}, column {name!r} holds {column.dtype}: give whole numbers or words.")
        if pd.api.types.is_float_dtype(column):
            values = column.to_numpy(np.float64)
            fraction = ~np.isfinite(values) | (values != np.floor(values))
            self.refuse(fraction, name, "is not a whole number", WORDS)
            inexact = np.abs(values) > LARGEST_WHOLE
            self.refuse(inexact, name, "is too large to be told from its neighbours", "store it as text")
        return column.astype(np.uint64 if column.dtype.kind == "u" else np.int64)

    def _named(self, column: pd.Series, name: str) -> pd.Series:
        """Return names that are written as text: as whole numbers if this loses nothing."""
        if matches(column, NUMBER).all():
            whole = matches(column, WHOLE)
            fraction = ~whole & matches(column, r".*[.eE].*")
            self.refuse(fraction, name, "is not a whole number", WORDS)
            if whole.all() and (column.str.len() < len(str(LARGEST_WHOLE))).all():
                return pd.Series(floats(column), column.index).astype(np.int64)
        return column.astype(object)

    def refuse(self, wrong: pd.Series | np.ndarray, column: str, what: str, cure: str) -> None:
        """Raise InputError for the first row in which `wrong`, (n,) bool, is true; do nothing if it never is."""
        places = np.flatnonzero(np.asarray(wrong, bool))
        if places.size:
            value = self.frame[column].iloc[places[0]]
            shown = "" if _is_missing(value) or str(value) == "" else f" {_shown(value)}"
            raise InputError(f"{self.path}, {self.place(places[0])}, column {column!r}:{shown} {what}; {cure}.")

    def _refuse_objects(self, column: pd.Series, name: str) -> None:
        """Raise InputError if a column of Python objects holds something other than text, naming the first such row."""
        other = ~column.map(lambda one: isinstance(one, str) or _is_missing(one)).to_numpy(bool)
        if other.any():
            kind = type(column[other].iloc[0]).__name__
            beside = ", and others are text" if (~other & column.notna()).any() else ""
            self.refuse(other, name, f"is of type {kind}{beside}", "make all of them text, or all numbers")

    def without(self, names: Sequence[str], option: str) -> OwnTable:
        """Return the table without some columns; raise InputError if there is no such column."""
        names = [names] if isinstance(names, str) else list(names)
        for name in names:
            if name not in self.frame:
                hint = nearest(name, self.frame.columns)
                raise InputError(f"{self.path} has no column {name!r} to leave out ({option}): {hint}")
        return replace(self, frame=self.frame.drop(columns=names))


Source: TypeAlias = Path | OwnTable


def is_text(column: pd.Series) -> bool:
    """Return whether a column holds text, or Python objects."""
    return pd.api.types.is_object_dtype(column) or pd.api.types.is_string_dtype(column)


def matches(column: pd.Series, pattern: str) -> np.ndarray:
    """Return which values of a column of text are of a pattern as a whole, (n,) bool."""
    found: np.ndarray = column.astype(TEXT).str.fullmatch(pattern).to_numpy(bool)
    return found


def floats(column: pd.Series) -> np.ndarray:
    """Return a column of text that holds numbers as such, (n,) float64, each rounded once."""
    plain = pc.replace_substring_regex(pa.array(column.astype(TEXT)), r"^\+", "")
    found: np.ndarray = pc.cast(plain, pa.float64()).to_numpy(zero_copy_only=False)
    return found


def _as_meant(column: pd.Series) -> pd.Series:
    """Return text without spaces around it, with each letter and its accent as one character; missing if empty."""
    column = column.str.strip(SPACES)
    text = pa.array(column)
    if not pc.all(pc.string_is_ascii(text)).as_py():
        column = pd.Series(pd.array(pc.utf8_normalize(text, form="NFC"), dtype=TEXT), column.index)
    return column.mask(column == "")


def _is_missing(value: Any) -> bool:
    """Return whether a value, which may be a list or another object, is none."""
    return bool(pd.api.types.is_scalar(value) and pd.isna(value))


def _in_utc(one: Any) -> Any:
    """Return a date or a time, in UTC if it has a zone, None if it is missing."""
    if pd.isna(one):
        return None
    return one.astimezone(dt.UTC).replace(tzinfo=None) if getattr(one, "tzinfo", None) else one


def check_different(columns: Mapping[str, str]) -> None:
    """Raise InputError if two options name the same column. columns: option -> column."""
    for name in columns.values():
        same = [other for other in columns if columns[other] == name]
        if len(same) > 1:
            raise InputError(f"{' and '.join(same)} name the same column {name!r}: give each a column of its own.")


def read_table(source: Source) -> OwnTable:
    """Read a file of text with a header, or of Parquet; a table that was read is returned as it is.

    The row numbers that pandas writes, a first column without a name, are left out. Raises InputError if the file
    cannot be read, has no rows, or has two columns of one name.
    """
    if isinstance(source, OwnTable):
        return source
    content = content_of(source)
    table = _parquet(source, content) if content.startswith(PARQUET) else _csv(source, content)
    if table.frame.empty:
        raise InputError(f"{source} has no rows below its header: give a table with data.")
    return table


def from_frame(frame: pd.DataFrame, name: str) -> OwnTable:
    """Return a frame as a table. name: of a game made of it. An index with a name is a column like any other."""
    if frame.columns.nlevels > 1:
        raise InputError(f"{FRAME} has columns of several levels: give each column one name.")
    named = [level for level in frame.index.names if level is not None and level not in frame.columns]
    frame = frame.reset_index(level=named).reset_index(drop=True)
    read = [column for column in frame.columns if isinstance(column, str)]
    frame.columns = pd.Index([str(column) for column in frame.columns])
    check_names(FRAME, list(frame.columns))
    if frame.empty:
        raise InputError(f"{FRAME} has no rows: give a table with data.")
    if is_data(read, frame[read].head(LOOKED_AT).astype(object).map(str).to_numpy().tolist()):
        raise InputError(
            f"{FRAME}: the names of its columns are data ({', '.join(read)[:60]}): give names when it is read, such as "
            "pandas.read_csv(file, names=[...])."
        )
    return OwnTable(FRAME, frame.apply(_plain), name=name)


def _plain(column: pd.Series) -> pd.Series:
    """Return a column with one value after the other: categories, sparse values, decimals and dates written out."""
    if isinstance(column.dtype, pd.ArrowDtype):
        written = pa.table({"column": pa.chunked_array(pa.array(column))}).to_pandas(date_as_object=False)["column"]
        return _plain(written.set_axis(column.index))
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.astype(column.cat.categories.dtype)
    if isinstance(column.dtype, pd.SparseDtype):
        return column.astype(column.dtype.subtype)
    kind = pd.api.types.infer_dtype(column, skipna=True) if column.dtype == object else ""
    if kind in ("date", "datetime"):
        return pd.Series(np.array([_in_utc(one) for one in column], "datetime64[us]"), column.index)
    if kind == "boolean":
        return column.astype("boolean")
    if kind == "decimal":
        return column.map(lambda one: None if pd.isna(one) else f"{one:f}")
    if kind in ("integer", "floating", "mixed-integer-float"):
        return column.map(lambda one: None if pd.isna(one) else str(one))
    return column


def _csv(path: Path, content: bytes) -> OwnTable:
    text = text_of(content, path)
    dialect = dialect_of(text, path)
    names = [name or f"{NAMELESS}{place}" for place, name in enumerate(dialect.names)]
    below = text[dialect.start :].encode()
    if not below.strip():
        raise InputError(f"{path} has no rows below its header: give a table with data.")
    try:
        table = csv.read_csv(
            pa.BufferReader(below),
            csv.ReadOptions(column_names=names, block_size=max(1 << 20, len(below) + 1 if dialect.spans else 0)),
            csv.ParseOptions(
                delimiter=dialect.separator,
                quote_char='"' if dialect.quoted else False,
                newlines_in_values=dialect.spans,
            ),
            csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string())),
        )
    except pa.ArrowInvalid as error:
        raise _uneven(path, text, dialect, error) from error
    frame = table.to_pandas(types_mapper={pa.string(): TEXT}.get)
    for place, name in enumerate(names):
        if name.startswith(NAMELESS):
            if place and not frame[name].isin([np.nan, ""]).all():
                raise InputError(
                    f"{path} has no name for column {place + 1}: name it in the header, or take out lines above it."
                )
            frame = frame.drop(columns=name)
    return OwnTable(path, frame, lambda row: _line(text, dialect, row))


def _uneven(path: Path, text: str, dialect: Dialect, error: Exception) -> InputError:
    """Return the error for a row that does not fit the header."""
    for line, values in dialect.rows(text):
        if len(values) != len(dialect.names):
            cure = "take that line out, or give it" if len(values) == 1 else "give every row"
            return InputError(
                f"{path}, line {line} has {len(values)} values, but the header names {len(dialect.names)} columns: "
                f"quote values that contain {dialect.separator!r}, and {cure} as many values as the header."
            )
    return InputError(f"{path} cannot be read ({' '.join(str(error).split())}): write it again as CSV.")


def _line(text: str, dialect: Dialect, row: int) -> int:
    return next(itertools.islice(dialect.rows(text), row, None))[0]


def _parquet(path: Path, content: bytes) -> OwnTable:
    try:
        table = parquet.read_table(pa.BufferReader(content))
        check_names(path, table.schema.names)
        # Without the metadata of pandas an index with a name is a column like any other.
        frame = table.to_pandas(ignore_metadata=True, date_as_object=False)
    except InputError:
        raise
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = " ".join(str(error).split()).rstrip(".")
        raise InputError(f"{path} cannot be read as Parquet ({reason}): write it again.") from error
    frame = frame.drop(columns=[name for name in frame.columns if name.startswith(ROW_NUMBERS)])
    return OwnTable(path, frame.apply(_plain) if len(frame) else frame)


def _shown(value: Any) -> str:
    """Return a value as a message shows it: text in quotes, unless it is a number, and long text cut."""
    plain = not isinstance(value, str) or bool(matches(pd.Series([value]), f"{NUMBER}|{INFINITE}")[0])
    text = str(value) if plain else repr(value)
    return text if len(text) <= 40 else text[:39] + "…"
