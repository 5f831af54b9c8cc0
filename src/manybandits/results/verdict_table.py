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
stands         empty for a claim of its own; else why it stands apart: a copy, a quote, or true by construction
verdict        one of `VERDICTS`
quantity       what was measured, in words
of             the title of the run that the claim is about; ``rival``: that of the run that decides a comparison
compared       with how many runs it is compared
comparisons    of an order: how many comparisons were made, in all games; the least favourable one decides
game           the name of the game that decides; empty if the claim is not about one game
measure        what is measured, ``at`` which round (empty: the last), at which ``point`` of the grid (empty: as tuned)
against        of a slope: the setting that it is measured against
bound          how a stated number is meant: at-most or at-least; empty for a number as such
measured       its value; ``low`` and ``high``: its 95 % interval; ``published``: the paper's value; may be empty
n              number of independent runs; ``p``: of the test of this claim, against an order times its comparisons
data           the data, in words
limits         in what respects the run is smaller than the paper's, or on other data
flags          what a reader should know before believing the verdict
reason         what decided the verdict, or why the claim is not testable
because        why it was not reproduced, as far as is known
rests_on       the target of the pipeline on which that rests, empty for a conjecture
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

VERDICTS = REPRODUCED, SUPPORTED, NEAR, UNDECIDED, CONTRADICTED, NOT, OUTSIDE, UNTESTABLE = (
    *("reproduced", "supported", "near miss", "undecided"),
    *("contradicted here", "not reproduced", "outside its conditions", "not testable here"),
)
"""The verdicts in the order of counts, pages and filters. `EXPLANATIONS` says when each is given."""
EXPLANATIONS = {
    REPRODUCED: "the rule of its kind holds, with the paper's rounds, runs and data, or as its theorem asks",
    SUPPORTED: "the rule holds, but on other data of the kind, with fewer rounds or fewer runs",
    NEAR: "the right direction and the wrong size",
    UNDECIDED: "the evidence cannot tell: the interval holds both answers, or the runs are too few or too short",
    CONTRADICTED: "the opposite holds with certainty, but on other data, with fewer rounds or fewer runs",
    NOT: "the opposite holds, or the value is elsewhere, with certainty, at the paper's scale",
    OUTSIDE: "a theorem whose stated conditions no run meets; what was measured is shown and not judged",
    UNTESTABLE: "no data, a statistic that the paper does not specify, or seconds of an undescribed machine",
}
HOLDING = (REPRODUCED, SUPPORTED)
"""The verdicts of what holds, with and without limits."""
NOT_RUN = "not part of this run"
"""The reason of verdicts on experiments that a configuration leaves out."""
NO_DIFFERENCE = "not significantly different"
"""The reason of a verdict on an order whose sides are neither ahead nor behind."""
PLACES = ("figure", "table", "theorem", "corollary", "lemma", "proposition", "remark", "algorithm", "section")
"""The first word of a place, in the order in which places are shown."""
NUMBERS = ("measured", "low", "high", "published", "n", "p")
JUDGED = (
    *("claim", "paper", "experiment", "figure", "place", "says", "kind", "reading", "stands", "verdict", "quantity"),
    *("of", "rival", "compared", "comparisons", "game", "measure", "at", "point", "against", "bound"),
    *NUMBERS,
    *("data", "limits", "flags", "reason"),
)
"""The columns of the verdicts on one figure, before they are gathered into the table of a run."""
COLUMNS = (*JUDGED, "because", "rests_on")
HEADLINE_COLUMNS = (
    *("headline", "paper", "place", "says", "claims", "holds_in", "verdict", "decided_by", "figure"),
    *("quantity", "comparisons", "bound"),
    *NUMBERS,
    *("limits", "flags", "reason", "because", "rests_on"),
)
"""The columns of ``headlines.csv``, one row per headline: its verdict, and the numbers of the claim that decides it."""

Verdict = dict[str, Any]
"""A row of the table: text as it is, numbers as float, or None if the cell is empty."""


