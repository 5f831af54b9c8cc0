"""Output of the commands: tables and fields as text, or JSON."""

from __future__ import annotations

import json
import math
import shutil
import sys
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

GAP = "  "
LEAST = 12
"""The least width to which a column of a table is cut, in characters."""
LINE = 110
"""The width of a line of text in characters; less in a narrow terminal."""


def print_json(content: Mapping[str, object]) -> None:
    """Print `content` as JSON; NaN and infinity become null."""
    sys.stdout.write(json.dumps(_plain(content), indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def print_table(rows: Sequence[Mapping[str, object]], columns: Sequence[str]) -> None:
    """Print some columns of `rows` as a table with a header.

    In a terminal the widest columns are cut until a row fits a line; nothing is cut if the output is piped.
    """
    cells = [[name.replace("_", " ") for name in columns]]
    cells += [[_text(row[name]) for name in columns] for row in rows]
    widths = [max(len(row[place]) for row in cells) for place in range(len(columns))]
    if sys.stdout.isatty():
        room = shutil.get_terminal_size().columns - len(GAP) * (len(columns) - 1)
        while sum(widths) > room and max(widths) > LEAST:
            widths[widths.index(max(widths))] -= 1
    numbers = [all(isinstance(row[name], int | float | None) for row in rows) for name in columns]
    for row in cells:
        parts = [_cut(cell, width) for cell, width in zip(row, widths, strict=True)]
        padded = [
            part.rjust(width) if number else part.ljust(width)
            for part, width, number in zip(parts, widths, numbers, strict=True)
        ]
        sys.stdout.write(GAP.join(padded).rstrip() + "\n")


def print_wrapped(start: str, text: str) -> None:
    """Print a text after `start`, wrapped to the line, with further lines below the text."""
    sys.stdout.write(
        textwrap.fill(text, _line(), initial_indent=start, subsequent_indent=" " * len(start), break_on_hyphens=False)
        + "\n"
    )


def print_fields(fields: Mapping[str, Any], indent: int = 0) -> None:
    """Print one field per line, with long values wrapped and nested ones indented; empty values are left out."""
    shown = {name: value for name, value in fields.items() if value not in (None, "", [], {}, ())}
    wide = max((len(name) for name, value in shown.items() if not _nested(value)), default=0)
    for name, value in shown.items():
        if _nested(value):
            sys.stdout.write(" " * indent + name + "\n")
            parts = value if isinstance(value, Mapping) else {str(place): one for place, one in enumerate(value, 1)}
            print_fields(parts, indent + 2)
        else:
            print_wrapped(" " * indent + name.ljust(wide) + GAP, _text(value))


def _line() -> int:
    """Return the width of a line: less than `LINE` in a narrow terminal."""
    return min(shutil.get_terminal_size().columns, LINE) if sys.stdout.isatty() else LINE


def _nested(value: Any) -> bool:
    """Return whether a value is printed as fields below its name."""
    if isinstance(value, Mapping):
        return any(isinstance(one, Mapping) for one in value.values()) or len(_text(value)) > 2 * LINE
    return isinstance(value, list | tuple) and any(isinstance(one, Mapping | list | tuple) for one in value)


def _text(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, Mapping):
        return "; ".join(f"{name} {_text(one)}" for name, one in value.items() if one not in (None, ""))
    if isinstance(value, list | tuple):
        return ", ".join(_text(one) for one in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def _plain(value: Any) -> Any:
    """Return `value` in types of JSON, with NaN and infinity as None."""
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if hasattr(value, "item"):  # a NumPy scalar
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, str | int | float | bool | None) else str(value)
