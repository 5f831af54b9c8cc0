"""How numbers are written for people: with few digits, in a unit that can be read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from manybandits.results.display_names import note_words

ROUNDING = 1e-12
"""Smaller numbers are rounding errors of sums of numbers near 1."""
VALUE = re.compile(r"(?P<name>\D* )(?P<value>-?[\d.,e-]+)")
"""What is said of a game that ends with a number, such as ``N = 10`` or ``distance 0.15``."""
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


def probability(p: float) -> str:
    """Return a p of two significant digits with its sign: one that is too small to be written is not zero.

    >>> probability(0.0009999), probability(5.82e-17)
    ('= 0.001', '< 1e-12')
    """
    return f"= {p:.2g}" if p >= ROUNDING else f"< {ROUNDING:g}"


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


def games(notes: Sequence[str]) -> str:
    """Return what is said of several games, once for all where one number tells them apart.

    >>> games(["N = 10, L = 2, noise 1", "N = 20, L = 2, noise 1", "N = 40, L = 2, noise 1"])
    'N = 10, 20 and 40, L = 2, noise 1'
    >>> games(["Adult; user hidden"]), games(["N = 4, d = 16", "N = 6, d = 36"])
    ('Adult; no user ID', 'N = 4, d = 16; N = 6, d = 36')
    """
    if not notes:
        return ""
    notes = [note_words(note) for note in notes]
    parts = [note.split(", ") for note in notes]
    first = parts[0]
    if any(len(one) != len(first) for one in parts):
        return "; ".join(notes)
    varied = [place for place in range(len(first)) if len({one[place] for one in parts}) > 1]
    named = [[VALUE.fullmatch(one[place]) for one in parts] for place in varied]
    if len(varied) != 1 or len({match and match["name"] for match in named[0]}) != 1 or named[0][0] is None:
        return "; ".join(notes)
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
