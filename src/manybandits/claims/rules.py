"""One rule per kind of claim, the same for all papers (VERDICTS, section 3). Each returns a verdict without its limits.

value      compared by `nearness`, within the tolerance of its kind of number; fewer rounds decide nothing
order      every rival on every game is compared by a bootstrap of common seeds; the one whose gap is the smallest in
           terms of its interval decides. The claim holds if p is at most the level and the lead is positive. It fails
           if the rival leads: as it is one of m, p times m must be at most the level. "No worse" (not `strictly`): the
           same for a lead of minus the tolerance. With fewer rounds than the paper, the answer is unclear if the
           second half of the rounds speaks against the first
ratio      to the best rival. Its whole interval must be on the published side of 1; if it is on the other, it fails.
           A bound such as "at most 1.2" has no side. Then compared by `nearness`, or `boundedness` if it is a bound.
           What is more than twice, or less than half, the published ratio is no near miss. Fewer rounds do not refute
           its size
slope      of the log against the log of a setting; compared by `nearness`, or `boundedness` if it is a bound
equality   the relative difference is compared with 0 by `nearness`; of several the largest counts

With fewer than `Rules.least` runs the answer is unclear in all kinds, unless the numbers are exact. Runs of unequal
length on one game are not compared, unless a claim names the rounds. What is identical in every run cannot differ.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from manybandits.base.exceptions import InputError
from manybandits.base.statistics import average, interval_of, paired_lead, resampled_ratio, resampled_slope, two_sided
from manybandits.claims.evidence import Evidence
from manybandits.claims.samples import Pair, Sample, Untestable
from manybandits.claims.sentences import rival_name
from manybandits.claims.verdict import Answer, Flag, Verdict, known
from manybandits.papers.claim import Claim, Selection
from manybandits.results.measures import Measure
from manybandits.results.summaries import LEVEL

OUTER = 4
"""How many tolerances a near miss may be away."""
SLOPE_TOLERANCE = 0.1
"""The tolerance of a slope, absolute."""
FACTOR = 2
"""By how much a ratio may be larger or smaller than the published one and still be a near miss."""
DIGITS = 12
"""Decimals of a slope: that of a constant is zero, and not what rounding leaves of it."""
SMALLEST, LARGEST = np.finfo(float).tiny, np.finfo(float).max
"""What stands on a log axis for a result of 0, and for one that is infinite."""
NO_DIFFERENCE = "not significantly different"
"""The reason of a verdict on an order whose sides are neither ahead nor behind."""


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of the rules. tolerance: by what all tolerances are multiplied; least: the fewest runs that decide.

    With five pairs of runs no two-sided signed-rank test reaches 5 %, so that six are needed.
    """

    level: float = LEVEL
    tolerance: float = 1.0
    least: int = 6
    holm: bool = True


RULES = Rules()
OTHERS = {
    "tolerances halved": Rules(tolerance=0.5),
    "tolerances doubled": Rules(tolerance=2.0),
    "p of at most 1 %": Rules(level=0.01),
    "p of at most 10 %": Rules(level=0.1),
    "five runs required": Rules(least=5),
    "eight runs required": Rules(least=8),
    "without Holm's correction": Rules(holm=False),
}
"""Other rules, under which all headlines are judged again to see how much their words depend on ours (section 7)."""


def answer(claim: Claim, evidence: Evidence, rules: Rules = RULES, part: float = 1.0) -> Verdict:
    """Return what the evidence says about a claim, by the rule of its kind; raise Untestable if it says nothing.

    part: how much of the rounds counts, for orders.
    """
    if claim.kind == "order":
        return order(claim, evidence, rules, part)
    return {"value": value, "ratio": ratio, "slope": slope_of, "equality": equality}[claim.kind](claim, evidence, rules)


def too_few(runs: int, least: int = RULES.least) -> str:
    """Return why so few runs decide nothing; "" if they are enough."""
    if runs >= least:
        return ""
    words = "one run decides" if runs == 1 else f"{runs} runs decide"
    return f"{words} nothing: at least {least} are needed"


