"""The dialect of a CSV file: where its table begins, what separates its columns, and what a quotation mark is."""

from __future__ import annotations

import csv
import io
import re
import string
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from manybandits.base.exceptions import InputError

SEPARATORS = ",;\t|"
"""What may separate the columns of a CSV file: the one that its header has most of."""
COMMENTS = "#", "%", "//"
"""How a line above the header begins that is a comment."""
CHOSEN = re.compile(r'"?sep=(.)"?')
"""The line above a header in which a spreadsheet names the separator."""
OTHER_FORMAT = re.compile(r"[\[{<]|@relation|\|\s*[\w -]+\|.*\|$", re.IGNORECASE)
"""How the first line of a table in JSON, HTML, ARFF or Markdown begins."""
NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
DATE = r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})\b.*"
MISSING = r"(?i:|na|n/a|nan|null|none|nil|\?|\.|-+|#(?:n/a|div/0!|ref!|value!|num!))"
"""What tables write where a value is missing."""
YEARS = range(1900, 2101)
LOOKED_AT = 20
"""The rows below a header by which it is told from data."""
SPACES = string.whitespace + "".join(map(chr, (0x85, 0xA0, 0xAD, 0x1680, *range(0x2000, 0x2010), 0x2028, 0x2029)))
SPACES += "".join(map(chr, (0x202F, 0x205F, 0x2060, 0x3000, 0xFEFF)))
"""What may stand around a value and is not seen: spaces of any width, and marks of direction and order."""


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
    line, start, header, above = _first_line(text)
    if not header:
        raise InputError(f"{path} is empty: its first line must name the columns.")
    if OTHER_FORMAT.match(header):
        raise InputError(f"{path}, line {line} begins like JSON, HTML or another format: save the table as CSV.")
    chosen = CHOSEN.fullmatch(above)
    separator = chosen[1] if chosen else max(SEPARATORS, key=header.count)
    names = _names(header, separator)
    if not any(names):
        raise InputError(f"{path} is empty: its first line must name the columns.")
    if len(names) == 1 and re.search(r"::|\S\s+\S", header):
        raise InputError(
            f"{path}, line {line}: nothing separates the columns; use a comma, semicolon, tab or |, and take out lines "
            "above the one that names them."
        )
    plain = Dialect(names, separator, min(start + len(header) + 1, len(text)), line + 1, quoted=False)
    found = _quoting(text, plain, path)
    below = [values for (_, values), _ in zip(found.rows(text), range(LOOKED_AT), strict=False)]
    if is_data(names, below):
        names = _names(above.lstrip("#%/ "), separator)
        if len(names) != len(found.names):
            raise InputError(
                f"{path}: the first line is data ({separator.join(found.names)[:60]}): put a line with the names of "
                "the columns above it."
            )
        found = replace(found, names=names, start=start, line=line)  # its header is marked as a comment
    check_names(path, names)
    return found


def _names(header: str, separator: str) -> tuple[str, ...]:
    return tuple(name.strip(SPACES) for name in next(csv.reader([header], delimiter=separator), []))


def _first_line(text: str) -> tuple[int, int, str, str]:
    """Return the number, place and content of the first line that is neither blank nor a comment, and what is above."""
    start, above = 0, ""
    for number, line in enumerate(io.StringIO(text, newline="\n"), 1):
        content = line.rstrip("\n")
        if content.strip(SPACES + SEPARATORS) and not content.startswith(COMMENTS) and not CHOSEN.fullmatch(content):
            return number, start, content, above
        start, above = start + len(line), content
    return 1, 0, "", ""


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


def is_data(names: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Return whether names of columns look like one more of the rows below them.

    They do if they have a number or a date, or no value, wherever these have numbers or dates, and half of the numbers
    are about as large as those; or if more than half of the names, and not one alone, are values of their columns.
    """
    rows = [values for values in below if len(values) == len(names) and list(values) != list(names)]
    if not rows:
        return False
    columns = [[value.strip(SPACES) for value in column] for column in zip(*rows, strict=True)]
    pairs = list(zip(names, columns, strict=True))
    if 2 * sum(name in column for name, column in pairs if name) > max(len(names), 2):
        return True
    numeric = [(name, column) for name, column in pairs if all(re.fullmatch(f"{NUMBER}|{DATE}", one) for one in column)]
    said = [name for name, _ in numeric if not re.fullmatch(MISSING, name)]
    if not said or _counted(said) or not all(re.fullmatch(f"{NUMBER}|{DATE}", name) for name in said):
        return False
    near = [_is_near(name, column) for name, column in numeric if name in said]
    return 2 * sum(near) >= len(near)


def _is_near(name: str, column: Sequence[str]) -> bool:
    """Return whether a number is about as large as others; dates always are."""
    if not all(re.fullmatch(NUMBER, one) for one in (name, *column)):
        return True
    value, values = float(name), [float(one) for one in column]
    least, most = min(values), max(values)
    return 2 * least - most <= value <= 2 * most - least or 0 < least / 4 <= value <= 4 * most


def _counted(names: Sequence[str]) -> bool:
    """Return whether names are numbers in a row, as those of the columns of an array are, or years that grow."""
    if len(names) < 2 or not all(re.fullmatch(r"0|[1-9]\d{,8}", name) for name in names):
        return False
    numbers = [int(name) for name in names]
    years = all(number in YEARS for number in numbers) and numbers == sorted(set(numbers))
    return years or numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def check_names(path: Path | str, names: Sequence[str]) -> None:
    """Raise InputError if two columns have the same name."""
    twice = [name for name, count in Counter(names).items() if count > 1 and name]
    if twice:
        places = [str(place) for place, name in enumerate(names, 1) if name == twice[0]]
        raise InputError(
            f"{path} has two columns {twice[0]!r} ({' and '.join(places)}): rename or remove one; the first line "
            "must name the columns."
        )
