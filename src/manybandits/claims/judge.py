"""Judge a claim: by the rule of its kind, with the limits of the runs, flags and controls (VERDICTS, sections 2 and 3).

A cell is judged alone: its p is not corrected. Only headlines are, over those of their paper
(`manybandits.claims.headlines`).
"""

from __future__ import annotations

from msgspec.structs import replace

from manybandits.base.exceptions import InputError
from manybandits.claims.evidence import Evidence
from manybandits.claims.rules import OTHERS, RULES, Rules, answer
from manybandits.claims.samples import Untestable
from manybandits.claims.sentences import name_of
from manybandits.claims.verdict import EARLY, Answer, Flag, Verdict
from manybandits.papers.claim import Claim

SECONDS, MACHINE = "seconds", "one core of another machine"
"""The measure that depends on the machine, and the limit of every claim about it."""


def judge(claim: Claim, evidence: Evidence, target: str = "", rules: Rules = RULES) -> Verdict:
    """Return the verdict on a claim. target: the figure or table that is judged."""
    if claim.untestable:
        return Verdict(claim=claim, answer=Answer.UNTESTABLE, target=target, reason=claim.untestable)
    compared = claim.compared
    try:
        found = answer(claim, evidence, rules)
        flags = [*found.flags, *evidence.flags(compared), *_undiscriminating(claim, found.published, evidence)]
        outside = claim.outside or (evidence.outside(claim.selection, claim.theorem) if claim.theorem else "")
    except Untestable as reason:
        given = Answer.OUTSIDE if claim.outside else Answer.UNTESTABLE
        return Verdict(claim=claim, answer=given, target=target, reason=claim.outside or str(reason))
    except InputError:
        if not claim.outside:
            raise
        # What no run can meet need not have been measured.
        return Verdict(claim=claim, answer=Answer.OUTSIDE, target=target, reason=claim.outside)
    machine = [MACHINE] if claim.selection.measure == SECONDS else []
    data, limits = (tuple(dict.fromkeys(one(compared))) for one in (evidence.notes, evidence.limits))
    found = replace(found, target=target, data=data, limits=(*machine, *limits), flags=tuple(flags))
    return replace(found, answer=Answer.OUTSIDE, reason=outside) if outside else found


def judge_again(verdict: Verdict, evidence: Evidence) -> Verdict:
    """Return a verdict with the answers under other rules, and of an order those after a part of its rounds."""
    if not verdict.answer.is_judged:
        return verdict
    under = {}
    for name, rules in OTHERS.items():
        other = answer(verdict.claim, evidence, rules)
        if (other.answer, other.p) != (verdict.answer, verdict.p):
            under[name] = other.answer, other.p
    return replace(verdict, under=under, early=_early(verdict.claim, evidence))


def _early(claim: Claim, evidence: Evidence) -> tuple[Answer, ...]:
    """Return the answers on an order after the parts `EARLY` of its rounds; none where that is not known."""
    if claim.kind != "order" or claim.selection.at is not None:
        return ()
    try:
        return tuple(answer(claim, evidence, part=part).answer for part in EARLY)
    except Untestable:
        return ()


def _undiscriminating(claim: Claim, bound: float | None, evidence: Evidence) -> list[Flag]:
    """Return the controls of a bound, for which the claim is not made, that keep it as well.

    bound: the claim's. A stated rate may be another one for a control, as in a table of rates of estimators.
    """
    found = []
    for control in claim.controls:
        try:
            kept = answer(replace(claim, selection=control, published=bound), evidence).answer is Answer.HOLDS
        except Untestable:
            found.append(Flag("control not played", name_of(control)))
        else:
            found += [Flag("not discriminating", name_of(control))] if kept else []
    return found