def nearness(
    measured: float, low: float, high: float, published: float, tolerance: float, farthest: float = np.inf
) -> Answer:
    """Compare a number with a published one, with one tolerance for both directions.

    low, high: the ends of its interval, or the number itself if it is exact. It holds if it is within the tolerance, or
    if the interval contains the published number, and the whole interval is within `OUTER` tolerances and `farthest`.
    It fails if it is beyond either, and the whole interval beyond the tolerance. In between it is a near miss. An
    interval from within the tolerance to what fails is unclear, and so is a number without one.
    """
    if np.isnan([measured, low, high]).any():
        return Answer.UNCLEAR
    gap, outer = abs(measured - published), outermost(tolerance, farthest)
    nearest = max(0.0, low - published, published - high)
    if nearest <= tolerance and max(abs(low - published), abs(high - published)) > outer:
        return Answer.UNCLEAR
    if gap <= tolerance or nearest == 0.0:
        return Answer.HOLDS
    return Answer.NEAR if gap <= outer else Answer.FAILS


def outermost(tolerance: float, farthest: float = np.inf) -> float:
    """Return how far a near miss may be from the published number; what is within the tolerance is none."""
    return max(tolerance, min(OUTER * tolerance, farthest))


def boundedness(measured: float, low: float, high: float, bound: float, tolerance: float) -> Answer:
    """Compare a number with an upper bound, on its whole interval.

    It holds if no part of the interval is beyond the bound by more than the tolerance, and not all of it is beyond: so
    that a bound that is met exactly can hold. If all of it is beyond, it is a near miss up to the tolerance. Without an
    interval it is unclear.
    """
    if np.isnan([measured, low, high]).any():
        return Answer.UNCLEAR
    if low <= bound:
        return Answer.HOLDS if high <= bound + tolerance else Answer.UNCLEAR
    return Answer.NEAR if measured <= bound + tolerance else Answer.FAILS


def value(claim: Claim, evidence: Evidence, rules: Rules = RULES) -> Verdict:
    """Compare a value with the published one; the deviation that the paper states widens the interval."""
    sample, measure, published = _only(claim, evidence), evidence.measure(claim.selection.measure), _number(claim)
    measured, (low, high) = sample.value, sample.interval()
    found = _verdict(claim, measure, measured, low, high, published, game=sample.game, n=sample.runs)
    if claim.selection.at is None and (short := evidence.shortfall(claim.selection)):
        return replace(found, reason=f"the published number is that of more rounds: {short}")
    if not sample.exact and (few := too_few(sample.runs, rules.least)):
        return replace(found, reason=few)
    theirs = 2 * (claim.std or 0.0) / np.sqrt(sample.runs)
    ends = (measured, measured) if sample.exact else sample.interval(1 - rules.level)
    tolerance = rules.tolerance * measure.tolerance * abs(published)
    given = nearness(measured, ends[0] - theirs, ends[1] + theirs, published, tolerance)
    gap = 100 * (measured / published - 1) if published else 0.0
    reason = f"{abs(gap):.1f} % {'more' if gap > 0 else 'less'} than is published" if gap else ""
    return replace(found, answer=given, reason=reason)


