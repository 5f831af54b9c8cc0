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

``reports/<run>/readings.csv`` has one row per headline, with the columns `SUMMARY`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from manybandits.base.exceptions import InputError
from manybandits.base.table_files import Row, read_rows
from manybandits.results.display_names import listed

FIXED = ("reading", "answer", "effect", "low", "high", "quantity", "against", "limits", "chance")
"""The columns before those of the questions."""
NUMBERS = ("effect", "low", "high", "against")
SUMMARY = ("headline", "answer", "readings", "judged", "holds", "fails", "word", "choices")
"""The columns of ``readings.csv``. answer: of the default reading; word: one of the next four; choices: what decides,
joined by semicolons."""
ALL, DEPENDS, MOSTLY, NEVER = "same in nearly all", "depends on", "no single choice", "not judged"
CURE = "judge the readings again"
TABLES, SUMMARIES, FIGURES = "readings", "readings.csv", "figures/readings_"
"""Where a report has its tables of readings, their summary, and their curves."""
PARTS = ".csv", ".choices.csv"
"""The endings of the tables of a headline: its readings, and what each choice explains."""
CHOICES = ("choice", "share", "low", "high", "chance")
"""The columns of the latter, the largest share of the variance first; a pair of choices is joined by ``and``."""


def read_readings(path: Path) -> pd.DataFrame:
    """Read a table of readings, its numbers as float; raise InputError naming the column or number that is wrong."""
    table = pd.DataFrame(_rows(path, FIXED, "table of readings"))
    for name in NUMBERS:
        try:
            table[name] = pd.to_numeric(table[name].replace("", None))
        except ValueError as error:
            raise InputError(f"{path}: {name} is not a number ({error}): {CURE}.") from None
    return table


def read_choices(path: Path) -> list[Row]:
    """Read what each choice explains; raise InputError naming the column that is missing."""
    return _rows(path, CHOICES, "table of what choices explain")


def read_summaries(path: Path) -> dict[str, Row]:
    """Read ``readings.csv``: headline -> its row; raise InputError naming the column that is missing."""
    return {row["headline"]: row for row in _rows(path, SUMMARY, "summary of readings")}


def questions_of(table: pd.DataFrame) -> list[str]:
    """Return the questions of a table of readings, in their order."""
    return [str(name) for name in table.columns if name not in FIXED]


def turns(found: Mapping[str, str]) -> bool:
    """Return whether a headline holds under some readings, fails under others, and has neither answer in nearly all.

    found: its row of ``readings.csv``. Choices may also explain how large an effect is that always fails, or whether it
    can be told at all.
    """
    return found["word"] in (DEPENDS, MOSTLY) and found["holds"] != "0" and found["fails"] != "0"


def in_words(
    found: Mapping[str, str], shares: Mapping[str, float] | None = None, asked: Mapping[str, str] | None = None
) -> str:
    """Return a row of ``readings.csv`` as a sentence without its full stop.

    shares: choice -> the share of the variation of the effect over set-ups that it explains, where known. asked:
    question -> its words, which take the place of its name.

    >>> row = {"judged": "64", "holds": "20", "fails": "30", "word": "depends on", "choices": "gradients; start"}
    >>> in_words(row, {"gradients": 0.41, "start": 0.22})
    'holds in 20 of 64 set-ups and fails in 30; the variation is best explained by gradients (41 %) and start (22 %)'
    """
    if found["word"] == NEVER:
        return "could not be judged in any set-up"
    counts = f"holds in {found['holds']} of {found['judged']} set-ups and fails in {found['fails']}"
    if found["word"] == MOSTLY:
        return f"{counts}; no single choice explains it"
    known, words = shares or {}, asked or {}
    choices = [
        ("the interaction of " if " and " in name else "")
        + " and ".join(words.get(key, key) for key in name.split(" and "))
        + (f" ({100 * known[name]:.0f} %)" if name in known else "")
        for name in filter(None, found["choices"].split("; "))
    ]
    if not choices:
        return counts
    what = "the variation is" if turns(found) else "the size of its effect is"
    return f"{counts}; {what} best explained by {listed(choices)}"


def _rows(path: Path, columns: tuple[str, ...], kind: str) -> list[Row]:
    """Read the rows of a table that must have some columns."""
    rows = read_rows(path, cure=CURE)
    for name in columns:
        if not rows or name not in rows[0]:
            raise InputError(f"{path} has no column {name!r}, so it is no {kind}: {CURE}.")
    return rows
