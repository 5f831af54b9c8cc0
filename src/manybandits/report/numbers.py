"""How numbers are written on pages: with few digits, in a unit that can be read, and without what decides nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from manybandits.claims.finding import LEAST

ROUNDING = 1e-12
"""Smaller numbers are rounding errors of sums of numbers near 1."""
RELATIVE = {
    ", relative": ", in % of the rival",
    "relative difference of ": "difference in % of ",
}
"""How a quantity that is a share of another begins or ends, and what is said of it where it is shown in per cent."""
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


def quantity(words: str) -> str:
    """Return what was measured in words; what is relative is said to be in per cent.

    >>> quantity("lead in regret of CLUB over LOCB, relative, the closest of 3")
    'lead in regret of CLUB over LOCB, in % of the rival, the closest of 3'
    """
    for relative, per_cent in RELATIVE.items():
        words = words.replace(relative, per_cent)
    return words


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


def numeric(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> set[str]:
    """Return the columns that hold only numbers and empty cells, and at least one number."""

    def are_numbers(texts: list[str]) -> bool:
        try:
            return bool([float(text) for text in texts])
        except ValueError:
            return False

    return {name for name in columns if are_numbers([str(row[name]) for row in rows if str(row[name])])}