def order(claim: Claim, evidence: Evidence, rules: Rules = RULES, part: float = 1.0) -> Verdict:
    """Judge that an algorithm is better than its rivals, or no worse; measured is the lead over the closest one."""
    measure = evidence.measure(claim.selection.measure)
    margin = 0.0 if claim.strictly else rules.tolerance * measure.tolerance
    pairs = pairs_of(claim, evidence, part)
    leads = [lead_of(pair, measure, margin) for pair, _ in pairs]
    exact, few = all(pair.exact for pair, _ in pairs), too_few(min(pair.runs for pair, _ in pairs), rules.least)
    by_lead = exact or bool(few)
    place = min(range(len(leads)), key=lambda one: leads[one][0] if by_lead else _sureness(*leads[one][:3]))
    lead, low, high, p = leads[place]
    published = _number(claim) if claim.published is not None else np.nan
    found = _verdict(claim, measure, lead, low, high, published, pairs[place], comparisons=len(pairs))
    if exact:
        # Computed numbers have no interval: what is within the tolerance of the margin is level.
        apart, tolerance = lead + margin, rules.tolerance * measure.tolerance
        level = Answer.UNCLEAR if abs(apart) <= tolerance else Answer.HOLDS if apart > 0 else Answer.FAILS
        return replace(found, answer=level)
    if few:
        return replace(found, reason=few)
    ahead = lead > -margin
    if not any(number for each in leads for number in each[:3]):
        return replace(found, answer=Answer.SAME)
    p = p if ahead else min(1.0, p * len(leads))
    found = replace(found, p=known(p))
    if p > rules.level:
        return replace(found, reason=NO_DIFFERENCE)
    behind = [one for one, each in enumerate(leads) if each[0] <= -margin and each[3] * len(leads) <= rules.level]
    looked_at = range(len(leads)) if ahead else behind
    turning = [_turns(pairs[one][0], measure, leads[one][0], margin) for one in looked_at]
    if any(turning) if ahead else all(turning):
        return replace(found, reason="fewer rounds were played, and the second half of them speaks against the first")
    names = dict.fromkeys(rival_name(claim, pairs[one][1]) for one in behind)
    reason = "" if ahead else "ahead: " + ", ".join(names)
    return replace(found, answer=Answer.HOLDS if ahead else Answer.FAILS, reason=reason)


def ratio(claim: Claim, evidence: Evidence, rules: Rules = RULES) -> Verdict:
    """Compare the ratio of a result to that of the best rival with the published one."""
    measure, published, own = evidence.measure(claim.selection.measure), _number(claim), _only(claim, evidence)
    pairs = [(pair, rival) for rival in claim.rivals for pair in paired({own.game: own}, evidence.samples(rival))]
    best, rival = (max if measure.higher else min)(pairs, key=lambda one: one[0].other.value)
    measured, draws = _ratio(best)
    low, high = _interval(draws, best.runs)
    found = _verdict(claim, measure, measured, low, high, published, (best, rival), comparisons=len(pairs))
    if not best.exact and (few := too_few(best.runs, rules.least)):
        return replace(found, reason=few)
    if not best.exact and measured == low == high == 1:
        return replace(found, answer=Answer.SAME)
    ends = (measured, measured) if best.exact else interval_of(draws, rules.level)
    side = np.sign(published - 1)
    if side == {"at-most": 1, "at-least": -1}.get(claim.bound):
        side = 0  # "at most 1.2" is kept by 0.8 as well
    if side and min(side * (end - 1) for end in ends) <= 0:
        other = max(side * (end - 1) for end in ends) < 0
        reason = "on the other side of 1" if other else "not clearly on the published side of 1"
        against = side * (draws - 1) <= 0 if side * (measured - 1) > 0 else side * (draws - 1) >= 0
        p = None if best.exact else known(two_sided(against))
        return replace(found, answer=Answer.FAILS if other else Answer.UNCLEAR, reason=reason, p=p)
    # On a log axis, so that half and twice are as far from what is published.
    one, stated, *logs = np.log(np.clip([measured, published, *draws], SMALLEST, LARGEST)).tolist()
    tolerance = rules.tolerance * float(np.log1p(measure.tolerance))
    farthest, resampled = float(np.log(FACTOR)), None if best.exact else np.array(logs)
    given, p = _compared(claim, one, resampled, stated, tolerance, rules, farthest)
    if side and p is not None and given is not Answer.FAILS:  # it must be on its side of 1, too
        p = known(max(p, two_sided(side * (draws - 1) <= 0)))
    if given is Answer.FAILS and (short := evidence.shortfall(claim.selection)):
        return replace(found, p=p, reason=f"the published size is that of more rounds: {short}")
    return replace(found, answer=given, p=p)


