"""What commands print: tables and fields within the width of the terminal, or one JSON document.

Everything that a command reports goes to stdout through these functions; progress and remarks go to stderr.
"""

from __future__ import annotations

import json
import math
import shutil
import sys
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

GAP = "  "
LEAST = 12
"""The least width of a column of a table in which words are wrapped, in characters."""
LINE = 110
"""The most characters in a line of text; fewer in a narrow terminal."""


def print_json(content: Mapping[str, object]) -> None:
    """Print `content` as JSON; NaN and infinity become null."""
    sys.stdout.write(json.dumps(_plain(content), indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def print_table(rows: Sequence[Mapping[str, object]], columns: Sequence[str]) -> None:
    """Print some columns of `rows` as a table with a header, without those that are empty in all rows.

    Words are wrapped within the widest columns until a row fits the terminal, of which 80 characters are assumed where
    there is none. If that is not enough, every row is printed as fields, one below the other. Nothing is cut; no rows
    print nothing.
    """
    if not rows:
        return
    columns = [name for name in columns if any(_text(row[name]) for row in rows)]
    header = [name.replace("_", " ") for name in columns]
    cells = [[_text(row[name]) for name in columns] for row in rows]
    numbers = [all(isinstance(row[name], int | float | None) for row in rows) for name in columns]
    by_column = [[row[place] for row in cells] for place in range(len(columns))]
    widths = [max(map(len, (title, *column))) for title, column in zip(header, by_column, strict=True)]
    least = [_least(*one) for one in zip(header, by_column, numbers, strict=True)]
    room = _width() - len(GAP) * (len(columns) - 1)
    if sum(least) > room:
        for place, fields in enumerate(rows):
            sys.stdout.write("\n" if place else "")
            print_fields({title: fields[name] for title, name in zip(header, columns, strict=True)})
        return
    while sum(widths) > room:
        _, widest = max((width, place) for place, width in enumerate(widths) if width > least[place])
        widths[widest] -= 1
    for row in (header, *cells):
        wrapped = [_wrapped(cell, width, row is header) for cell, width in zip(row, widths, strict=True)]
        for line in range(max(map(len, wrapped))):
            parts = [cell[line] if line < len(cell) else "" for cell in wrapped]
            padded = [
                part.rjust(width) if number else part.ljust(width)
                for part, width, number in zip(parts, widths, numbers, strict=True)
            ]
            sys.stdout.write(GAP.join(padded).rstrip() + "\n")


def print_wrapped(start: str, text: str) -> None:
    """Print a text after `start`, wrapped to the line, with further lines below the text."""
    wrapper = textwrap.TextWrapper(_line(), start, " " * len(start), break_long_words=False, break_on_hyphens=False)
    sys.stdout.write(wrapper.fill(text) + "\n")


def filled(text: str, width: int) -> str:
    """Return a text with its paragraphs wrapped, but those with indented lines, such as code, and lists as they are."""
    kept = (" ", "*", "=", "-")
    blocks = text.strip("\n").split("\n\n")
    return "\n\n".join(
        block
        if any(line.startswith(kept) for line in block.splitlines())
        else textwrap.fill(" ".join(block.split()), width, break_on_hyphens=False)
        for block in blocks
    )


def print_prose(text: str) -> None:
    """Print a text of paragraphs, see `filled`."""
    sys.stdout.write(filled(text, _line()) + "\n")


def print_fields(fields: Mapping[str, Any], indent: int = 0) -> None:
    """Print one field per line, with long values wrapped and nested ones indented; empty values are left out."""
    shown = {name: value for name, value in fields.items() if value not in (None, "", [], {}, ())}
    wide = max((len(name) for name, value in shown.items() if not _nested(value)), default=0)
    for name, value in shown.items():
        if _nested(value):
            sys.stdout.write(" " * indent + name + "\n")
            parts = value if isinstance(value, Mapping) else {str(place): one for place, one in enumerate(value, 1)}
            print_fields(parts, indent + 2)
        elif wide + indent > _line() // 2:  # so long a name leaves no room beside it
            print_wrapped(" " * indent, name)
            print_wrapped(" " * (indent + 4), _text(value))
        else:
            print_wrapped(" " * indent + name.ljust(wide) + GAP, _text(value))


def print_written(*paths: str | Path, said: str = "", then: str = "") -> None:
    """Print the lines with which a command closes that wrote files: what it did, the files, and the next command."""
    *others, last = map(str, paths)
    named = f"{', '.join(others)} and {last}" if others else last
    print_wrapped("", f"{said + '; ' if said else ''}written to {named}")
    if then:
        sys.stdout.write(f"next: {then}\n")  # not wrapped, since it is for copying


def remark(words: str) -> None:
    """Tell the user something that is no result: on stderr."""
    sys.stderr.write(f"{words}\n")


def _width() -> int:
    """Return the width of the terminal: that of the environment variable COLUMNS, its own, or 80 if there is none."""
    return shutil.get_terminal_size().columns


def _line() -> int:
    """Return the width of a line of text."""
    return min(_width(), LINE)


def _least(title: str, cells: Sequence[str], number: bool) -> int:
    """Return the least width of a column: of its longest word, and of that of its title, with hyphens."""
    longest = max(map(len, title.replace("-", "- ").split()), default=0)
    if number:
        return max(longest, *map(len, cells))
    words = [word for cell in cells for word in cell.split()]
    return min(max(map(len, (title, *cells))), max(longest, LEAST, *map(len, words)))


def _wrapped(cell: str, width: int, title: bool) -> list[str]:
    """Return a cell as lines; words are not broken, but a title may be at its hyphens."""
    return textwrap.wrap(cell, width, break_long_words=False, break_on_hyphens=title) or [""]


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