@dataclass(frozen=True)
class Score:
    """How many cells of one table or figure of a paper hold. Scores are never added up over papers.

    counts: verdict -> the number of counted cells with it. apart: the number of cells that stand apart, not counted.
    """

    paper: str
    place: str
    counts: dict[str, int]
    apart: int

    @property
    def cells(self) -> int:
        """The number of cells that are counted."""
        return sum(self.counts.values())

    @property
    def holding(self) -> int:
        """The number of these that hold."""
        return sum(self.counts[verdict] for verdict in HOLDING)


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

    A file of an earlier version is refused by the first column that it lacks. columns: those that the file must have,
    `JUDGED` for the verdicts on one figure.
    """
    rows = _read(path, columns, "verdicts")
    seen = set()
    for row in rows:
        pick(row["verdict"], VERDICTS, f"verdict of {row['claim']} in {path}")
        if not re.fullmatch(r"[a-z0-9_]+\.[a-z0-9_]+(\.\d+)?", row["claim"]):
            raise InputError(f"{path} has a claim {row['claim']!r}; it must be paper.key or paper.key.number.")
        if (row["claim"], row["reading"]) in seen:
            raise InputError(f"{path} has two verdicts on {row['claim']} under {row['reading']!r}: judge it again.")
        seen.add((row["claim"], row["reading"]))
        _check_numbers(row, row["claim"], path)
    return rows


def read_headlines(path: Path) -> list[Row]:
    """Read the verdicts on headlines as text; raise InputError naming the file and the column, headline or number."""
    rows = _read(path, HEADLINE_COLUMNS, "headlines")
    seen = set()
    for row in rows:
        pick(row["verdict"], VERDICTS, f"verdict of {row['headline']} in {path}")
        if row["headline"] in seen:
            raise InputError(f"{path} has two verdicts on {row['headline']}: judge the claims again.")
        seen.add(row["headline"])
        _check_numbers(row, row["headline"], path)
    return rows


def load_verdicts(path: Path) -> list[Verdict]:
    """Read verdicts with numbers as float, or None if the cell is empty; raises as `read_verdicts` does."""
    return [_with_numbers(row) for row in read_verdicts(path)]


def load_headlines(path: Path) -> list[Verdict]:
    """Read headlines with numbers as float, or None if the cell is empty; raises as `read_headlines` does."""
    return [_with_numbers(row) for row in read_headlines(path)]


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
    """Return the verdicts that count: under the counted reading, one per claim, without those that stand apart."""
    return [row for row in verdicts if row["reading"] == COUNTED and not row["stands"]]


def count(verdicts: Iterable[Mapping[Any, Any] | JudgedClaim]) -> dict[str, int]:
    """Return the number of rows, or claims, with each of the verdicts, in the order of `VERDICTS`."""
    given = [row["verdict"] for row in verdicts]
    return {verdict: given.count(verdict) for verdict in VERDICTS}


def scores(verdicts: Iterable[Mapping[Any, Any]]) -> list[Score]:
    """Return the score of every table and figure of every paper: papers in their order, places as `place_order` sorts.

    verdicts: rows of the table; those under other readings are passed over.
    """
    places: dict[tuple[str, str], list[Mapping[Any, Any]]] = {}
    for row in verdicts:
        if row["reading"] == COUNTED:
            places.setdefault((row["paper"], row["place"]), []).append(row)
    papers = list(dict.fromkeys(paper for paper, _ in places))
    found = []
    for paper, place in sorted(places, key=lambda one: (papers.index(one[0]), place_order(one[1]))):
        own = places[paper, place]
        found.append(Score(paper, place, count(counted(own)), len(own) - len(counted(own))))
    return found


def bounded(text: str, bound: str) -> str:
    """Return a stated number with its bound in words. bound: at-most or at-least; empty for a number as such.

    >>> bounded("0.50", "at-most"), bounded("0.50", "")
    ('at most 0.50', '0.50')
    """
    return f"{bound.replace('-', ' ')} {text}" if bound else text


def place_order(place: str) -> tuple[int, int]:
    """Return the sort key of a place in a paper: figures first, then tables, theorems, ..., each by number."""
    found = re.match(r"(\w+?)s?\s+(\d+)", place)
    word = found.group(1).lower() if found else ""
    return (PLACES.index(word) if word in PLACES else len(PLACES), int(found.group(2)) if found else 0)


def _read(path: Path, columns: Sequence[str], what: str) -> list[Row]:
    """Read a table of verdicts or headlines; raise InputError naming the first column that it lacks."""
    rows = read_rows(path, cure="name a run whose claims were judged")
    missing = [name for name in columns if rows and name not in rows[0]]
    if missing:
        raise InputError(
            f"{path} has no column {missing[0]!r}: it is not a table of {what}, or it is one of an earlier version; "
            "judge the claims again."
        )
    return rows


def _check_numbers(row: Row, name: str, path: Path) -> None:
    for column in NUMBERS:
        if row[column] and not _is_number(row[column]):
            raise InputError(f"{path}: {column} of {name} is {row[column]!r}, not a number; judge it again.")


def _with_numbers(row: Row) -> Verdict:
    return row | {name: float(row[name]) if row[name] else None for name in NUMBERS}


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