def slope_of(claim: Claim, evidence: Evidence, rules: Rules = RULES) -> Verdict:
    """Compare how a result grows with a setting with the published slope, or with that of a stated rate."""
    points = evidence.points(claim.selection, claim.against)
    measured, draws = resampled_slope(points)
    measured, draws = round(measured, DIGITS), draws.round(DIGITS)
    if np.isnan(measured):
        raise Untestable(f"{len(points)} settings of {claim.against} were played, and a slope needs two")
    flags: tuple[Flag, ...] = ()
    if isinstance(claim.published, str):
        rate = evidence.rate(claim.selection, claim.against, claim.published)
        published = round(resampled_slope({x: np.array([y]) for x, y in rate.items()})[0], DIGITS)
        chance = evidence.chance(claim.selection, claim.against)
        common = rate.keys() & chance.keys()
        if claim.bound == "at-most" and common and all(rate[x] > chance[x] for x in common):
            flags = (Flag("vacuous bound"),)
    else:
        published = _number(claim)
    runs, exact = len(next(iter(points.values()))), evidence.exact
    low, high = _interval(draws, runs)
    measure = evidence.measure(claim.selection.measure)
    found = _verdict(claim, measure, measured, low, high, published, n=runs, flags=flags)
    if not exact and (few := too_few(runs, rules.least)):
        return replace(found, reason=few)
    if not exact and measured == low == high == 0:
        return replace(found, answer=Answer.SAME)
    tolerance = rules.tolerance * SLOPE_TOLERANCE
    given, p = _compared(claim, measured, None if exact else draws, published, tolerance, rules)
    return replace(found, answer=given, p=p)


def equality(claim: Claim, evidence: Evidence, rules: Rules = RULES) -> Verdict:
    """Judge that results are equal; of several comparisons the one with the largest difference counts."""
    measure = evidence.measure(claim.selection.measure)
    pairs = pairs_of(claim, evidence)
    ratios = [_ratio(pair) for pair, _ in pairs]
    place = max(range(len(pairs)), key=lambda one: abs(ratios[one][0] - 1))
    pair, (measured, draws) = pairs[place][0], ratios[place]
    measured, draws = measured - 1, draws - 1
    low, high = _interval(draws, pair.runs)
    found = _verdict(claim, measure, measured, low, high, 0.0, pairs[place], comparisons=len(pairs))
    if not pair.exact and (few := too_few(pair.runs, rules.least)):
        return replace(found, reason=few)
    if not pair.exact and measured == low == high == 0:
        return replace(found, answer=Answer.SAME)
    ends = (measured, measured) if pair.exact else interval_of(draws, rules.level)
    return replace(found, answer=nearness(measured, *ends, 0.0, rules.tolerance * measure.tolerance))


def pairs_of(claim: Claim, evidence: Evidence, part: float = 1.0) -> list[tuple[Pair, Selection]]:
    """Return what a claim compares: its sample and that of each rival, on each game. part: see `answer`."""
    own = evidence.samples(claim.selection, part)
    return [(pair, rival) for rival in claim.rivals for pair in paired(own, evidence.samples(rival, part))]


def paired(own: dict[str, Sample], other: dict[str, Sample]) -> list[Pair]:
    """Pair samples of the same game; if none is common, as between two settings, pair the single ones."""
    common = [game for game in own if game in other]
    if common:
        return [own[game].paired(other[game]) for game in common]
    if len(own) == len(other) == 1:
        return [next(iter(own.values())).paired(next(iter(other.values())))]
    raise Untestable("what is compared was played on different games")


def lead_of(pair: Pair, measure: Measure, margin: float = 0.0) -> tuple[float, float, float, float]:
    """Return the lead of one side of a pair, its interval and p; only the lead of a single run."""
    if pair.runs == 1:  # then there is nothing to resample
        gap = float(pair.first[0] - pair.second[0]) / (abs(float(pair.second[0])) or 1.0)
        return (gap if measure.higher else -gap), np.nan, np.nan, np.nan
    found = paired_lead(pair.first, pair.second, pair.own.statistic, higher=measure.higher, margin=margin)
    if not np.isfinite(found).all():
        raise Untestable(f"the {measure.words} of {pair.own.name} or {pair.other.name} is unknown in resampled runs")
    return found


def _sureness(lead: float, low: float, high: float) -> float:
    """Return a lead in terms of the width of its interval, by which leads over several rivals are compared."""
    width = high - low
    return lead / width if width > 0 else float(np.sign(lead)) * np.inf if lead else 0.0


