"""Writers of tables as CSV, Markdown and LaTeX, with the same escapes and formats for all, and a reader of CSV.

`Markdown` and `Latex` have the same functions for the cells of a table, so that a table can write its cells once::

    form.text("A & B")           # A & B        A \\& B
    form.bold("CLUB")            # **CLUB**     \\textbf{CLUB}
    form.spread(1.0, 0.5, ".1f") # 1.0 ± 0.5    $1.0 \\pm 0.5$
    form.interval(1, 2, ".1f")   # 1.0 to 2.0   $1.0$--$2.0$
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from manybandits.base.artifacts import REPAIR, check_bytes, save_text
from manybandits.base.exceptions import InputError

if TYPE_CHECKING:
    import pandas as pd

Row = dict[str, str]
"""A row of a CSV file as text: column -> cell."""
Rows = Iterable[Sequence[str]]
"""Rows of cells, each already formatted by `Markdown` or by `Latex`."""
DECIMALS = 6
"""Decimals of numbers in the CSV of figures and tables."""


def with_ending(stem: Path, ending: str) -> Path:
    """Return a stem with an ending added; a point in the stem is kept, as it starts no ending."""
    return stem.with_name(stem.name + ending)


def save_csv(path: Path, table: pd.DataFrame, decimals: int | None = None) -> None:
    """Write a table as CSV. decimals: to which numbers are rounded; None keeps all digits."""
    rounded = table if decimals is None else table.round(decimals)
    save_text(path, rounded.to_csv(index=False, lineterminator="\n"))


def read_rows(path: Path, cure: str = REPAIR) -> list[Row]:
    """Read a CSV file as text; raise InputError with the cure if it is missing or damaged."""
    try:
        check_bytes(path, cure)
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, strict=True))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path} cannot be read ({error}): {cure}.") from error
    if any(None in row or None in row.values() for row in rows):
        raise InputError(f"{path} has rows of different lengths: {cure}.")
    return rows


class Markdown:
    """Tables in Markdown, as GitHub and pandoc read them."""

    equal, plus_minus = "=", "±"

    @staticmethod
    def math(formula: str) -> str:
        """Return a formula as a cell."""
        return formula

    @staticmethod
    def text(words: object) -> str:
        """Return words as a cell or a heading, in one line: letters that begin markup or end a cell are escaped."""
        letters = {"<": "&lt;", **{letter: "\\" + letter for letter in "|`[\\"}}
        return "".join(letters.get(letter, letter) for letter in _one_line(words))

    @staticmethod
    def bold(cell: str) -> str:
        return f"**{cell}**"

    @staticmethod
    def spread(mean: float, std: float, spec: str, std_spec: str = "", bold: bool = False) -> str:
        """Return a mean with its standard deviation. std_spec: format of the deviation, that of the mean by default."""
        cell = f"{mean:{spec}} ± {std:{std_spec or spec}}"
        return Markdown.bold(cell) if bold else cell

    @staticmethod
    def interval(low: float, high: float, spec: str) -> str:
        return f"{low:{spec}} to {high:{spec}}"

    @staticmethod
    def table(columns: Sequence[str], align: str, rows: Rows) -> str:
        """Return a table. align: one letter per column, l or r."""
        rule = "".join("---:|" if side == "r" else "---|" for side in align)
        return "\n".join([_bars(columns), f"|{rule}", *map(_bars, rows)]) + "\n"

    @staticmethod
    def page(title: str, note: str, blocks: Iterable[tuple[str, str]]) -> str:
        """Return a page of a title, a note and blocks of (heading, table); a heading may be empty."""
        tables = (f"\n{heading}\n\n{table}" if heading else f"\n{table}" for heading, table in blocks)
        return f"# {Markdown.text(title)}\n\n{note}\n" + "".join(tables)


class Latex:
    """Tables in LaTeX: a ``tabular`` with the rules of the package booktabs."""

    equal, plus_minus = "$=$", r"\pm"

    @staticmethod
    def math(formula: str) -> str:
        """Return a formula as a cell."""
        return f"${formula}$"

    @staticmethod
    def text(words: object) -> str:
        """Return words with the characters escaped that are special in LaTeX."""
        letters = {letter: "\\" + letter for letter in "&%$#_{}"}
        letters |= {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
        return "".join(letters.get(letter, letter) for letter in _one_line(words))

    @staticmethod
    def bold(cell: str) -> str:
        return rf"\textbf{{{cell}}}"

    @staticmethod
    def spread(mean: float, std: float, spec: str, std_spec: str = "", bold: bool = False) -> str:
        """Return a mean with its standard deviation. std_spec: format of the deviation, that of the mean by default."""
        cell = rf"{mean:{spec}} \pm {std:{std_spec or spec}}"
        return rf"$\mathbf{{{cell}}}$" if bold else f"${cell}$"

    @staticmethod
    def interval(low: float, high: float, spec: str) -> str:
        return f"${low:{spec}}$--${high:{spec}}$"

    @staticmethod
    def page(title: str, note: str, columns: Sequence[str], align: str, groups: Iterable[Rows]) -> str:
        """Return a ``tabular`` with a rule above every group of rows; title and note are comments above and below it.

        columns: the header cells, as LaTeX. align: one letter per column, l or r.
        """
        lines = [f"% {_one_line(title)}", rf"\begin{{tabular}}{{{align}}}", r"\toprule", _ampersands(columns)]
        for rows in groups:
            lines += [r"\midrule", *map(_ampersands, rows)]
        return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", f"% {note}"]) + "\n"


Form = type[Markdown] | type[Latex]
"""The format of a table: `Markdown` or `Latex`."""


def _one_line(words: object) -> str:
    """Return words in one line: a line break would end a row of a table, or a comment of LaTeX."""
    return " ".join(str(words).splitlines())


def _bars(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _ampersands(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"
