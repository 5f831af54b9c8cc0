"""Divergences of the text of a paper from its code, or from another reading, with the verdicts that they touch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from manybandits.base.exceptions import pick
from manybandits.base.table_files import Row
from manybandits.papers.files import Paper
from manybandits.results.verdict_table import JudgedClaim


def divergences(paper: Paper, claims: Sequence[JudgedClaim]) -> list[dict[str, Any]]:
    """Return the divergences of a paper file with the rows of the claims that each touches, the first of each key.

    Raises InputError naming a claim or experiment that the file does not have.
    """
    where = f"the divergences of {paper.name}"
    known = {claim.key for claim in paper.claims}
    found = []
    for one in paper.divergences:
        for key in one.touches:
            pick(key, known, f"claim ({where}, {one.key})")
        for key in one.shown_by:
            pick(key, paper.experiments, f"experiment ({where}, {one.key})")
        firsts = {key: next((claim.row for claim in claims if claim.key == key), None) for key in one.touches}
        found.append({**msgspec.structs.asdict(one), "touched": {key: row for key, row in firsts.items() if row}})
    return found


def verdicts_by_reading(paper: Paper, claims: Sequence[JudgedClaim]) -> dict[str, dict[str, list[Row]]]:
    """Return the verdicts on all claims that divergences touch: key of the claims -> reading -> their rows."""
    touched = dict.fromkeys(key for one in paper.divergences for key in one.touches)
    groups = {key: [claim for claim in claims if claim.key == key] for key in touched}
    return {key: by_reading(group) for key, group in groups.items() if group}


def by_reading(claims: Sequence[JudgedClaim]) -> dict[str, list[Row]]:
    """Return the verdicts on some claims by reading, the one that counts first."""
    readings: dict[str, list[Row]] = {}
    for claim in claims:
        for row in (claim.row, *claim.others):
            readings.setdefault(row["reading"], []).append(row)
    return readings
