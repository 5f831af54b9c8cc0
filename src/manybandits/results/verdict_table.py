"""The table of verdicts: ``reports/<run>/verdicts.csv``, one row per claim and reading.

=============  =========================================================================================
claim          its id: ``m_cnb.table3.5``
paper          the name of the paper's file
experiment     key of the experiment that was judged
figure         the stem of its figure and table, empty where none was made
place          where the paper claims it
says           what is claimed
kind           value, order, ratio, slope or equality
reading        `COUNTED`, the only one that is counted, or another reading under which the same was judged
verdict        one of `VERDICTS`
quantity       what was measured, in words
measured       its value; ``low`` and ``high``: its 95 % interval; ``published``: the paper's; each may be empty
n              seeds; p: of the test, corrected after Holm; each may be empty
data           what it was made from
limits         what is smaller than in the paper, or other
reason         what decided, or why it is not testable
because        why it was not reproduced, as far as is known
=============  =========================================================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from manybandits.base.exceptions import InputError, pick
from manybandits.base.protocols import PAPER as COUNTED
from manybandits.base.table_files import Row, read_rows

VERDICTS = REPRODUCED, PARTLY, NOT, UNTESTABLE = "reproduced", "partly", "not reproduced", "not testable here"
"""The words of verdicts in their order, from the best to none: counts, pages and filters all follow it."""
NOT_RUN = "not part of this run"
"""The reason for a claim about an experiment that a configuration leaves out."""
NUMBERS = ("measured", "low", "high", "published", "n", "p")
COLUMNS = (
    *("claim", "paper", "experiment", "figure", "place", "says", "kind", "reading", "verdict", "quantity"),
    *NUMBERS,
    *("data", "limits", "reason", "because"),
)
JUDGED = tuple(name for name in COLUMNS if name != "because")
"""The columns of the verdicts about one figure, which are gathered into the table of a run."""

Verdict = dict[str, Any]
"""A row: words as they are, numbers as float, None where there is none."""


@dataclass(frozen=True)
class JudgedClaim:
    """A claim with its verdicts. row: the verdict under the reading that counts; others: those under other readings."""

    row: Row
    others: Sequence[Row]

    def __getitem__(self, column: str) -> str:
        return self.row[column]

    @property
    def key(self) -> str:
        """The key of the claim in its paper file."""
        return self.row["claim"].split(".")[1]


def read_verdicts(path: Path, columns: Sequence[str] = COLUMNS) -> list[Row]:
    """Read verdicts as text; raise InputError naming the file and the column, claim or number that is wrong.

    columns: those that it must have, `JUDGED` for the verdicts about one figure.
    """
    rows = read_rows(path, cure="name a run whose claims were judged")
    missing = [name for name in columns if rows and name not in rows[0]]
    if missing:
        raise InputError(f"{path} has no column {missing[0]!r}: it is no table of verdicts; judge the claims again.")
    seen = set()
    for row in rows:
        pick(row["verdict"], VERDICTS, f"verdict of {row['claim']} in {path}")
        if not re.fullmatch(r"[a-z0-9_]+\.[a-z0-9_]+(\.\d+)?", row["claim"]):
            raise InputError(f"{path} has a claim {row['claim']!r}; it must be paper.key or paper.key.number.")
        if (row["claim"], row["reading"]) in seen:
            raise InputError(f"{path} has two verdicts on {row['claim']} under {row['reading']!r}: judge it again.")
        seen.add((row["claim"], row["reading"]))
        for name in NUMBERS:
            if row[name] and not _is_number(row[name]):
                raise InputError(f"{path}: {name} of {row['claim']} is {row[name]!r}, not a number; judge it again.")
    return rows


def load_verdicts(path: Path) -> list[Verdict]:
    """Read verdicts with their numbers as float, None where there is none; raises as `read_verdicts` does."""
    return [row | {name: float(row[name]) if row[name] else None for name in NUMBERS} for row in read_verdicts(path)]


def read_claims(path: Path) -> list[JudgedClaim]:
    """Read verdicts by claim; raise InputError, too, for a claim without a verdict under the reading that counts."""
    claims: dict[str, dict[str, Row]] = {}
    for row in read_verdicts(path):
        claims.setdefault(row["claim"], {})[row["reading"]] = row
    for name, readings in claims.items():
        if COUNTED not in readings:
            raise InputError(f"{path} has no verdict on {name} under {COUNTED!r}, which counts: judge it again.")
    return [
        JudgedClaim(readings[COUNTED], [row for reading, row in readings.items() if reading != COUNTED])
        for readings in claims.values()
    ]


def counted(verdicts: Iterable[Mapping[Any, Any]]) -> list[Mapping[Any, Any]]:
    """Return the verdicts under the reading that counts: one per claim."""
    return [row for row in verdicts if row["reading"] == COUNTED]


def count(verdicts: Iterable[Mapping[Any, Any] | JudgedClaim]) -> dict[str, int]:
    """Return how many of the rows, or claims, have each verdict; all four are named, in their order."""
    given = [row["verdict"] for row in verdicts]
    return {verdict: given.count(verdict) for verdict in VERDICTS}


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
