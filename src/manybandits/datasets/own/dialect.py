"""The dialect of a CSV file: where its table begins, what separates its columns, and what a quotation mark is."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from manybandits.base.exceptions import InputError

SEPARATORS = ",;\t|"
"""What may separate the columns of a CSV file: the one that its header has most of."""
COMMENT = "#"
NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
LOOKED_AT = 20
"""The rows below a header by which it is told from data."""


@dataclass(frozen=True)
class Dialect:
    """How a text is read. names: of the columns; start: the place of the first row in the text; line: its number."""

    names: tuple[str, ...]
    separator: str
    start: int
    line: int
    quoted: bool  # whether a quotation mark quotes
    spans: bool = False  # whether quoted values go on in the next line

    def rows(self, text: str) -> Iterator[tuple[int, list[str]]]:
        """Yield the number of the line and the values of each row."""
        lines = io.StringIO(text[self.start :], newline="\n")
        mark: Any = {} if self.quoted else {"quoting": csv.QUOTE_NONE}
        reader = csv.reader(lines, delimiter=self.separator, **mark)
        before = 0
        for values in reader:
            if values:
                yield self.line + before, values
            before = reader.line_num


def dialect_of(text: str, path: Path) -> Dialect:
    """Return the dialect of a text; raise InputError if it has no header, or quotation marks that nothing closes."""
    line, start, header = _first_line(text)
    if not header:
        raise InputError(f"{path} is empty: its first line must name the columns.")
    separator = max(SEPARATORS, key=header.count)
    names = tuple(name.strip() for name in next(csv.reader([header], delimiter=separator)))
    if not any(names):
        raise InputError(f"{path} is empty: its first line must name the columns.")
    if len(names) == 1 and re.search(r"::|\S\s+\S", header):
        raise InputError(f"{path}, line {line}: nothing separates the columns; use a comma, semicolon, tab or |.")
    plain = Dialect(names, separator, min(start + len(header) + 1, len(text)), line + 1, quoted=False)
    found = _quoting(text, plain, path)
    _check_header(text, found, path)
    check_names(path, names)
    return found


def _first_line(text: str) -> tuple[int, int, str]:
    """Return the number, the place and the content of the first line that is neither blank nor a comment."""
    start = 0
    for number, line in enumerate(io.StringIO(text, newline="\n"), 1):
        if line.strip() and not line.startswith(COMMENT):
            return number, start, line.rstrip("\n")
        start += len(line)
    return 1, 0, ""


def _quoting(text: str, plain: Dialect, path: Path) -> Dialect:
    """Return a dialect with what a quotation mark is in it.

    Where some line has an odd number of marks, either values go on in the next line, or marks are a part of values, as
    inches are. The latter it is if all lines have as many values as the header if marks mean nothing.
    """
    quoted = Dialect(plain.names, plain.separator, plain.start, plain.line, quoted=True)
    if '"' not in text:
        return quoted
    odd = next((row for row in io.StringIO(text[plain.start :], newline="\n") if row.count('"') % 2), None)
    if odd is None:
        return quoted
    width = len(plain.names)
    if all(len(values) == width for _, values in plain.rows(text)):
        return plain
    spanning = Dialect(plain.names, plain.separator, plain.start, plain.line, quoted=True, spans=True)
    if text.count('"', plain.start) % 2 == 0 and all(len(values) == width for _, values in spanning.rows(text)):
        return spanning
    number = plain.line + text[plain.start :].split(odd, 1)[0].count("\n")
    raise InputError(
        f"{path}, line {number}: a quotation mark is opened and not closed: double it where it is a part of a value, "
        'as in "7"" single".'
    )


def _check_header(text: str, dialect: Dialect, path: Path) -> None:
    """Raise InputError if the first line looks like the ones below it: with a number wherever these have one."""
    below = [values for (_, values), _ in zip(dialect.rows(text), range(LOOKED_AT), strict=False)]
    rows = [values for values in below if len(values) == len(dialect.names)]
    numbers = [place for place, name in enumerate(dialect.names) if re.fullmatch(NUMBER, name)]
    if not rows or _counted([dialect.names[place] for place in numbers]):
        return
    alike = [place for place, column in enumerate(zip(*rows, strict=True)) if all(_is_number(one) for one in column)]
    if numbers and set(alike) <= set(numbers):
        raise InputError(
            f"{path}: the first line is data ({dialect.separator.join(dialect.names)[:60]}): put a line with the names "
            "of the columns above it."
        )


def _counted(names: Sequence[str]) -> bool:
    """Return whether names are numbers in a row, as those of the columns of an array are."""
    start = int(names[0]) if len(names) > 1 and names[0].isdecimal() else 0
    return len(names) > 1 and list(names) == [str(number) for number in range(start, start + len(names))]


def _is_number(text: str) -> bool:
    return re.fullmatch(NUMBER, text.strip()) is not None


def check_names(path: Path | str, names: Sequence[str]) -> None:
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
