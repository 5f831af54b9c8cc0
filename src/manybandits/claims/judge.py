"""Judge claims: by the rule of their kind, the limits of the runs, flags and controls (VERDICTS, sections 1 to 3).

A cell is judged alone: its p is not corrected. Only headlines are, over those of their paper
(`manybandits.claims.headlines`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from manybandits.base.exceptions import InputError
from manybandits.claims.evidence import Evidence
from manybandits.claims.finding import Answer, Finding
from manybandits.claims.rules import answer
from manybandits.claims.samples import Untestable
from manybandits.papers.claim import Claim
from manybandits.results.verdict_table import OUTSIDE, UNTESTABLE

SECONDS, MACHINE = "seconds", "one core of another machine"
"""The measure that depends on the machine, and the limit of every claim about it (VERDICTS, section 2)."""
SAME = "same in all runs"
"""The flag of a difference, or a slope, that is zero by construction (VERDICTS, section 3)."""


@dataclass(frozen=True)
class Judgement:
    """A verdict with what it rests on. finding: None if nothing could be measured."""

    verdict: str
    finding: Finding | None = None
    data: str = ""
    limits: Sequence[str] = ()
    flags: Sequence[str] = ()
    reason: str = ""


def judge(claim: Claim, evidence: Evidence) -> Judgement:
    """Return the verdict on a claim."""
    if claim.untestable:
        return Judgement(UNTESTABLE, reason=claim.untestable)
    compared = [claim.selection, *claim.rivals]
    try:
        finding = answer(claim, evidence)
        flags = [*evidence.flags(compared), *_undiscriminating(claim, finding.published, evidence)]
        flags += [SAME] if finding.measured == finding.low == finding.high == 0 else []
        outside = claim.outside or (evidence.outside(claim.selection, claim.theorem) if claim.theorem else "")
    except Untestable as reason:
        return Judgement(OUTSIDE if claim.outside else UNTESTABLE, reason=claim.outside or str(reason))
    except InputError:
        if not claim.outside:
            raise
        return Judgement(OUTSIDE, reason=claim.outside)  # what no run can meet need not have been measured
    part = evidence.narrowed(compared)
    limits = [*([MACHINE] if claim.selection.measure == SECONDS else []), *part.limits]
    verdict = OUTSIDE if outside else finding.answer.under(limits)
    return Judgement(verdict, finding, part.data, limits, flags, outside or finding.reason)


def _undiscriminating(claim: Claim, bound: float, evidence: Evidence) -> list[str]:
    """Return the controls, for which the claim is not made, that keep its bound as well.

    bound: the claim's. A stated rate may be another one for a control, as in a table of rates of estimators.
    """
    found = []
    for control in claim.controls:
        try:
            kept = answer(replace(claim, selection=control, published=bound), evidence).answer is Answer.HOLDS
        except Untestable:
            found.append(f"control not played: {control.name}")
        else:
            found += [f"not discriminating: {control.name} keeps the bound as well"] if kept else []
    return found
