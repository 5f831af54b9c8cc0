"""Flags of verdicts as short labels, the same on pages, in notebooks and on the command line.

A flag in the column ``flags`` is a sentence such as ``CLUB: at chance``; flags are separated by ``; ``. A label has the
kind of the flag and whom it concerns, so that ten algorithms at the edge of their grids are one label.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from manybandits.results.display_names import algorithm_name

KINDS = {
    "at chance": "a method that is compared is within two standard errors of random choice, or worse: a bug, or a "
    "setting in which it cannot learn, is as good an explanation as the claim",
    "not discriminating": "a method for which the claim is not made keeps the bound as well, so that keeping it says "
    "little",
    "control not played": "a method for which the claim is not made was not played, so that nothing shows whether the "
    "bound is hard to keep",
    "unequal tuning": "the compared methods were tuned on different numbers of grid points",
    "edge of the grid": "tuning chose the largest or smallest value of a grid, so that a wider one might be better",
    "arm never tried": "some runs never tried some arm",
    "dead network": "the network of some runs is dead: nearly all of its units are zero for all inputs",
}
"""Kind of a flag -> what it means."""
_EDGE = re.compile(r"(?P<what>.+) is the edge of its grid")
_RUNS = {"never tried some arm": "arm never tried", "ended with a dead network": "dead network"}


@dataclass(frozen=True)
class FlagLabel:
    """All flags of one kind that a verdict has.

    kind: one of `KINDS`, or the words of an unknown flag. whom: the methods that it concerns.
    """

    kind: str
    whom: tuple[str, ...]

    @property
    def words(self) -> str:
        """The label in full."""
        return f"{self.kind}: {', '.join(self.whom)}" if self.whom else self.kind


def flag_labels(flags: str) -> list[FlagLabel]:
    """Return the labels of the flags in a cell of the table, by kind.

    >>> flags = "CLUB: at chance; LOCB: at chance; CLUB: alpha 1 is the edge of its grid"
    >>> [label.words for label in flag_labels(flags)]
    ['at chance: CLUB, LOCB', 'edge of the grid: CLUB at alpha 1']
    """
    found: dict[str, list[str]] = {}
    for flag in filter(None, flags.split("; ")):
        kind, whom = _kind(flag)
        found.setdefault(kind, []).extend([whom] if whom else [])
    order = list(KINDS)
    by_kind = sorted(found, key=lambda kind: order.index(kind) if kind in order else len(order))
    return [FlagLabel(kind, tuple(dict.fromkeys(found[kind]))) for kind in by_kind]


def _kind(flag: str) -> tuple[str, str]:
    """Return the kind of a flag and whom it concerns."""
    first, colon, rest = flag.partition(": ")
    if not colon:
        return flag, ""
    if first in KINDS:  # the kind comes first where the flag is about the claim and not about one method
        return first, rest.removesuffix(" keeps the bound as well").removeprefix("points of the grid ")
    if edge := _EDGE.fullmatch(rest):
        return "edge of the grid", f"{algorithm_name(first)} at {edge['what']}"
    for words, kind in _RUNS.items():
        if rest.endswith(words):
            return kind, f"{algorithm_name(first)} in {rest.removesuffix(words).strip()} runs"
    return rest, algorithm_name(first)
