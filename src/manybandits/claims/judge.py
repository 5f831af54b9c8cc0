"""Verdicts on claims: one rule per kind of claim, the same for all papers.

value      reproduced: measured and published value differ by at most the tolerance, or by at most two standard errors
           (of both, if the paper gives a deviation) if these are within 4 tolerances. partly: they differ by at most 4
           tolerances, but never by more than half of the published value or the tolerance, whichever is larger
order      every rival is compared on common seeds: p of the paired bootstrap, corrected by Holm's rule over all
           comparisons of the figure. reproduced: all rivals are significantly worse at 5 %. partly: at least one is
           worse in the mean and none is better. Fewer than `LEAST` pairs are not tested: a rival counts as better if
           it is in all of them, and the verdict is partly at most. "No worse" (not `strictly`): reproduced if the
           interval of every relative gap is above - tolerance; not reproduced if a rival is better by more than the
           tolerance
ratio      to the best of the rivals. reproduced: the whole interval is on the claimed side of 1, and the ratio is
           within the tolerance of the published one, or the interval contains that, or it is a bound that holds.
           partly: the whole interval, or the ratio if there is none, is on the claimed side
slope      reproduced: the interval, at most 5 tolerances wide, is within the tolerance of the stated slope, or the
           slope satisfies the bound within the tolerance. partly: within 2.5 tolerances
equality   reproduced: the interval of the relative difference is within the tolerance. partly: it contains 0

All other verdicts are not reproduced. Reproduced becomes partly if data, rounds or runs are fewer than the paper's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from manybandits.base.exceptions import InputError
from manybandits.base.statistics import bootstrap_interval, bootstrap_p, deviation, holm, paired_ratio, slope
from manybandits.claims.evidence import Evidence
from manybandits.claims.samples import Sample, Untestable
from manybandits.papers.claim import Claim
from manybandits.results.summaries import LEVEL
from manybandits.results.verdict_table import NOT, PARTLY, REPRODUCED, UNTESTABLE

LEAST = 6
"""The fewest pairs that are tested: with five, no two-sided signed-rank test reaches 5 %."""
SLOPE_TOLERANCE = 0.1
"""The tolerance of a slope, absolute."""
WIDE, FURTHEST = 4, 0.5
"""The limits of partly for a value: in tolerances, and as a share of the published number."""


@dataclass(frozen=True)
class Comparison:
    """The comparison with one rival on one game.

    gain: (n,), by how much the claimed algorithm is better, per seed; p: of no difference, NaN if not tested.
    """

    game: str
    own: str
    rival: str
    gain: np.ndarray
    scale: float  # |mean of the rival|
    p: float

    @property
    def key(self) -> tuple[str, str, str]:
        return self.game, self.own, self.rival

    @property
    def relative(self) -> tuple[float, float, float]:
        """The mean of the gain and the ends of its interval, relative to the mean of the rival."""
        low, high = bootstrap_interval(self.gain)
        return float(self.gain.mean() / self.scale), float(low / self.scale), float(high / self.scale)

    @property
    def behind(self) -> bool:
        """Whether the rival is significantly better; if not tested, whether it is better in all pairs."""
        return self.gain.mean() < 0 and (self.p <= LEVEL if self.tested else bool((self.gain < 0).all()))

    @property
    def tested(self) -> bool:
        return not np.isnan(self.p)


@dataclass(frozen=True)
class Judgement:
    """A verdict with its numbers and its reason. low and high: a 95 % interval, NaN if there is none."""

    verdict: str
    quantity: str = ""
    measured: float = np.nan
    low: float = np.nan
    high: float = np.nan
    published: float = np.nan
    n: int = 0
    p: float = np.nan
    reason: str = ""


def judge_all(claims: Sequence[Claim], evidence: Evidence) -> list[Judgement]:
    """Judge the claims about one figure; p-values are corrected over its distinct comparisons."""
    compared: dict[int, list[Comparison] | str] = {}
    for place, claim in enumerate(claims):
        if claim.kind == "order" and not claim.untestable:
            try:
                compared[place] = compare(claim, evidence)
            except Untestable as reason:
                compared[place] = str(reason)
    distinct = {one.key: one.p for found in compared.values() if isinstance(found, list) for one in found if one.tested}
    corrected = dict(zip(distinct, holm(np.array(list(distinct.values()))), strict=True)) if distinct else {}
    judgements = []
    for place, claim in enumerate(claims):
        found = compared.get(place)
        if isinstance(found, list):
            found = [replace(one, p=corrected.get(one.key, np.nan)) for one in found]
        judgements.append(judge(claim, evidence, found))
    return judgements


def judge(claim: Claim, evidence: Evidence, compared: list[Comparison] | str | None = None) -> Judgement:
    """Return the verdict on a claim. compared: for an order, its corrected comparisons, or why there are none."""
    if claim.untestable:
        return Judgement(UNTESTABLE, reason=claim.untestable)
    if isinstance(compared, str):
        return Judgement(UNTESTABLE, reason=compared)
    try:
        if claim.kind == "order":
            found = judge_order(claim, compared or [], evidence)
        else:
            found = {"value": judge_value, "ratio": judge_ratio, "slope": judge_slope, "equality": judge_equality}[
                claim.kind
            ](claim, evidence)
    except Untestable as reason:
        return Judgement(UNTESTABLE, reason=str(reason))
    if found.verdict == REPRODUCED and evidence.narrowed([claim.selection, *claim.rivals]).limits:
        return replace(
            found, verdict=PARTLY, reason="; ".join(filter(None, [found.reason, "not at the paper's scale"]))
        )
    return found


def judge_value(claim: Claim, evidence: Evidence) -> Judgement:
    """Judge a claim about a value."""
    sample = _only(claim, evidence)
    if claim.selection.at is None and not evidence.at_full_length(claim.selection):
        raise Untestable("the number is that of more rounds than were played")
    measure, published = evidence.measure(claim.selection.measure), _number(claim)
    measured, n = float(sample.values.mean()), len(sample.seeds)
    tolerance = _tolerance(claim, measure.tolerance) * abs(published)
    low, high = map(float, bootstrap_interval(sample.values)) if n > 1 else (np.nan, np.nan)
    error = float(deviation(sample.values)) ** 2 / n if n > 1 else 0.0
    sure = 2 * np.sqrt(error + (claim.std or 0.0) ** 2 / max(n, 1))
    apart = abs(measured - published)
    wide = min(WIDE * tolerance, max(tolerance, FURTHEST * abs(published)))
    near = apart <= tolerance or apart <= sure <= wide
    verdict = REPRODUCED if near else PARTLY if apart <= wide else NOT
    reason = f"{(measured / published - 1):+.1%} of what is published" if published else ""
    return Judgement(verdict, _words(claim, evidence), measured, low, high, published, n, reason=reason)


def compare(claim: Claim, evidence: Evidence) -> list[Comparison]:
    """Return the comparisons of a claim with each of its rivals on each game, uncorrected."""
    sign = 1.0 if evidence.measure(claim.selection.measure).higher else -1.0
    known = {**claim.selection.options, **claim.selection.where}
    found = []
    for rival in claim.rivals:
        for own, other in _pairs(evidence.samples(claim.selection), evidence.samples(rival)):
            mine, theirs = own.paired(other)
            gain = sign * (mine - theirs)
            p = bootstrap_p(gain) if len(gain) >= LEAST else np.nan
            game = f"{own.game}, {claim.selection.measure}, {claim.selection.at}"
            scale = abs(float(theirs.mean())) or 1.0
            found.append(Comparison(game, claim.selection.name, rival.named(known), gain, scale, p))
    return found


def judge_order(claim: Claim, compared: Sequence[Comparison], evidence: Evidence) -> Judgement:
    """Judge a claim that an algorithm is better. The measured value is its smallest relative lead over a rival."""
    closest = min(compared, key=lambda one: one.relative[0])
    measured, low, high = closest.relative
    tested = [one.p for one in compared if one.tested]
    tolerance = _tolerance(claim, evidence.measure(claim.selection.measure).tolerance)
    behind = [one for one in compared if one.behind]
    if claim.strictly:
        alone = all(len(one.gain) == 1 for one in compared)
        if alone:
            clear = all(one.relative[0] > tolerance for one in compared)
        else:
            clear = all(one.tested and one.p <= LEVEL and one.gain.mean() > 0 for one in compared)
        ahead = any(one.gain.mean() > 0 for one in compared)
        verdict = REPRODUCED if clear else PARTLY if ahead and not behind else NOT
    else:
        behind = [one for one in behind if one.relative[0] < -tolerance]
        clear = all(one.relative[1] >= -tolerance for one in compared)
        verdict = REPRODUCED if clear else NOT if behind else PARTLY
    if verdict == NOT:
        unbeaten = [one for one in compared if one.gain.mean() <= 0]
        reason = ("ahead: " if behind else "not behind: ") + ", ".join(_rivals(behind or unbeaten))
    elif verdict == PARTLY and len(tested) < len(compared) and all(one.gain.mean() > 0 for one in compared):
        reason = f"ahead in the mean, but {min(len(one.gain) for one in compared)} runs are too few for a test"
    elif verdict == PARTLY:
        unclear = [one for one in compared if not (one.tested and one.p <= LEVEL and one.gain.mean() > 0)]
        reason = "not told apart: " + ", ".join(_rivals(unclear))
    else:
        reason = f"closest: {_rivals([closest])[0]}"
    quantity = (
        f"lead in {evidence.measure(claim.selection.measure).words} of {closest.own} over {closest.rival}, relative"
    )
    n = min(len(one.gain) for one in compared)
    p = max(tested) if tested else np.nan
    return Judgement(verdict, quantity, measured, low, high, n=n if n > 1 else 0, p=p, reason=reason)


def judge_ratio(claim: Claim, evidence: Evidence) -> Judgement:
    """Judge a claim about the ratio of a result to that of the best rival."""
    measure, published = evidence.measure(claim.selection.measure), _number(claim)
    own = _only(claim, evidence)
    others = [sample for rival in claim.rivals for _, sample in _pairs({own.game: own}, evidence.samples(rival))]
    best = (max if measure.higher else min)(others, key=lambda sample: float(sample.values.mean()))
    mine, theirs = own.paired(best)
    ratio, low, high = paired_ratio(mine, theirs)
    alone = len(mine) == 1
    side = np.sign(published - 1)
    ends = (ratio, ratio) if alone else (low, high)
    claimed = min(side * (end - 1) for end in ends) > 0
    kept = {"at-most": ratio <= published, "at-least": ratio >= published}.get(claim.bound, False)
    near = abs(ratio / published - 1) <= _tolerance(claim, measure.tolerance) or (
        not claim.bound and ends[0] <= published <= ends[1]
    )
    verdict = NOT if not claimed else REPRODUCED if kept or near else PARTLY
    if alone:
        low = high = np.nan
    quantity = f"{measure.words} of {own.name} over that of {best.name}"
    if len(others) > 1:
        quantity += f", the best of {len(others)}"
    reason = "" if claimed else "not clearly on the claimed side of 1"
    return Judgement(verdict, quantity, ratio, low, high, published, 0 if alone else len(mine), reason=reason)


def judge_slope(claim: Claim, evidence: Evidence) -> Judgement:
    """Judge a claim about how a result grows with a setting."""
    points = evidence.points(claim.selection, claim.against)
    measured, low, high = slope(points)
    if np.isnan(measured):
        raise Untestable(f"{len(points)} settings of {claim.against} were played, and a slope needs two")
    if isinstance(claim.published, str):
        rate = evidence.rate(claim.selection, claim.against, claim.published)
        published, _, _ = slope({x: np.array([value]) for x, value in rate.items()})
    else:
        published = _number(claim)
    tolerance = _tolerance(claim, SLOPE_TOLERANCE)
    n = len(next(iter(points.values())))
    if claim.bound:
        over = measured - published if claim.bound == "at-most" else published - measured
        verdict = REPRODUCED if over <= tolerance else PARTLY if over <= 2.5 * tolerance else NOT
    else:
        apart = max(low - published, published - high, 0.0)
        narrow = high - low <= 5 * tolerance
        verdict = REPRODUCED if apart <= tolerance and narrow else PARTLY if apart <= 2.5 * tolerance else NOT
    if n == 1:
        low = high = np.nan
    words = f"slope of {evidence.measure(claim.selection.measure).words} in {claim.against}, {claim.selection.name}"
    reason = f"the stated slope is {claim.bound.replace('-', ' ')} that" if claim.bound else ""
    return Judgement(verdict, words, measured, low, high, published, n if n > 1 else 0, reason=reason)


def judge_equality(claim: Claim, evidence: Evidence) -> Judgement:
    """Judge a claim that results are equal; of several comparisons the one with the largest difference counts."""
    worst: tuple[float, float, float, int, str] | None = None
    for rival in claim.rivals:
        for own, other in _pairs(evidence.samples(claim.selection), evidence.samples(rival)):
            mine, theirs = own.paired(other)
            ratio, low, high = paired_ratio(mine, theirs)
            found = ratio - 1, low - 1, high - 1, len(mine), f"{own.name} and {other.name}"
            if worst is None or abs(found[0]) > abs(worst[0]):
                worst = found
    if worst is None:
        raise Untestable(f"{claim.selection.name} is compared with nothing")
    apart, low, high, n, names = worst
    measure = evidence.measure(claim.selection.measure)
    tolerance = _tolerance(claim, measure.tolerance)
    verdict = REPRODUCED if max(abs(low), abs(high)) <= tolerance else PARTLY if low <= 0.0 <= high else NOT
    if n == 1:
        low = high = np.nan
    quantity = f"relative difference of {names} in {measure.words}"
    return Judgement(verdict, quantity, apart, low, high, 0.0, n if n > 1 else 0)


def _only(claim: Claim, evidence: Evidence) -> Sample:
    """Return the one sample that a claim selects; raise InputError if it selects several."""
    samples = evidence.samples(claim.selection)
    if len(samples) > 1:
        raise InputError(
            f"{claim.id} is about one game, but {claim.selection.name} was played on {', '.join(samples)}: "
            "name one of them under `where`."
        )
    return next(iter(samples.values()))


def _pairs(own: dict[str, Sample], other: dict[str, Sample]) -> list[tuple[Sample, Sample]]:
    """Pair samples of the same game; if none is common, as between two settings, pair the single ones."""
    common = [game for game in own if game in other]
    if common:
        return [(own[game], other[game]) for game in common]
    if len(own) == len(other) == 1:
        return [(next(iter(own.values())), next(iter(other.values())))]
    raise Untestable("what is compared was played on different games")


def _number(claim: Claim) -> float:
    if isinstance(claim.published, int | float):
        return float(claim.published)
    raise InputError(f"{claim.id}: published is {claim.published!r}; write a number.")


def _tolerance(claim: Claim, default: float) -> float:
    return default if claim.tolerance is None else claim.tolerance


def _words(claim: Claim, evidence: Evidence) -> str:
    return f"{evidence.measure(claim.selection.measure).words} of {claim.selection.name}"


def _rivals(compared: Sequence[Comparison]) -> list[str]:
    """Return the names of rivals, each once, with p if it was tested."""
    named = {one.rival: one for one in sorted(compared, key=lambda one: one.relative[0], reverse=True)}
    return [f"{name} (p = {one.p:.2g})" if one.tested else name for name, one in named.items()]
