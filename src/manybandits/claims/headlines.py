"""Verdicts on headlines, from those on the claims that test them (VERDICTS, sections 1 to 3).

all        every claim must hold, of which at least half must have been judged; one that fails is enough against it
a number   that many claims must hold; it fails if so many claims fail that the number cannot be reached
first      the first claim decides, the others are beside it

A headline whose claims have p-values has one, too: for "all", the largest of them, because each must hold; for a
number k, the k-th smallest. Against it the smallest speaks, times the number of claims, because any of them may. One
that is inconclusive has the largest of the claims that are. Over the headlines of a paper these are corrected by Holm's
rule, and what is no longer certain then is inconclusive. Other set-ups play no part, so that adding one changes no
headline.

A claim that cannot differ neither holds nor fails. "All" and "first" leave it out; a number stays open to it, as to a
claim that was not judged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from manybandits.base.statistics import holm
from manybandits.claims.rules import RULES, Rules
from manybandits.claims.verdict import Answer, Attribution, HeadlineVerdict, Verdict, known
from manybandits.papers.claim import Headline

CORRECTED = "not certain after Holm's correction over the headlines of the paper"


def judge_headlines(
    paper: str, headlines: Mapping[str, tuple[Headline, Sequence[Verdict]]], rules: Rules = RULES
) -> dict[str, HeadlineVerdict]:
    """Return the verdicts on the headlines of a paper by its text: key -> verdict, of which the word is not yet given.

    headlines: key -> the headline and the verdicts on its claims, in order.
    """
    found = {key: combine(f"{paper}.{key}", one, verdicts) for key, (one, verdicts) in headlines.items()}
    tested: dict[str, float] = {key: one.p for key, one in found.items() if one.p is not None}
    if not tested or not rules.holm:
        return found
    corrected = holm(np.array(list(tested.values()))).tolist()
    for key, p in zip(tested, corrected, strict=True):
        found[key] = replace(found[key], p=known(p))
        if p > rules.level and found[key].answer in (Answer.HOLDS, Answer.FAILS):
            found[key] = replace(found[key], answer=Answer.UNCLEAR, reason=CORRECTED)
    return found


def combine(name: str, headline: Headline, verdicts: Sequence[Verdict]) -> HeadlineVerdict:
    """Return the verdict on a headline by some verdicts on its claims, in order; its p is not yet corrected."""
    meant = list(verdicts[:1] if headline.holds_in == "first" else verdicts)
    if not all(one.answer is Answer.SAME for one in meant):
        meant = [one for one in meant if one.answer is not Answer.SAME]  # what cannot differ decides nothing
    judged = [one for one in meant if one.answer.is_judged]

    def given(
        answer: Answer, decisive: Verdict, reason: str, limits: tuple[str, ...] = (), p: float | None = None
    ) -> HeadlineVerdict:
        return HeadlineVerdict(
            id=name,
            paper=name.split(".")[0],
            headline=headline,
            claims=tuple(one.claim.id for one in verdicts),
            answer=answer,
            decided_by=decisive.claim.id,
            p=p,
            limits=limits,
            reason=reason,
        )

    if not judged:
        measured = next((one for one in meant if one.measured is not None), meant[0])
        shown = next((one for one in meant if one.answer is Answer.UNTESTABLE), measured)
        return given(shown.answer, shown, shown.reason)
    # All must hold that were judged; a number may also be reached by those that were not, or that cannot differ.
    needed = len(judged) if isinstance(headline.holds_in, str) else headline.holds_in
    open_to = len(judged) if isinstance(headline.holds_in, str) else len(verdicts)
    holding, against, near, unclear = (
        [one for one in judged if one.answer is answer]
        for answer in (Answer.HOLDS, Answer.FAILS, Answer.NEAR, Answer.UNCLEAR)
    )
    holding, against = (sorted(some, key=lambda one: one.p or 0.0) for some in (holding, against))
    left_out = len(meant) - len(judged)
    apart = (f"{left_out} of {len(meant)} claims could not be judged",) if left_out else ()
    counts = _counted(holding, judged, "hold") if len(judged) > 1 else judged[0].reason
    limits = (*_limits(judged), *apart)
    if len(holding) >= needed and 2 * len(judged) < len(meant):
        return given(Answer.UNCLEAR, holding[-1], "most of its claims were not judged", limits)
    if len(holding) >= needed:
        decisive = holding[needed - 1]
        return given(Answer.HOLDS, decisive, counts, (*_limits(holding[:needed]), *apart), decisive.p)
    if against and open_to - len(against) < needed:
        # The surest ones decide; if they have no limits, those of others do not matter.
        enough = sorted(against, key=lambda one: bool(one.limits))[: max(1, open_to - needed + 1)]
        decisive = max(enough, key=lambda one: one.p or 0.0)
        p = None if decisive.p is None else known(min(1.0, decisive.p * len(judged)))
        reason = _counted(against, judged, "fail") if len(judged) > 1 else counts
        return given(Answer.FAILS, decisive, reason, _limits(enough), p)
    if near and len(holding) + len(near) >= needed:
        return given(Answer.NEAR, near[0], counts, limits)
    unsure = max(unclear, key=lambda one: one.p or 0.0) if unclear else replace((near or against or holding)[0], p=None)
    return given(Answer.UNCLEAR, unsure, counts, limits, unsure.p)


def early_of(headline: Headline, verdicts: Sequence[Verdict], parts: int) -> tuple[Answer, ...]:
    """Return the answers on a headline after parts of the rounds; none if not all claims are orders known there."""
    verdicts = verdicts[:1] if headline.holds_in == "first" else verdicts
    if not all(len(one.early) == parts for one in verdicts):
        return ()
    return tuple(
        combine("", headline, [replace(one, answer=one.early[part], p=None) for one in verdicts]).answer
        for part in range(parts)
    )


def under(verdict: Verdict, rules: str) -> Verdict:
    """Return a verdict as other rules, by their name, give it."""
    answer, p = verdict.under.get(rules, (verdict.answer, verdict.p))
    return replace(verdict, answer=answer, p=p)


def attribution_of(headline: Headline, found: Sequence[Attribution]) -> Attribution:
    """Return how a headline stands to one of its controls, by its comparisons, one for each claim.

    The method must be ahead of the control in as many claims as the headline asks for.
    """

    def lead(one: Attribution) -> float:
        return one.measured or 0.0

    meant = list(found[:1] if headline.holds_in == "first" else found)
    needed = len(meant) if isinstance(headline.holds_in, str) else min(headline.holds_in, len(meant))
    ahead = [one for one in meant if one.answer is Answer.HOLDS]
    undone = [one for one in meant if one.answer is Answer.FAILS]
    if len(ahead) >= needed:
        return min(ahead, key=lead)
    if len(meant) - len(undone) < needed:
        return min(undone, key=lead)
    missing = [one for one in meant if one.answer is Answer.UNTESTABLE]
    return missing[0] if missing else min((one for one in meant if one.answer is Answer.UNCLEAR), key=lead)


def _counted(some: Sequence[Verdict], judged: Sequence[Verdict], do: str) -> str:
    """Return how many of the claims that were judged do so, such as 1 of 3 claims holds."""
    return f"{len(some)} of {len(judged)} claims {do}{'s' if len(some) == 1 else ''}"


def _limits(verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    """Return the limits of verdicts, each once."""
    return tuple(dict.fromkeys(limit for one in verdicts for limit in one.limits))
