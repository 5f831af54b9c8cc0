"""Divergences of the text of a paper from its code, or from another reading, with the verdicts that they touch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from manybandits.base.exceptions import pick
from manybandits.claims.verdict import Verdict
from manybandits.papers.files import Paper


def divergences(paper: Paper, claims: Mapping[str, Sequence[Verdict]]) -> list[dict[str, Any]]:
    """Return the divergences of a paper file with the claims that each touches, the first of each key.

    claims: id -> verdicts. Raises InputError naming a claim or experiment that the file does not have.
    """
    where = f"the divergences of {paper.name}"
    known = {claim.key for claim in paper.claims}
    firsts = {given[0].claim.key: given[0].claim for given in reversed([*claims.values()])}
    found = []
    for one in paper.divergences:
        for key in one.touches:
            pick(key, known, f"claim ({where}, {one.key})")
        for key in one.shown_by:
            pick(key, paper.experiments, f"experiment ({where}, {one.key})")
        touched = {key: firsts[key] for key in one.touches if key in firsts}
        found.append({**msgspec.structs.asdict(one), "touched": touched})
    return found


def verdicts_by_reading(paper: Paper, claims: Mapping[str, Sequence[Verdict]]) -> dict[str, dict[str, list[Verdict]]]:
    """Return the verdicts on all claims that divergences touch: key of the claims -> reading -> their verdicts."""
    found: dict[str, dict[str, list[Verdict]]] = {key: {} for one in paper.divergences for key in one.touches}
    for one in (verdict for verdicts in claims.values() for verdict in verdicts):
        if one.claim.key in found:
            found[one.claim.key].setdefault(one.claim.reading, []).append(one)
    return {key: readings for key, readings in found.items() if readings}
