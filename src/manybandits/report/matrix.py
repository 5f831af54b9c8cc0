"""The answer of a run in one matrix: every headline under every reading that was judged, and in one sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from manybandits.base.protocols import AS_RELEASED, RELEASED
from manybandits.claims.finding import ANSWERS, Answer
from manybandits.claims.headlines import UNJUDGED, combine
from manybandits.report.inputs import Paper
from manybandits.report.readings import PHRASES as HOW_OFTEN
from manybandits.report.readings import STEADY, TURNS, HeadlineReadings, untouched
from manybandits.report.report import Report
from manybandits.report.verdicts import HALF, SYMBOLS, Headline
from manybandits.results import verdict_table

HOLDS, DEPENDING, NEAR, FAILS, OPEN = "holds", "depends", "near", "fails", "open"
"""What is said of a headline on the front page, in this order."""
OUTCOMES = {Answer.HOLDS: HOLDS, Answer.NEAR_MISS: NEAR, Answer.OPPOSITE: FAILS, Answer.UNCLEAR: OPEN}
PHRASES = {
    HOLDS: ("holds", "hold"),
    DEPENDING: HOW_OFTEN[TURNS],
    NEAR: ("is a near miss", "are near misses"),
    FAILS: ("fails", "fail"),
    OPEN: ("cannot be decided here",) * 2,
}
"""How an outcome is said of one headline and of several."""
WORDS = {HOLDS: "holds", DEPENDING: "depends", NEAR: "near miss", FAILS: "fails", OPEN: "cannot be decided"}
"""How it is said in a cell."""
LOOKS = {
    HOLDS: (verdict_table.REPRODUCED, SYMBOLS[verdict_table.REPRODUCED]),
    DEPENDING: (verdict_table.NEAR, HALF),
    NEAR: (verdict_table.NEAR, SYMBOLS[verdict_table.NEAR]),
    FAILS: (verdict_table.NOT, SYMBOLS[verdict_table.NOT]),
    OPEN: (verdict_table.UNDECIDED, SYMBOLS[verdict_table.UNDECIDED]),
}
"""The verdict whose colour an outcome has, and its symbol."""
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True)
class Entry:
    """A headline in the matrix.

    short: what it says in a few words. released: its verdict as the released code does it, "" where that was not
    judged. readings: None if none were played. alone: whether no choice touches it, so that it has one reading only.
    """

    headline: Headline
    short: str
    released: str
    readings: HeadlineReadings | None
    alone: bool

    def __getitem__(self, column: str) -> str:
        return self.headline[column]

    @property
    def key(self) -> str:
        return self.headline.key

    @property
    def judged(self) -> bool:
        return self["verdict"] not in UNJUDGED

    @property
    def outcome(self) -> str:
        """What the front page says of it: one of `PHRASES`."""
        if self.judged and self.readings is not None and self.readings.often == TURNS:
            return DEPENDING
        return OUTCOMES[ANSWERS[self["verdict"]]] if self.judged else OPEN

    @property
    def steady(self) -> bool:
        """Whether it has the outcome of its verdict whatever the reading, of those that were played."""
        steady = {HOLDS: STEADY[0], FAILS: STEADY[1]}.get(self.outcome)
        return self.readings is not None and self.readings.often == steady

    @property
    def limited(self) -> int:
        """How many of the claims that test it have limits."""
        return sum(bool(claim["limits"]) for claim in self.headline.members)

    @property
    def limits(self) -> list[str]:
        """The limits of all claims that test it, each once; those of the claim that decides come first."""
        found = [self["limits"], *(claim["limits"] for claim in self.headline.members)]
        return list(dict.fromkeys(one for limits in found for one in limits.split("; ") if one))

    @property
    def share(self) -> tuple[int, int] | None:
        """In how many readings it holds, and how many could be judged; None if none could, or none were played."""
        if not self.readings or self.readings.summary["judged"] == "0":
            return None
        return int(self.readings.summary["holds"]), int(self.readings.summary["judged"])


def entries_of(report: Report, paper: Paper) -> list[Entry]:
    """Return the headlines of a paper with their verdicts under every reading, in the order of its file."""
    alone = untouched(paper) if report.readings else []
    found = []
    for headline in report.headlines[paper.key]:
        read = report.readings.get(headline["headline"])
        asked = paper.content.headlines.get(headline.key)
        words = (asked and asked.short) or headline.key.replace("_", " ")
        found.append(Entry(headline, words, released_verdict(paper, headline, read), read, headline.key in alone))
    return found


def released_verdict(paper: Paper, headline: Headline, read: HeadlineReadings | None) -> str:
    """Return the verdict on a headline as the released code does it; "" if it was not judged so.

    It rests on the claims of this run if all were played so, else on that of its readings which is the released code.
    """
    rows = [row for claim in headline.members for row in claim.others if row["reading"] == RELEASED]
    if len(rows) == len(headline.members):
        return combine(paper.content.headlines[headline.key], rows).verdict
    if read is None:
        return ""
    return next((str(row.verdict) for row in read.table.itertuples() if row.reading == AS_RELEASED), "")


def sentence(matrix: Mapping[str, Sequence[Entry]]) -> str:
    """Return the answer of a run in one sentence; "" without headlines. matrix: paper -> its entries."""
    entries = [entry for found in matrix.values() for entry in found]
    if not entries:
        return ""
    papers = sum(bool(found) for found in matrix.values())
    number = NUMBERS[papers] if papers < len(NUMBERS) else str(papers)
    claims = f"{len(entries)} headline claim{'s' if len(entries) > 1 else ''}"
    return f"Of {claims} of {number} paper{'s' if papers > 1 else ''}, {outcomes_in_words(entries)}."


def outcomes_in_words(entries: Sequence[Entry]) -> str:
    """Return how many of some headlines hold, depend on a choice, fail and so on, in words."""
    parts = []
    for outcome, phrases in PHRASES.items():
        own = [entry for entry in entries if entry.outcome == outcome]
        if own:
            parts.append(f"{len(own)} {phrases[len(own) > 1]}{_whatever(own, outcome)}")
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]


def _whatever(entries: Sequence[Entry], outcome: str) -> str:
    """Return how many of some headlines have their verdict whatever the reading, in words; "" if that says nothing."""
    steady = sum(entry.steady for entry in entries)
    if outcome not in (HOLDS, FAILS) or not steady:
        return ""
    return " whatever the reading" if steady == len(entries) else f" ({steady} whatever the reading)"
