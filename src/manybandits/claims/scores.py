"""The score of a table or figure of a paper: how many of its cells hold. Scores are never added up over papers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from manybandits.base.protocols import PAPER
from manybandits.claims.verdict import Answer, Verdict, count

PLACES = ("figure", "table", "theorem", "corollary", "lemma", "proposition", "remark", "algorithm", "section")
"""The first word of a place, in the order in which places are shown."""


class Score(NamedTuple):
    """How many cells of one place hold. counts: answer -> cells that count; apart: cells that do not count."""

    paper: str
    place: str
    counts: Mapping[Answer, int]
    apart: int

    @property
    def cells(self) -> int:
        """The number of cells that are counted."""
        return sum(self.counts.values())

    @property
    def holding(self) -> int:
        """The number of these that hold."""
        return self.counts[Answer.HOLDS]


def scores(verdicts: Iterable[Verdict]) -> list[Score]:
    """Return the score of each table and figure of each paper: papers in their order, places as `place_order` sorts."""
    places: dict[tuple[str, str], list[Verdict]] = {}
    for one in verdicts:
        if one.claim.reading == PAPER:
            places.setdefault((one.claim.paper, one.claim.place), []).append(one)
    papers = list(dict.fromkeys(paper for paper, _ in places))
    found = []
    for paper, place in sorted(places, key=lambda one: (papers.index(one[0]), place_order(one[1]))):
        own = places[paper, place]
        counted = [one.answer for one in own if one.counts]
        found.append(Score(paper, place, count(counted), len(own) - len(counted)))
    return found


def place_order(place: str) -> tuple[int, int]:
    """Return the sort key of a place in a paper: figures first, then tables, theorems, ..., each by number."""
    found = re.match(r"(\w+?)s?\s+(\d+)", place)
    word = found.group(1).lower() if found else ""
    return (PLACES.index(word) if word in PLACES else len(PLACES), int(found.group(2)) if found else 0)
