"""The table of verdicts: ``reports/<run>/verdicts.csv``, one row per claim and reading.

=============  =========================================================================================
claim          its id: ``m_cnb.table3.5``
paper          the name of the paper's file
experiment     key of the experiment that was judged
figure         the stem of its figure and table, empty if none was made
place          the place of the claim in the paper
says           what is claimed
kind           value, order, ratio, slope or equality
reading        `COUNTED`, the only reading that is counted, or another one
verdict        one of `VERDICTS`
quantity       what was measured, in words
measured       its value; ``low`` and ``high``: its 95 % interval; ``published``: the paper's value; may be empty
n              number of seeds; ``p``: of the test, corrected by Holm's rule; may be empty
data           the data, in words
limits         in what respects the run is smaller than the paper's, or on other data
reason         what decided the verdict, or why the claim is not testable
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
"""The verdicts in the order of counts, pages and filters."""
NOT_RUN = "not part of this run"
"""The reason of verdicts on experiments that a configuration leaves out."""
NUMBERS = ("measured", "low", "high", "published", "n", "p")
COLUMNS = (
    *("claim", "paper", "experiment", "figure", "place", "says", "kind", "reading", "verdict", "quantity"),
    *NUMBERS,
    *("data", "limits", "reason", "because"),
)
JUDGED = tuple(name for name in COLUMNS if name != "because")
"""The columns of the verdicts on one figure, before they are gathered into the table of a run."""

Verdict = dict[str, Any]
"""A row of the table: text as it is, numbers as float, or None if the cell is empty."""


@dataclass(frozen=True)
class JudgedClaim:
    """A claim with its verdicts. row: the verdict under the counted reading; others: those under other readings."""

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

    columns: those that the file must have, `JUDGED` for the verdicts on one figure.
    """
    rows = read_rows(path, cure="name a run whose claims were judged")
    missing = [name for name in columns if rows and name not in rows[0]]
    if missing:
        raise InputError(f"{path} has no column {missing[0]!r}: it is not a table of verdicts; judge the claims again.")
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
    """Read verdicts with numbers as float, or None if the cell is empty; raises as `read_verdicts` does."""
    return [row | {name: float(row[name]) if row[name] else None for name in NUMBERS} for row in read_verdicts(path)]


def read_claims(path: Path) -> list[JudgedClaim]:
    """Read verdicts by claim; raises as `read_verdicts` does, and for a claim without a counted verdict."""
    claims: dict[str, dict[str, Row]] = {}
    for row in read_verdicts(path):
        claims.setdefault(row["claim"], {})[row["reading"]] = row
    for name, readings in claims.items():
        if COUNTED not in readings:
            raise InputError(f"{path} has no verdict on {name} under {COUNTED!r}, the counted reading: judge it again.")
    return [
        JudgedClaim(readings[COUNTED], [row for reading, row in readings.items() if reading != COUNTED])
        for readings in claims.values()
    ]


def counted(verdicts: Iterable[Mapping[Any, Any]]) -> list[Mapping[Any, Any]]:
    """Return the verdicts under the counted reading: one per claim."""
    return [row for row in verdicts if row["reading"] == COUNTED]


def count(verdicts: Iterable[Mapping[Any, Any] | JudgedClaim]) -> dict[str, int]:
    """Return the number of rows, or claims, with each of the four verdicts, in the order of `VERDICTS`."""
    given = [row["verdict"] for row in verdicts]
    return {verdict: given.count(verdict) for verdict in VERDICTS}


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
