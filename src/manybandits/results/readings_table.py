"""The tables of readings: ``reports/<run>/readings/<paper>_<headline>.csv``, one row per reading.

A reading answers all questions that a paper leaves open. What people read calls it a set-up.

=========  =================================================================================
reading    its name: what differs from the default, which is ``as written``
answer     on the headline under it, not corrected: readings are described, not tested
effect     of the claim that decides, with ``low`` and ``high``; ``quantity`` says of what
against    the number that the effect is compared with: 0 for orders, else what is stated
limits     in what respects its runs are smaller than the paper's
chance     the algorithms that are no better than Random under it: a reader's first thought is a bug
choices    after these, one column for each question, with the answer to it
=========  =================================================================================

``reports/<run>/readings.csv`` has one row per headline, with the columns `SUMMARY`: an export, of which nothing but the
headlines is read back.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from manybandits.base.exceptions import InputError
from manybandits.base.table_files import read_rows

FIXED = ("reading", "answer", "effect", "low", "high", "quantity", "against", "limits", "chance")
"""The columns before those of the questions."""
NUMBERS = ("effect", "low", "high", "against")
SUMMARY = ("headline", "answer", "readings", "judged", "holds", "fails", "word", "choices")
"""The columns of ``readings.csv``. answer: of the default reading; word: whether nearly all have one answer, or some
choice decides; choices: what decides, joined by semicolons."""
CURE = "judge the readings again"
TABLES, SUMMARIES, FIGURES = "readings", "readings.csv", "figures/readings_"
"""Where a report has its tables of readings, their summary, and their curves."""
PARTS = ".csv", ".choices.csv"
"""The endings of the tables of a headline: its readings, and what each choice explains."""
CHOICES = ("choice", "share", "low", "high", "chance")
"""The columns of the latter, the largest share of the variance first; a pair of choices is joined by ``and``."""


def files_of(report: Path, headline: str) -> tuple[Path, Path]:
    """Return where a report has the tables of a headline, paper.key: its readings, and what each choice explains."""
    readings, choices = (report / TABLES / f"{headline.replace('.', '_')}{part}" for part in PARTS)
    return readings, choices


def headlines_in(report: Path | None) -> list[str]:
    """Return the headlines, paper.key, of which a report has readings; none without a report, or before its first."""
    path = report / SUMMARIES if report else None
    if path is None or not path.exists():
        return []
    return list(_read(path, SUMMARY, (), "summary of readings")["headline"])


def read_readings(path: Path) -> pd.DataFrame:
    """Read a table of readings, its numbers as float; raise InputError naming the column or number that is wrong."""
    return _read(path, FIXED, NUMBERS, "table of readings")


def read_choices(path: Path) -> pd.DataFrame:
    """Read what each choice explains; raises as `read_readings` does."""
    return _read(path, CHOICES, CHOICES[1:], "table of what choices explain")


def questions_of(table: pd.DataFrame) -> list[str]:
    """Return the questions of a table of readings, in their order."""
    return [str(name) for name in table.columns if name not in FIXED]


def _read(path: Path, columns: tuple[str, ...], numbers: tuple[str, ...], kind: str) -> pd.DataFrame:
    """Read a table that must have some columns, of which some are numbers."""
    table = pd.DataFrame(read_rows(path, CURE))
    for name in columns:
        if name not in table:
            raise InputError(f"{path} has no column {name!r}, so it is no {kind}: {CURE}.")
    for name in numbers:
        try:
            table[name] = pd.to_numeric(table[name].replace("", None)).astype(float)
        except ValueError as error:
            raise InputError(f"{path}: {name} is not a number ({error}): {CURE}.") from None
    return table
