"""Controls: is it the method that carries a headline? (VERDICTS, section 1)

The method of a claim is compared with each control of its headlines, as with a rival: on the same games and seeds, by
the same rule. The control undoes the claim if it is ahead, or if it does as well: if the interval of the difference
lies around 0 within the tolerance of what is measured.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from manybandits.base.exceptions import InputError
from manybandits.claims.evidence import Evidence
from manybandits.claims.rules import order
from manybandits.claims.samples import Untestable
from manybandits.claims.verdict import Answer, Attribution, Verdict
from manybandits.papers.claim import Claim, Control, Selection

COMPARED = ("order", "ratio")
"""The kinds of claims that compare a method with others."""
SEVEREST = (Answer.FAILS, Answer.UNCLEAR, Answer.HOLDS)
"""The answers of comparisons with several runs of a control, of which the first that is given counts."""


def attribute(claim: Claim, controls: Mapping[str, Control], evidence: Evidence) -> tuple[Attribution, ...]:
    """Return how the method of a claim stands to some controls; none for a claim that compares no methods."""
    if claim.kind not in COMPARED or claim.untestable or claim.outside:
        return ()
    method = claim.selection.of
    return tuple(_attribute(claim, key, one, evidence) for key, one in controls.items() if one.runs_for(method))


def unplayed(key: str, control: Control) -> Attribution:
    """Return how a method stands to a control that was not played."""
    return Attribution(control=key, kind=control.kind, says=control.says, answer=Answer.UNTESTABLE)


def _attribute(claim: Claim, key: str, control: Control, evidence: Evidence) -> Attribution:
    """Return how the method stands to the best of a control's runs; one that was not played may be the best."""
    found, missing = [], False
    varied = evidence.measure(claim.selection.measure).over  # over the values of an option, which are compared alike
    options = claim.selection.options if varied else {}
    for title in control.runs_for(claim.selection.of):
        try:
            found.append(_compare(claim, replace(claim.selection, of=title, options=options), evidence))
        except (Untestable, InputError):  # of a measurement, a row that does not exist is an input error
            missing = True
    worst = min(found, key=lambda one: (SEVEREST.index(one.answer), one.measured or 0.0), default=None)
    if worst is None or worst.rival is None or (missing and worst.answer is not Answer.FAILS):
        return unplayed(key, control)
    told = {name: getattr(worst, name) for name in ("answer", "measure", "game", "measured", "low", "high", "n")}
    return replace(unplayed(key, control), own=claim.selection.of, rival=worst.rival.of, **told)


def _compare(claim: Claim, rival: Selection, evidence: Evidence) -> Verdict:
    """Return the verdict on "the method is better than the control"; it fails where the control does as well."""
    asked = replace(claim, kind="order", rivals=(rival,), published=None, bound="", strictly=True)
    found = order(asked, evidence)
    tolerance = evidence.measure(claim.selection.measure).tolerance
    level = found.low is not None and found.high is not None and -tolerance <= found.low <= 0 <= found.high <= tolerance
    if found.answer is Answer.SAME or (found.answer is Answer.UNCLEAR and found.p is not None and level):
        return replace(found, answer=Answer.FAILS)
    return found
