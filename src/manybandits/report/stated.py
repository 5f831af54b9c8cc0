"""Numbers that a paper states, beside those of the run: published, here, and the difference in its unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from manybandits.base.table_files import Row
from manybandits.papers.claim import PAPER, Claim
from manybandits.report.numbers import is_relative, number, of
from manybandits.results.measures import words_of
from manybandits.results.verdict_table import JudgedClaim, bounded


@dataclass(frozen=True)
class Stated:
    """A number that a paper states, and the verdict on its claim. row: of the table of verdicts."""

    claim: Claim
    row: Row

    @property
    def measured(self) -> bool:
        """Whether the run has a number to compare it with."""
        return bool(self.row["measured"] and self.row["published"])

    @property
    def published(self) -> str:
        """The number as the paper states it, with its bound or its deviation; of a rate only if it was judged."""
        if isinstance(self.claim.published, str) and not self.row["published"]:
            return "a rate"
        text = bounded(of(self.row["published"] or str(self.claim.published), self.row), self.claim.bound)
        return text if self.claim.std is None else f"{text} ± {number(str(self.claim.std))}"

    @property
    def difference(self) -> str:
        """The number here minus the published one, in its unit, and in per cent of it where zero means nothing."""
        if not self.measured:
            return ""
        published = float(self.row["published"])
        gap = float(self.row["measured"]) - published
        if is_relative(self.row["quantity"]):
            return f"{_signed(100 * gap)} percentage points"
        share = f" ({100 * gap / abs(published):+z.1f} %)" if published and self.claim.kind != "slope" else ""
        return f"{_signed(gap)} {self._unit()}{share}"

    def _unit(self) -> str:
        """Return what the difference is counted in."""
        if self.claim.kind == "slope":
            return "in the slope"
        if self.claim.kind == "ratio":
            return "in the ratio"
        return f"in {words_of(self.claim.selection.measure)}"


def stated_numbers(claims: Sequence[Claim], judged: Sequence[JudgedClaim]) -> dict[str, list[Stated]]:
    """Return the numbers that a paper states, by experiment, in the order of its claims.

    claims: those of the paper file; judged: their verdicts. A claim that two results are equal states no number.
    """
    rows: Mapping[str, Row] = {one["claim"]: one.row for one in judged}
    found: dict[str, list[Stated]] = {}
    for claim in claims:
        if claim.reading == PAPER and claim.published is not None and claim.id in rows:
            found.setdefault(claim.experiment, []).append(Stated(claim, rows[claim.id]))
    return found


def _signed(value: float) -> str:
    """Return a number with its sign; what is left of zero after rounding has none."""
    text = number(f"{abs(value):.3g}")
    return text if text == "0" else f"{'+' if value > 0 else '-'}{text}"
