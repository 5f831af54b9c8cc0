"""One rule per kind of claim, the same for all papers (VERDICTS, sections 2 and 3). Each returns an answer.

value      compared by `nearness`, within the tolerance of its kind of number; fewer rounds decide nothing
order      every rival on every game is compared by a bootstrap of common seeds; the one whose gap is the smallest in
           terms of its interval decides. The claim holds if p <= 5 % and the lead is positive. The opposite holds if
           the rival leads: as it is one of m, p times m must be at most 5 %. "No worse" (not `strictly`): the same
           for a lead of minus the tolerance. With fewer rounds than the paper, the question is unclear if the second
           half of the rounds speaks against the first
ratio      to the best rival. Its whole interval must be on the published side of 1; if it is on the other, the opposite
           holds. Then compared by `nearness`, or `boundedness` if it is a bound. Fewer rounds do not refute its size
slope      of the log against the log of a setting; compared by `nearness`, or `boundedness` if it is a bound
equality   the relative difference is compared with 0 by `nearness`; of several the largest counts

With fewer than `LEAST` runs the answer is unclear in all kinds, unless the numbers are exact. Runs of unequal length on
one game are not compared, unless a claim names the rounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from manybandits.base.exceptions import InputError
from manybandits.base.statistics import average, paired_lead, paired_ratio, slope
from manybandits.claims.evidence import Evidence
from manybandits.claims.finding import Answer, Finding, boundedness, nearness, too_few
from manybandits.claims.samples import Pair, Sample, Untestable
from manybandits.papers.claim import Claim
from manybandits.results.measures import Measure
from manybandits.results.summaries import LEVEL
from manybandits.results.verdict_table import NO_DIFFERENCE

SLOPE_TOLERANCE = 0.1
"""The tolerance of a slope, absolute."""
DIGITS = 12
"""Decimals of the slope of a stated rate: that of a constant is zero, and not what rounding leaves of it."""


@dataclass(frozen=True)
class Lead:
    """By how much an algorithm is better than a rival on one game, as a share of the rival.

    late: the same in the second half of the rounds, NaN if it does not matter.
    """

    own: str
    rival: str
    title: str  # of the rival's run
    lead: float
    low: float
    high: float
    p: float
    late: float
    pair: Pair

    def turns(self, margin: float) -> bool:
        """Return whether the second half of the rounds, if it matters, speaks against the whole."""
        return not np.isnan(self.late) and (self.late > -margin) != (self.lead > -margin)

    @property
    def sureness(self) -> float:
        """The lead in terms of the width of its interval, by which leads over several rivals are compared."""
        width = self.high - self.low
        return self.lead / width if width > 0 else float(np.sign(self.lead)) * np.inf if self.lead else 0.0


def answer(claim: Claim, evidence: Evidence) -> Finding:
    """Return what the evidence says about a claim, by the rule of its kind; raise Untestable if it says nothing."""
    return {"value": value, "order": order, "ratio": ratio, "slope": slope_of, "equality": equality}[claim.kind](
        claim, evidence
    )


def value(claim: Claim, evidence: Evidence) -> Finding:
    """Compare a value with the published one; the deviation that the paper states widens the interval."""
    sample, measure, published = _only(claim, evidence), evidence.measure(claim.selection.measure), _number(claim)
    words = f"{measure.words} of {sample.name}"
    measured, (low, high) = sample.value, sample.interval
    given = measured, low, high, published, sample.runs
    at: dict[str, Any] = {"game": sample.game}
    if claim.selection.at is None and (short := evidence.shortfall(claim.selection)):
        reason = f"the published number is that of more rounds: {short}"
        return Finding(Answer.UNCLEAR, words, *given, reason=reason, **at)
    if not sample.exact and (few := too_few(sample.runs)):
        return Finding(Answer.UNCLEAR, words, *given, reason=few, **at)
    theirs = 2 * (claim.std or 0.0) / np.sqrt(sample.runs)
    ends = (measured, measured) if sample.exact else (low, high)
    found = nearness(measured, ends[0] - theirs, ends[1] + theirs, published, measure.tolerance * abs(published))
    gap = 100 * (measured / published - 1) if published else 0.0
    reason = f"{abs(gap):.1f} % {'more' if gap > 0 else 'less'} than is published" if gap else ""
    return Finding(found, words, *given, reason=reason, **at)


def order(claim: Claim, evidence: Evidence) -> Finding:
    """Judge that an algorithm is better than its rivals, or no worse; measured is the lead over the closest one."""
    measure = evidence.measure(claim.selection.measure)
    margin = 0.0 if claim.strictly else measure.tolerance
    leads = list(_leads(claim, evidence, measure, margin))
    runs, exact = min(one.pair.runs for one in leads), all(one.pair.exact for one in leads)
    closest = min(leads, key=(lambda one: one.lead) if exact or too_few(runs) else (lambda one: one.sureness))
    words = f"lead in {measure.words} of {closest.own} over {closest.rival}, relative"
    published = _number(claim) if claim.published is not None else np.nan
    given = words, closest.lead, closest.low, closest.high, published, closest.pair.runs
    at: dict[str, Any] = {"rival": closest.title, "game": closest.pair.own.game, "comparisons": len(leads)}
    if exact:
        # Computed numbers have no interval: what is within the tolerance of the margin is level.
        apart = closest.lead + margin
        found = Answer.UNCLEAR if abs(apart) <= measure.tolerance else Answer.HOLDS if apart > 0 else Answer.OPPOSITE
        return Finding(found, *given, **at)
    if few := too_few(runs):
        return Finding(Answer.UNCLEAR, *given, reason=few, **at)
    ahead = closest.lead > -margin
    p = closest.p if ahead else min(1.0, closest.p * len(leads))
    if p > LEVEL:
        return Finding(Answer.UNCLEAR, *given, p=p, reason=NO_DIFFERENCE, **at)
    behind = [one for one in leads if one.lead <= -margin and one.p * len(leads) <= LEVEL]
    turning = [one.turns(margin) for one in (leads if ahead else behind)]
    if any(turning) if ahead else all(turning):
        reason = "fewer rounds were played, and the second half of them speaks against the first"
        return Finding(Answer.UNCLEAR, *given, p=p, reason=reason, **at)
    reason = "" if ahead else "ahead: " + ", ".join(dict.fromkeys(one.rival for one in behind))
    return Finding(Answer.HOLDS if ahead else Answer.OPPOSITE, *given, p=p, reason=reason, **at)


def ratio(claim: Claim, evidence: Evidence) -> Finding:
    """Compare the ratio of a result to that of the best rival with the published one."""
    measure, published, own = evidence.measure(claim.selection.measure), _number(claim), _only(claim, evidence)
    pairs = [(pair, rival.of) for rival in claim.rivals for pair in _pairs({own.game: own}, evidence.samples(rival))]
    best, rival = (max if measure.higher else min)(pairs, key=lambda one: one[0].other.value)
    measured, low, high = _ratio(best)
    words = f"{measure.words} of {own.name} over that of {best.other.name}"
    words += f", the best of {len(pairs)}" if len(pairs) > 1 else ""
    if best.runs == 1:
        low = high = np.nan
    given = words, measured, low, high, published, best.runs
    at: dict[str, Any] = {"rival": rival, "game": own.game}
    if not best.exact and (few := too_few(best.runs)):
        return Finding(Answer.UNCLEAR, *given, reason=few, **at)
    ends = (measured, measured) if best.exact else (low, high)
    side = np.sign(published - 1)
    if side and min(side * (end - 1) for end in ends) <= 0:
        other = max(side * (end - 1) for end in ends) < 0
        reason = "on the other side of 1" if other else "not clearly on the published side of 1"
        return Finding(Answer.OPPOSITE if other else Answer.UNCLEAR, *given, reason=reason, **at)
    # On a log axis, so that half and twice are as far from what is published.
    with np.errstate(divide="ignore"):  # a result of 0 is infinitely far below any other
        one, least, most, stated = np.log(np.maximum([measured, *ends, published], 0.0)).tolist()
    found = _compared(claim, one, least, most, stated, float(np.log1p(measure.tolerance)))
    if found is Answer.OPPOSITE and (short := evidence.shortfall(claim.selection)):
        return Finding(Answer.UNCLEAR, *given, reason=f"the published size is that of more rounds: {short}")
    return Finding(found, *given, **at)


def slope_of(claim: Claim, evidence: Evidence) -> Finding:
    """Compare how a result grows with a setting with the published slope, or with that of a stated rate."""
    points = evidence.points(claim.selection, claim.against)
    measured, low, high = slope(points)
    if np.isnan(measured):
        raise Untestable(f"{len(points)} settings of {claim.against} were played, and a slope needs two")
    if isinstance(claim.published, str):
        rate = evidence.rate(claim.selection, claim.against, claim.published)
        published = round(slope({x: np.array([y]) for x, y in rate.items()})[0], DIGITS)
    else:
        published = _number(claim)
    runs, exact = len(next(iter(points.values()))), evidence.exact
    words = f"slope of {evidence.measure(claim.selection.measure).words} in {claim.against}, {claim.selection.name}"
    if runs == 1:
        low = high = np.nan
    given = words, measured, low, high, published, runs
    if not exact and (few := too_few(runs)):
        return Finding(Answer.UNCLEAR, *given, reason=few)
    ends = (measured, measured) if exact else (low, high)
    return Finding(_compared(claim, measured, *ends, published, SLOPE_TOLERANCE), *given)


def equality(claim: Claim, evidence: Evidence) -> Finding:
    """Judge that results are equal; of several comparisons the one with the largest difference counts."""
    measure = evidence.measure(claim.selection.measure)
    own = evidence.samples(claim.selection)
    pairs = [(pair, rival.of) for rival in claim.rivals for pair in _pairs(own, evidence.samples(rival))]
    ratios = [(*_ratio(pair), pair, rival) for pair, rival in pairs]
    measured, low, high, pair, rival = max(ratios, key=lambda one: abs(one[0] - 1))
    measured, low, high = measured - 1, low - 1, high - 1
    ends = (measured, measured) if pair.exact else (low, high)
    if pair.runs == 1:
        low = high = np.nan
    words = f"relative difference of {pair.own.name} and {pair.other.name} in {measure.words}"
    given = words, measured, low, high, 0.0, pair.runs
    at: dict[str, Any] = {"rival": rival, "game": pair.own.game}
    if not pair.exact and (few := too_few(pair.runs)):
        return Finding(Answer.UNCLEAR, *given, reason=few, **at)
    return Finding(nearness(measured, *ends, 0.0, measure.tolerance), *given, **at)


def _compared(claim: Claim, measured: float, low: float, high: float, published: float, tolerance: float) -> Answer:
    """Compare a number with a published one, or with a bound from above or below."""
    if claim.bound == "at-most":
        return boundedness(measured, low, high, published, tolerance)
    if claim.bound == "at-least":
        return boundedness(-measured, -high, -low, -published, tolerance)
    return nearness(measured, low, high, published, tolerance)


def _leads(claim: Claim, evidence: Evidence, measure: Measure, margin: float) -> Iterator[Lead]:
    """Yield the leads of the claimed algorithm over each rival on each game."""
    known = {**claim.selection.options, **claim.selection.where}
    own = evidence.samples(claim.selection)
    for rival in claim.rivals:
        for pair in _pairs(own, evidence.samples(rival)):
            lead, low, high, p = _lead(pair, measure, margin)
            late = _lead(Pair(pair.own, pair.other, *pair.late), measure, margin)[0] if pair.late else np.nan
            yield Lead(claim.selection.name, rival.named(known), rival.of, lead, low, high, p, late, pair)


def _lead(pair: Pair, measure: Measure, margin: float) -> tuple[float, float, float, float]:
    """Return the lead of one side of a pair, its interval and p; only the lead of a single run."""
    if pair.runs == 1:  # then there is nothing to resample
        gap = float(pair.first[0] - pair.second[0]) / (abs(float(pair.second[0])) or 1.0)
        return (gap if measure.higher else -gap), np.nan, np.nan, np.nan
    found = paired_lead(pair.first, pair.second, pair.own.statistic, higher=measure.higher, margin=margin)
    if not np.isfinite(found).all():
        raise Untestable(f"the {measure.words} of {pair.own.name} or {pair.other.name} is unknown in resampled runs")
    return found


def _ratio(pair: Pair) -> tuple[float, float, float]:
    """Return the ratio of the sides of a pair and its interval, NaN for a single run; 1 if both sides are 0.

    Raises Untestable if the other side is 0, or may be: then the ratio is infinite.
    """
    statistic = pair.own.statistic if pair.runs > 1 else average  # a single number is that of all runs
    first, second = float(statistic(pair.first)), float(statistic(pair.second))
    if not first and not second:
        return 1.0, 1.0, 1.0
    found = paired_ratio(pair.first, pair.second, statistic) if second else (np.inf, np.nan, np.nan)
    if not np.isfinite(found).all():
        raise Untestable(f"{pair.other.name} is 0, or cannot be told from 0, and nothing can be relative to it")
    return found


def _only(claim: Claim, evidence: Evidence) -> Sample:
    """Return the one sample that a claim selects; raise InputError if it selects several."""
    samples = evidence.samples(claim.selection)
    if len(samples) > 1:
        raise InputError(
            f"{claim.id} is about one game, but {claim.selection.name} was played on {', '.join(samples)}: "
            "name one of them under `where`."
        )
    return next(iter(samples.values()))


def _pairs(own: dict[str, Sample], other: dict[str, Sample]) -> list[Pair]:
    """Pair samples of the same game; if none is common, as between two settings, pair the single ones."""
    common = [game for game in own if game in other]
    if common:
        return [own[game].paired(other[game]) for game in common]
    if len(own) == len(other) == 1:
        return [next(iter(own.values())).paired(next(iter(other.values())))]
    raise Untestable("what is compared was played on different games")


def _number(claim: Claim) -> float:
    if isinstance(claim.published, int | float):
        return float(claim.published)
    raise InputError(f"{claim.id}: published is {claim.published!r}; write a number.")
