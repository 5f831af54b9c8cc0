"""The verdicts of a run as pages show them: claims, headlines with the claims that test them, and symbols."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from manybandits.base.exceptions import pick
from manybandits.base.table_files import Row
from manybandits.papers.claim import NEEDED
from manybandits.results import verdict_table
from manybandits.results.verdict_table import (
    CONTRADICTED,
    NEAR,
    NOT,
    OUTSIDE,
    REPRODUCED,
    SUPPORTED,
    UNDECIDED,
    UNTESTABLE,
    JudgedClaim,
)

KINDS = tuple(NEEDED)
_TICK, _CROSS, _SQUARE = "M4.6 8.2l2.3 2.4 4.5-5.1", "M5 5l6 6m0-6l-6 6", "M2 2h12v12H2z"
SYMBOLS = {
    REPRODUCED: f'<circle cx="8" cy="8" r="7"/><path class="cut" d="{_TICK}"/>',
    SUPPORTED: f'<circle class="line" cx="8" cy="8" r="6.2"/><path class="line" d="{_TICK}"/>',
    NEAR: '<path class="line" d="M8 1.4L14.6 8 8 14.6 1.4 8z"/><path d="M8 1.4v13.2L1.4 8z"/>',
    UNDECIDED: '<path class="line" d="M4.6 5.4a3.4 3.4 0 1 1 4.7 3.2c-1 .5-1.3 1-1.3 2.2"/>'
    '<circle cx="8" cy="13.6" r="1.3"/>',
    CONTRADICTED: f'<path class="line" d="{_SQUARE}"/><path class="line" d="{_CROSS}"/>',
    NOT: f'<path d="{_SQUARE}"/><path class="cut" d="{_CROSS}"/>',
    OUTSIDE: '<path class="line" d="M5.5 2h-3v12h3M10.5 2h3v12h-3"/><circle cx="8" cy="8" r="1.5"/>',
    UNTESTABLE: f'<path class="line" stroke-dasharray="2.6 2" d="{_SQUARE}"/>',
}
"""The symbol of each verdict, as SVG in a square of 16, told apart by shape alone.

A circle holds and a square does not; filled is at the paper's scale, and open is under limits.
"""
HALF = '<circle class="line" cx="8" cy="8" r="6.2"/><path d="M8 1.8a6.2 6.2 0 0 1 0 12.4z"/>'
"""The symbol of what holds under some readings and fails under others."""


@dataclass(frozen=True)
class Headline:
    """A headline with its verdict. row: of the table of headlines; members: the claims that test it, in order."""

    row: Row
    members: Sequence[JudgedClaim]

    def __getitem__(self, column: str) -> str:
        return self.row[column]

    @property
    def key(self) -> str:
        """The key of the headline in its paper file."""
        return self.row["headline"].split(".")[1]

    @property
    def decisive(self) -> JudgedClaim:
        """The claim that decides."""
        return next(claim for claim in self.members if claim["claim"] == self.row["decided_by"])

    @property
    def rule(self) -> str:
        """How many of its claims must hold, in words."""
        if len(self.members) == 1:
            return "One claim tests it."
        many = len(self.members)
        words = {"all": f"All of its {many} claims must hold.", "first": f"The first of its {many} claims decides."}
        return words.get(self["holds_in"], f"{self['holds_in']} of its {many} claims must hold.")


def read_claims(path: Path) -> list[JudgedClaim]:
    """Read the verdicts of a run by claim; raise InputError naming the row that is wrong."""
    claims = verdict_table.read_claims(path)
    for claim in claims:
        pick(claim["kind"], KINDS, f"kind of {claim['claim']} in {path}")
    return claims


def read_headlines(path: Path, claims: Iterable[JudgedClaim]) -> list[Headline]:
    """Read the headlines of a run with their claims; raise InputError naming a claim that has no verdict."""
    known: Mapping[str, JudgedClaim] = {claim["claim"]: claim for claim in claims}
    found = []
    for row in verdict_table.read_headlines(path):
        where = f"claim of {row['headline']} in {path}"
        names = row["claims"].split()
        pick(row["decided_by"], names, where)
        found.append(Headline(row, [known[pick(name, known, where)] for name in names]))
    return found
