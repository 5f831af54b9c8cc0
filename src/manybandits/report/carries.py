"""What carries a result: the lead of a paper's method over its best rival, and over each control, on one axis.

The page of a paper shows it where a control of some headline was played. Leads are shares of what they are compared
with, and above 0 the method is ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from manybandits.claims.controls import COMPARED
from manybandits.claims.verdict import Answer, HeadlineVerdict, Verdict
from manybandits.results.display_names import algorithm_name
from manybandits.results.measures import MEASURES

CONTROLS = {"mechanism": "mechanism off", "alike": "rivals alike", "plain": "plain bandit"}
"""What a kind of control switches off or equalises, in two words."""
FARTHEST = 1.0
"""How far behind the axis reaches, as a share; the numbers beside it say what is farther."""


class Row(NamedTuple):
    """The lead of a method over one run, with its 95 % interval. answer: None for a published lead; game: its name."""

    what: str
    rival: str
    lead: float
    low: float
    high: float
    answer: Answer | None = None
    game: str = ""

    @property
    def text(self) -> str:
        """The lead and its interval in per cent."""
        lead, low, high = (f"{100 * value:+z.1f}" for value in (self.lead, self.low, self.high))
        return f"{lead} %" + (f" [{low}, {high}]" if self.low < self.high else "")


class Leads(NamedTuple):
    """The leads of the headlines of a paper. low, high: the ends of their common axis."""

    low: float
    high: float
    rows: Mapping[str, Sequence[Row]]  # key of a headline -> its rows
    same: Mapping[str, HeadlineVerdict]  # key of a headline -> the one above it that has the rows of the same controls

    def place(self, lead: float) -> str:
        """Return where a lead is on the axis, in per cent of its length; one farther behind is at its end."""
        return f"{100 * (max(lead, self.low) - self.low) / (self.high - self.low):.1f}%"


def leads_of(headlines: Sequence[HeadlineVerdict], decisive: Callable[[HeadlineVerdict], Verdict]) -> Leads | None:
    """Return the leads of the headlines with a control that was played; None if there are none.

    decisive: returns the verdict on the claim that decides a headline.
    """
    rows: dict[str, list[Row]] = {}
    first: dict[tuple[Row, ...], HeadlineVerdict] = {}
    same: dict[str, HeadlineVerdict] = {}
    for one in headlines:
        if controls := tuple(_controls(one)):
            rows[one.key] = [*_rival(decisive(one)), *(() if controls in first else controls)]
            if (above := first.setdefault(controls, one)) is not one:
                same[one.key] = above
    if not rows:
        return None
    ends = [end for each in rows.values() for row in each for end in (row.lead, row.low, row.high)]
    low, high = max(-FARTHEST, min(0.0, *ends)), max(0.0, *ends)  # no lead is above 1
    room = 0.04 * (high - low) or 0.01
    return Leads(low - room, high + room, rows, same)


def _rival(verdict: Verdict) -> list[Row]:
    """Return the published lead and that over the best rival, of a verdict that compares methods."""
    if verdict.claim.kind not in COMPARED or verdict.measured is None or verdict.rival is None:
        return []
    rival = algorithm_name(verdict.rival.of)
    lead, low, high = _as_lead(verdict, verdict.measured, verdict.low, verdict.high)
    rows = [Row("best rival", rival, lead, low, high, verdict.answer, verdict.game)]
    if verdict.published is not None:
        rows.insert(0, Row("published", "", *_as_lead(verdict, verdict.published)))
    return rows


def _as_lead(
    verdict: Verdict, value: float, low: float | None = None, high: float | None = None
) -> tuple[float, float, float]:
    """Return a number of a verdict and the ends of its interval as leads; without an interval, all three are one."""
    given = value, value if low is None else low, value if high is None else high
    if verdict.claim.kind == "order":
        return given
    measure = MEASURES.get(verdict.claim.selection.measure)
    sign = 1 if measure and measure.higher else -1
    lead, *ends = (sign * (end - 1) for end in given)
    return lead, min(ends), max(ends)


def _controls(headline: HeadlineVerdict) -> list[Row]:
    """Return the leads over the controls of a headline that were played, those on the authors' games last."""
    rows = []
    for played, where in ((headline.controls, ""), (headline.code_controls, ", as released")):
        for each in played:
            if (lead := each.measured) is not None:
                low, high = (lead if end is None else end for end in (each.low, each.high))
                what, rival = CONTROLS.get(each.kind, each.kind) + where, algorithm_name(each.rival)
                rows.append(Row(what, rival, lead, low, high, each.answer, each.game))
    return rows
