"""What changed with scale: headlines by the paper's text, at the size of their set-ups and at that of their figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from manybandits.claims.verdict import Answer, HeadlineVerdict
from manybandits.report.readings import HeadlineReadings

SAME, CLEARED, BLURRED, REVERSED = "same", "cleared", "blurred", "reversed"
"""What becomes of the answer to a headline with more rounds and runs."""
CLEAR = (Answer.HOLDS, Answer.FAILS)
"""The answers that are clear."""
WORDS = {
    SAME: ("has the same answer", "have the same answer"),
    CLEARED: ("is inconclusive in the smaller run only", "are inconclusive in the smaller run only"),
    BLURRED: ("is inconclusive in the larger run only", "are inconclusive in the larger run only"),
    REVERSED: ("is reversed", "are reversed"),
}
"""How that is said of one headline and of several."""


@dataclass(frozen=True)
class Sizes:
    """A headline under the reading as written, at two sizes. full: its verdict at the size of its figures."""

    readings: HeadlineReadings
    full: HeadlineVerdict

    @property
    def change(self) -> str:
        """What became of the answer; empty if one of the two was not judged."""
        small, full = self.readings.answer, self.full.answer
        if not (small.is_judged and full.is_judged):
            return ""
        if small is full or not (small in CLEAR or full in CLEAR):
            return SAME
        return CLEARED if small not in CLEAR else BLURRED if full not in CLEAR else REVERSED


def at_both_sizes(readings: Iterable[HeadlineReadings], full: Mapping[str, HeadlineVerdict]) -> list[Sizes]:
    """Return the headlines that are judged at both sizes, those of which the answer changed first.

    full: headline -> its verdict at the size of its figures.
    """
    both = [Sizes(one, full[one.headline]) for one in readings if one.headline in full]
    return sorted((one for one in both if one.change), key=lambda one: one.change == SAME)


def sentence(sizes: Sequence[Sizes]) -> str:
    """Return what more rounds and runs changed, in a sentence; empty without headlines."""
    counts = Counter(one.change for one in sizes)
    told = [f"{counts[change]} {words[counts[change] > 1]}" for change, words in WORDS.items() if counts[change]]
    none = "" if counts[REVERSED] else ", and none is reversed"
    headlines = "headlines that are" if len(sizes) > 1 else "headline that is"
    return f"Of {len(sizes)} {headlines} judged at both sizes, {', '.join(told)}{none}." if told else ""
