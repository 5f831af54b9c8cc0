"""Numbers that a paper states, beside those of the run: published, here, and the difference in its unit."""

from __future__ import annotations

from manybandits.claims.sentences import bounded, of
from manybandits.claims.verdict import Verdict
from manybandits.results.measures import words_of
from manybandits.results.numbers import number


def published(verdict: Verdict) -> str:
    """Return the number as the paper states it, with its bound or its deviation; of a rate only if it was judged."""
    claim = verdict.claim
    if isinstance(claim.published, str) and verdict.published is None:
        return "a rate"
    value = float(claim.published or 0) if verdict.published is None else verdict.published
    text = bounded(of(value, verdict), claim.bound)
    return text if claim.std is None else f"{text} ± {number(claim.std)}"


def difference(verdict: Verdict) -> str:
    """Return the number here minus the published one, in its unit, and in per cent of it where zero means nothing."""
    if verdict.measured is None or verdict.published is None:
        return ""
    claim, gap = verdict.claim, verdict.measured - verdict.published
    if verdict.is_relative:
        return f"{_signed(100 * gap)} percentage points"
    unit = {"slope": "the slope", "ratio": "the ratio"}.get(claim.kind) or words_of(claim.selection.measure)
    share = 100 * gap / abs(verdict.published) if verdict.published and claim.kind != "slope" else None
    return f"{_signed(gap)} in {unit}" + ("" if share is None else f" ({share:+z.1f} %)")


def _signed(value: float) -> str:
    """Return a number with its sign; what is left of zero after rounding has none."""
    text = number(f"{abs(value):.3g}")
    return text if text == "0" else f"{'+' if value > 0 else '-'}{text}"
