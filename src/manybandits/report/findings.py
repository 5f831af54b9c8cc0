"""Findings: the principal claims of every paper with their verdicts, and the divergences of its text and code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from manybandits.base.exceptions import pick
from manybandits.base.table_files import Row
from manybandits.papers.claim import NEEDED
from manybandits.papers.files import Paper
from manybandits.results.verdict_table import NOT_RUN, JudgedClaim, read_claims

KINDS = tuple(NEEDED)
PRINCIPAL = ("order", "ratio")
"""Kinds of claims that are principal: that something is better, and by how much."""
WORDS = ("figure", "table", "theorem", "corollary", "lemma", "proposition", "algorithm", "section")
"""The first word of a place, in the order in which claims are sorted."""
MOST_FINDINGS = 5
FINDINGS_RULE = (
    f"Of each paper the first {MOST_FINDINGS} claims that something is better, or by how much, in the order of their "
    "places: its figures by number, then its tables, its theorems and the like, and its sections. A paper that claims "
    "neither is shown by its first claims of any kind. What is not part of this run comes last."
)


def read_verdicts(path: Path) -> list[JudgedClaim]:
    """Read the verdicts of a run by claim; raise InputError naming the row that is wrong."""
    claims = read_claims(path)
    for claim in claims:
        pick(claim["kind"], KINDS, f"kind of {claim['claim']} in {path}")
    return claims


def place_order(place: str) -> tuple[int, int]:
    """Return the sort key of a place in a paper: figures first, then tables, theorems, ..., each by number."""
    found = re.match(r"(\w+?)s?\s+(\d+)", place)
    word = found.group(1).lower() if found else ""
    return (WORDS.index(word) if word in WORDS else len(WORDS), int(found.group(2)) if found else 0)


def findings(claims: Sequence[JudgedClaim]) -> list[JudgedClaim]:
    """Return the principal claims of one paper, by `FINDINGS_RULE`."""
    better = [claim for claim in claims if claim["kind"] in PRINCIPAL] or claims
    return sorted(better, key=lambda claim: (claim["reason"] == NOT_RUN, place_order(claim["place"])))[:MOST_FINDINGS]


def divergences(paper: Paper, claims: Sequence[JudgedClaim]) -> list[dict[str, Any]]:
    """Return the divergences of a paper file with the claims that each touches, grouped by their key.

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
        touched = {key: [claim for claim in claims if claim.key == key] for key in one.touches}
        groups = {key: by_reading(group) for key, group in touched.items() if group}
        found.append({**msgspec.structs.asdict(one), "touched": groups})
    return found


def by_reading(claims: Sequence[JudgedClaim]) -> dict[str, list[Row]]:
    """Return the verdicts on some claims by reading, the one that counts first."""
    readings: dict[str, list[Row]] = {}
    for claim in claims:
        for row in (claim.row, *claim.others):
            readings.setdefault(row["reading"], []).append(row)
    return readings
