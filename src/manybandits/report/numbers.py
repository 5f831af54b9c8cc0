"""How numbers are written on pages: with few digits, in a unit that can be read, and without what decides nothing."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from manybandits.claims.finding import LEAST
from manybandits.results.verdict_table import bounded

ROUNDING = 1e-12
"""Smaller numbers are rounding errors of sums of numbers near 1."""
RELATIVE = {
    ", relative": ", in % of the rival",
    "relative difference of ": "difference in % of ",
}
"""How a quantity that is a share of another begins or ends, and what is said of it where it is shown in per cent."""
LONG = re.compile(r"(?<![\w.,-])\d{5,}(?![\w.,])")
"""A whole number that is read more easily with commas."""
MANY = re.compile(r"(\S+)(?: or \S+){2,} or (\S+)")
"""Four alternatives or more."""
VALUE = re.compile(r"(?P<name>\D* )(?P<value>-?[\d.,e-]+)")
"""What is said of a game that ends with a number, such as ``N = 10`` or ``distance 0.15``."""
DIGITS = 2
"""The significant digits of half an interval that are shown: as many as it supports, and as a reader can keep."""
UNITS = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1, "ns"))
"""Units of time, in ns."""


def number(text: object) -> str:
    """Return a number with four significant digits, or all digits before the point; any other text as it is.

    What is left of zero after rounding errors is zero.

    >>> number("4839.612"), number("0.0123456"), number("12"), number("2e-05"), number("6.8e-16"), number("not tuned")
    ('4,840', '0.01235', '12', '2e-05', '0', 'not tuned')
    """
    try:
        value = float(str(text))
    except ValueError:
        return str(text)
    if value != value or value in (float("inf"), float("-inf")):
        return ""
    value = 0.0 if abs(value) < ROUNDING else value
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def probability(text: str) -> str:
    """Return a p of two significant digits with its sign: one that is too small to be written is not zero.

    >>> probability("0.0009999"), probability("5.82e-17")
    ('= 0.001', '< 1e-12')
    """
    return f"= {float(text):.2g}" if float(text) >= ROUNDING else f"< {ROUNDING:g}"


def quantity(row: Mapping[str, Any]) -> str:
    """Return what a verdict measured in words, "" if nothing was; row: of a table of verdicts.

    What is relative is said to be in per cent, many values by their ends, and how many comparisons there were.

    >>> quantity({"quantity": "lead in regret of CLUB, horizon 1600000 over LOCB, relative", "comparisons": "3"})
    'lead in regret of CLUB, horizon 1,600,000 over LOCB, in % of the rival, the least favourable of 3 comparisons'
    >>> quantity({"quantity": "deviation of LNUCB-TA, alpha 0.1 or 0.5 or 1 or 10, order shuffled", "comparisons": ""})
    'deviation of LNUCB-TA, alpha 0.1 ... 10, order shuffled'
    """
    words = row["quantity"]
    for relative, per_cent in RELATIVE.items():
        words = words.replace(relative, per_cent)
    return ", ".join(part for part in (legible(words), least(row)) if part)


def legible(words: str) -> str:
    """Return the name of what was measured with commas in long numbers, and many values by their ends."""
    words = MANY.sub(r"\1 ... \2", words).replace(" relative to ", ", relative to ")
    return LONG.sub(lambda digits: f"{int(digits[0]):,}", words)


def least(row: Mapping[str, Any]) -> str:
    """Return of how many comparisons a verdict tells the least favourable one, "" if there was one alone."""
    several = row["comparisons"] not in ("", "1")
    return f"the least favourable of {row['comparisons']} comparisons" if several else ""


def is_relative(words: str) -> bool:
    """Return whether a quantity, as a verdict has it, is a share of another one."""
    return any(relative in words for relative in RELATIVE)


def of(text: str, row: Mapping[str, str]) -> str:
    """Return a number of a verdict: in per cent if its quantity is relative. row: of a table of verdicts.

    >>> of("-12.31", {"quantity": "lead in regret of CLUB over LOCB, relative"}), of("12.31", {"quantity": "regret"})
    ('-1,231 %', '12.31')
    """
    if not text or not is_relative(row["quantity"]):
        return number(text)
    return f"{number(f'{100 * float(text):.6g}')} %"


def stated(row: Mapping[str, str]) -> str:
    """Return the published number of a verdict as `of` writes it, with its bound if it is one.

    >>> row = {"published": "-0.5", "quantity": "slope", "bound": "at-most"}
    >>> stated(row), stated({**row, "bound": ""})
    ('at most -0.5', '-0.5')
    """
    return bounded(of(row["published"], row), row["bound"]) if row["published"] else ""


def estimate(row: Mapping[str, str]) -> str:
    """Return what a verdict measured, with the digits that its interval supports. row: of a table of verdicts.

    >>> row = {"quantity": "slope", "measured": "0.0724134", "low": "0.005315", "high": "0.1408", "n": "30"}
    >>> estimate(row), estimate({**row, "high": "", "low": ""})
    ('0.072', '0.07241')
    """
    return _rounded(row, "measured")


def interval(row: Mapping[str, str]) -> str:
    """Return the interval of a verdict, with two significant digits of half its width; "" if it says nothing.

    >>> row = {"quantity": "lead, relative", "measured": "-11.25", "low": "-11.496", "high": "-11.009", "n": "30"}
    >>> interval(row), interval({**row, "n": "2"})
    ('[-1,150 %, -1,101 %]', '')
    """
    return f"[{_rounded(row, 'low')}, {_rounded(row, 'high')}]" if has_interval(row) else ""


def _rounded(row: Mapping[str, str], column: str) -> str:
    """Return a number of a verdict with the digits that its interval supports, as `of` writes it if there is none."""
    try:
        low, value, high = (float(row[name]) for name in ("low", column, "high"))
    except ValueError:
        return of(row[column], row)
    relative = is_relative(row["quantity"])
    half = (high - low) / 2 * (100 if relative else 1)
    if not ROUNDING < half < math.inf or not has_interval(row):
        return of(row[column], row)
    value *= 100 if relative else 1
    decimals = max(0, DIGITS - 1 - math.floor(math.log10(half)))
    text = f"{value:,.{decimals}f}"
    zero = float(text.replace(",", "")) == 0
    return f"{text.removeprefix('-') if zero else text}{' %' if relative else ''}"


def has_interval(row: Mapping[str, str]) -> bool:
    """Return whether a verdict has an interval that says something: of so few runs as decide nothing it does not."""
    return bool(row["low"] or row["high"]) and (not row["n"] or float(row["n"]) >= LEAST)


def duration(hours: float) -> str:
    """Return a time in words, in seconds, minutes or hours.

    >>> duration(0.005), duration(0.25), duration(12.34), duration(3.0)
    ('18 seconds', '15 minutes', '12.3 hours', '3.0 hours')
    """
    if hours < 1 / 30:
        return f"{3600 * hours:.0f} seconds"
    return f"{60 * hours:.0f} minutes" if hours < 1 else f"{hours:,.1f} hours"


def short_time(nanoseconds: float) -> str:
    """Return the time of a decision in a unit that can be read, "unknown" for NaN.

    >>> short_time(830.0), short_time(23_456.0), short_time(4_200_000.0), short_time(2.5e9), short_time(float("nan"))
    ('830 ns', '23 µs', '4.2 ms', '2.5 s', 'unknown')
    """
    if nanoseconds != nanoseconds:
        return "unknown"
    size, unit = next(one for one in UNITS if nanoseconds >= one[0] or one[0] == 1)
    value = nanoseconds / size
    return f"{value:.0f} {unit}" if value >= 100 else f"{value:.2g} {unit}"


def games(notes: str) -> str:
    """Return what is said of several games, joined by semicolons, once for all where one number tells them apart.

    >>> games("N = 10, L = 2, noise 1; N = 20, L = 2, noise 1; N = 40, L = 2, noise 1")
    'N = 10, 20 and 40, L = 2, noise 1'
    >>> games("Adult; user hidden"), games("N = 4, d = 16; N = 6, d = 36")
    ('Adult; user hidden', 'N = 4, d = 16; N = 6, d = 36')
    """
    parts = [note.split(", ") for note in notes.split("; ")]
    first = parts[0]
    if any(len(one) != len(first) for one in parts):
        return notes
    varied = [place for place in range(len(first)) if len({one[place] for one in parts}) > 1]
    named = [[VALUE.fullmatch(one[place]) for one in parts] for place in varied]
    if len(varied) != 1 or len({match and match["name"] for match in named[0]}) != 1 or named[0][0] is None:
        return notes
    *values, last = [match["value"] for match in named[0] if match]
    first[varied[0]] = f"{named[0][0]['name']}{', '.join(values)} and {last}"
    return ", ".join(first)


def numeric(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> set[str]:
    """Return the columns that hold only numbers and empty cells, and at least one number."""

    def are_numbers(texts: list[str]) -> bool:
        try:
            return bool([float(text) for text in texts])
        except ValueError:
            return False

    return {name for name in columns if are_numbers([str(row[name]) for row in rows if str(row[name])])}