def _turns(pair: Pair, measure: Measure, lead: float, margin: float) -> bool:
    """Return whether the second half of the rounds, where it matters, speaks against the whole."""
    if pair.late is None:
        return False
    late = lead_of(Pair(pair.own, pair.other, *pair.late), measure, margin)[0]
    return not np.isnan(late) and (late > -margin) != (lead > -margin)


def _compared(
    claim: Claim,
    measured: float,
    draws: np.ndarray | None,
    published: float,
    tolerance: float,
    rules: Rules,
    farthest: float = np.inf,
) -> tuple[Answer, float | None]:
    """Compare a number with a published one, or with a bound from above or below; return the answer and its p.

    draws: its resampled values; None of a number that is exact, of which there is no p. The p is that of what speaks
    against the answer: of "holds", that the number is beyond what may hold, on the likelier side; of "fails", that it
    keeps what is stated. It is at most the level where the answer is certain by the interval.
    """
    if claim.bound == "at-least":  # from below: the same with all signs turned
        measured, draws, published = -measured, None if draws is None else -draws, -published
    ends = (measured, measured) if draws is None else interval_of(draws, rules.level)
    if claim.bound:
        found = boundedness(measured, *ends, published, tolerance)
        outside, inside = tolerance, 0.0
    else:
        found = nearness(measured, *ends, published, tolerance, farthest)
        outside, inside = outermost(tolerance, farthest), tolerance
    if draws is None:
        return found, None
    above, below = draws - published, published - draws
    if found is Answer.FAILS:
        return found, known(two_sided(above <= inside if claim.bound else np.abs(above) <= inside))
    sides = [above] if claim.bound else [above, below]
    return found, known(max(two_sided(gaps > outside) for gaps in sides))


def _ratio(pair: Pair) -> tuple[float, np.ndarray]:
    """Return the ratio of the sides of a pair and its resampled values, of a single run itself; 1 if both are 0.

    Raises Untestable if the other side is 0, or may be: then the ratio is infinite.
    """
    statistic = pair.own.statistic if pair.runs > 1 else average  # a single number is that of all runs
    first, second = float(statistic(pair.first)), float(statistic(pair.second))
    if not first and not second:
        return 1.0, np.ones(1)
    measured, draws = resampled_ratio(pair.first, pair.second, statistic) if second else (np.inf, np.array([np.nan]))
    if not np.isfinite([measured, *interval_of(draws)]).all():
        raise Untestable(f"{pair.other.name} is 0, or cannot be told from 0, and nothing can be relative to it")
    return measured, draws


def _interval(draws: np.ndarray, runs: int) -> tuple[float, float]:
    """Return the 95 % interval of resampled values; NaN for a single run."""
    return interval_of(draws) if runs > 1 else (np.nan, np.nan)


def _verdict(
    claim: Claim,
    measure: Measure,
    measured: float,
    low: float,
    high: float,
    published: float,
    decisive: tuple[Pair, Selection] | None = None,
    **more: Any,
) -> Verdict:
    """Return a verdict that is unclear so far, with its numbers. decisive: the comparison that decides."""
    if decisive:
        pair, rival = decisive
        more |= {"rival": rival, "game": pair.own.game, "n": pair.runs}
    return Verdict(
        claim=claim,
        answer=Answer.UNCLEAR,
        measure=measure.words,
        measured=known(measured),
        low=known(low),
        high=known(high),
        published=known(published),
        **more,
    )


def _only(claim: Claim, evidence: Evidence) -> Sample:
    """Return the one sample that a claim selects; raise InputError if it selects several."""
    samples = evidence.samples(claim.selection)
    if len(samples) > 1:
        raise InputError(
            f"{claim.id} is about one game, but {claim.selection.of} was played on {', '.join(samples)}: "
            "name one of them under `where`."
        )
    return next(iter(samples.values()))


def _number(claim: Claim) -> float:
    if isinstance(claim.published, int | float):
        return float(claim.published)
    raise InputError(f"{claim.id}: published is {claim.published!r}; write a number.")
