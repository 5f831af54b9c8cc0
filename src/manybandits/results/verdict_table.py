"""Verdicts as people read them: ``reports/<run>/verdicts.csv``, a row a claim and reading.

=============  =========================================================================================
claim          its id: ``m_cnb.table3.5``
paper          the name of the paper's file
experiment     key of the experiment that was judged
figure         the stem of its figure and table, empty where none was made
place          where the paper claims it
says           what is claimed
kind           value, order, ratio, slope or equality
reading        `COUNTED`, which alone is counted; or another reading under which the same was judged
verdict        one of `VERDICTS`
quantity       what was measured, in words
measured       its value; ``low`` and ``high``: its 95 % interval; ``published``: the paper's; each may be empty
n              seeds; p: of the test, corrected after Holm; each may be empty
data           what it was made from
limits         what is less or other than in the paper
reason         what decided, or why it is not testable
because        why it was not reproduced, as far as it was found out
=============  =========================================================================================
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from manybandits.base.exceptions import InputError, pick
from manybandits.base.protocols import PAPER as COUNTED

VERDICTS = REPRODUCED, PARTLY, NOT, UNTESTABLE = "reproduced", "partly", "not reproduced", "not testable here"
"""From the best to what is no answer."""
NOT_RUN = "not part of this run"
"""The reason for a claim about an experiment that a configuration leaves out."""
NUMBERS = ("measured", "low", "high", "published", "n", "p")
COLUMNS = (
    *("claim", "paper", "experiment", "figure", "place", "says", "kind", "reading", "verdict", "quantity"),
    *NUMBERS,
    *("data", "limits", "reason", "because"),
)

Verdict = dict[str, Any]
"""A row: words as they are, numbers as float, None where there is none."""


def load_verdicts(path: Path) -> list[Verdict]:
    """Read verdicts; raise InputError naming the file and what is wrong with it."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            table = csv.DictReader(file)
            missing = [name for name in COLUMNS if name not in (table.fieldnames or ())]
            if missing:
                raise InputError(f"{path} has no column {missing[0]!r}: it holds no verdicts; make them again.")
            rows: list[Verdict] = list(table)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read ({error}): name a run whose claims were judged.") from error
    for row in rows:
        pick(row["verdict"], VERDICTS, f"verdict of {row['claim']} in {path}")
        for name in NUMBERS:
            try:
                row[name] = float(row[name]) if row[name] else None
            except ValueError as error:
                raise InputError(
                    f"{path}: {name} of {row['claim']} is {row[name]!r}, not a number; make it again."
                ) from error
    return rows


def count(verdicts: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Return how often each verdict was given, claims counted once, in the reading that counts."""
    given = [row["verdict"] for row in verdicts if row["reading"] == COUNTED]
    return {verdict: given.count(verdict) for verdict in VERDICTS}
