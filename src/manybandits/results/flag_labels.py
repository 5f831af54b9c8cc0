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
    "same in all runs": "what is compared has the same result in every run, so that nothing could differ: a claim that "
    "it does not differ holds by construction",
    "unequal tuning": "the compared methods were tuned on different numbers of grid points, runs or rounds",
    "edge of the grid": "tuning chose the end of a grid, and the value before it was worse, so that a wider grid might "
    "be better",
    "arm never tried": "some runs never tried some arm",
    "dead network": "the network of some runs is dead: nearly all of its units are zero for all inputs",
}
"""Kind of a flag -> what it means."""
_EDGE = re.compile(r"(?P<what>.+) is the edge of its grid")
_RUNS = {"never tried some arm": "arm never tried", "ended with a dead network": "dead network"}


@dataclass(frozen=True)
class FlagLabel:
    """All flags of one kind that a verdict has.

    kind: one of `KINDS`, or the words of an unknown flag. whom: for each method that it concerns, the particulars, such
    as the options whose value is at the edge of a grid; they may be none.
    """

    kind: str
    whom: dict[str, tuple[str, ...]]

    @property
    def words(self) -> str:
        """The label: its kind and the methods."""
        return f"{self.kind}: {', '.join(self.whom)}" if self.whom else self.kind

    @property
    def particulars(self) -> str:
        """The methods with their particulars; "" if there are none."""
        told = [f"{name}: {', '.join(found)}" for name, found in self.whom.items() if found]
        return "; ".join(told)


def flag_labels(flags: str) -> list[FlagLabel]:
    """Return the labels of the flags in a cell of the table, by kind.

    >>> edge = "is the edge of its grid"
    >>> first, second = flag_labels(f"CLUB: at chance; LOCB: at chance; CLUB: alpha 1 {edge}; CLUB: lambda 9 {edge}")
    >>> first.words, second.words, second.particulars
    ('at chance: CLUB, LOCB', 'edge of the grid: CLUB', 'CLUB: alpha 1, lambda 9')
    """
    found: dict[str, dict[str, list[str]]] = {}
    for flag in filter(None, flags.split("; ")):
        kind, whom, particular = _parsed(flag)
        concerned = found.setdefault(kind, {})
        if whom:
            concerned.setdefault(whom, []).extend([particular] if particular else [])
    order = list(KINDS)
    by_kind = sorted(found, key=lambda kind: order.index(kind) if kind in order else len(order))
    return [
        FlagLabel(kind, {whom: tuple(dict.fromkeys(told)) for whom, told in found[kind].items()}) for kind in by_kind
    ]


def _parsed(flag: str) -> tuple[str, str, str]:
    """Return the kind of a flag, the method that it concerns, and the particulars."""
    first, colon, rest = flag.partition(": ")
    if not colon:
        return flag, "", ""
    if first in KINDS:  # the kind comes first where the flag is about the claim and not about one method
        return first, rest.removesuffix(" keeps the bound as well"), ""
    if edge := _EDGE.fullmatch(rest):
        return "edge of the grid", algorithm_name(first), edge["what"]
    for words, kind in _RUNS.items():
        if rest.endswith(words):
            return kind, algorithm_name(first), f"{rest.removesuffix(words).strip()} runs"
    return rest, algorithm_name(first), ""
