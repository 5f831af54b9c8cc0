"""Times of a user's table: numbers, dates and times of day, read one way in a whole column or not at all."""

from __future__ import annotations

import datetime as dt
import re
import warnings
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import pandas as pd

from manybandits.base.exceptions import InputError
from manybandits.datasets.own.dialect import NUMBER
from manybandits.datasets.own.tables import OwnTable, floats, is_text, matches

CURE = "write dates like 2025-01-31 12:00:00"
DATE = re.compile(
    r"(\d{1,4})[/.-](\d{1,2})[/.-](\d{1,4})\.?"
    r"(?:[ T,]+(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?\s*([AaPp]\.?[Mm]\.?)?)?"
)
EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
ORDERS = {"day first": (2, 1, 0), "month first": (2, 0, 1)}
"""A reading of a date that ends with its year -> the places of year, month and day."""
DIGITS = {8: ("%Y%m%d", "%d%m%Y", "%m%d%Y"), 6: ("%y%m%d", "%d%m%y", "%m%d%y")}
"""Digits of a date that nothing separates -> its forms; only eight of them with the year first grow with time."""
SECONDS = 1e8
"""Numbers beyond this that differ a hundredfold are seconds beside their thousandths."""


def times(table: OwnTable, name: str) -> np.ndarray:
    """Return a column of timestamps, numbers or dates, as numbers that grow with time, (n,).

    Dates with the year last are read with the day or the month first: in the one way that fits the whole column. Raises
    InputError naming the first row that is neither, or if both ways fit and differ.
    """
    column = table.column(name, "timestamp")
    if pd.api.types.is_numeric_dtype(column):
        return _growing(table, name, table.numbers(name, "timestamp"))
    if pd.api.types.is_datetime64_any_dtype(column):
        plain = column.dt.tz_convert("UTC").dt.tz_localize(None) if getattr(column.dtype, "tz", None) else column
        return plain.to_numpy("datetime64[us]").astype(np.int64)
    if not is_text(column):
        raise InputError(f"{table.path}, column {name!r} holds {column.dtype}: give numbers or dates.")
    if matches(column, NUMBER).all():
        return _growing(table, name, floats(column))
    words, place = np.unique(column.to_numpy(object).astype(str), return_inverse=True)
    found = _read(table, name, words, place)
    return found[place]


def _growing(table: OwnTable, name: str, values: np.ndarray) -> np.ndarray:
    """Return numbers, (n,), that grow with time; raise InputError if they are dates as 31122024, or of two units."""
    large = values > SECONDS
    units = large & (values > 100 * values.min(where=large, initial=np.inf))
    table.refuse(units, name, "is of another unit than others, such as seconds and milliseconds", "write all in one")
    for width, (growing, *others) in DIGITS.items():
        if 10 ** (width - 2) <= values.min() < values.max() < 10**width and (values == np.floor(values)).all():
            written = [f"{int(one):0{width}d}" for one in np.unique(values)]
            if any(_all_dates(written, form) for form in others) and not (width == 8 and _all_dates(written, growing)):
                what = "is a date whose year is last, or of two digits"
                table.refuse(np.ones(len(values), bool), name, what, CURE)
    return values


def _all_dates(written: Sequence[str], form: str) -> bool:
    """Return whether all texts are dates of a form, of this century or the last."""
    try:
        return all(1900 <= dt.datetime.strptime(one, form).year < 2100 for one in written)
    except ValueError:
        return False


def _read(table: OwnTable, name: str, words: np.ndarray, place: np.ndarray) -> np.ndarray:
    """Return the times of different texts, as microseconds. place: (n,), which text a row has."""
    readings = {order: _all(words, partial(_numbered, order=order)) for order in ORDERS}
    iso = _all(words, _iso)
    rest = np.isnan(iso)
    fitting = {order: one for order, one in readings.items() if not np.isnan(one[rest]).any()}
    if not fitting:
        wrong = rest & np.isnan(np.where(rest, readings["day first"], 0)) & np.isnan(readings["month first"])
        wrong = wrong if wrong.any() else rest  # each fits one order, but no order fits all
        table.refuse(wrong[place], name, "is neither a number nor a date of the same form as the others", CURE)
    found = list(fitting.values())
    if len(found) > 1 and rest.any() and not np.array_equal(found[0][rest], found[1][rest]):
        differs = rest & (found[0] != found[1])
        table.refuse(differs[place], name, "may be read with the day or with the month first", CURE)
    return np.where(rest, found[0], iso)


def _all(words: Sequence[str] | np.ndarray, read: Callable[[str], dt.datetime | None]) -> np.ndarray:
    """Return microseconds since 1970 of texts, NaN where one cannot be read."""
    made = [read(text) for text in words]
    return np.array([np.nan if one is None else (one - EPOCH) // dt.timedelta(microseconds=1) for one in made], float)


def _iso(text: str) -> dt.datetime | None:
    try:
        found = dt.datetime.fromisoformat(text.removesuffix(" UTC"))
    except ValueError:
        return _named(text)
    return found if found.tzinfo else found.replace(tzinfo=dt.UTC)


def _named(text: str) -> dt.datetime | None:
    """Read a date whose month is a word, in which nothing is ambiguous."""
    if not re.search(r"[A-Za-z]{3}", text):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # of a zone such as PST, which it would leave out
        try:
            found = pd.to_datetime(text, utc=True)
        except (ValueError, Warning):
            return None
    return None if pd.isna(found) else found.to_pydatetime()


def _numbered(text: str, order: str) -> dt.datetime | None:
    """Read a date of three numbers; with the year last, in an order."""
    found = DATE.fullmatch(text)
    if not found:
        return None
    parts = found.groups()[:3]
    if len(parts[0]) == 4:
        year, month, day = parts
    elif len(parts[2]) == 4:
        year, month, day = (parts[place] for place in ORDERS[order])
    else:
        return None  # two digits do not say which of them is the year
    hour, minute, second = (int(part or 0) for part in found.groups()[3:6])
    half = (found[7] or "").lower().replace(".", "")
    hour = hour % 12 + 12 * (half == "pm") if half else hour
    try:
        return dt.datetime(int(year), int(month), int(day), hour, minute, second, tzinfo=dt.UTC)
    except ValueError:
        return None
