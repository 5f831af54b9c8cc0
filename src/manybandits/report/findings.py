"""The verdicts of a run, as its pages show them: claims with their readings, counts, and principal findings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from manybandits.base.exceptions import InputError, pick
from manybandits.papers.claim import NEEDED
from manybandits.report.content import Row, read_rows
from manybandits.results.verdict_table import COLUMNS, COUNTED, NOT_RUN, VERDICTS

KINDS = tuple(NEEDED)
PRINCIPAL = ("order", "ratio")
"""What a paper is written for: that something is better, and by how much."""
WORDS = ("figure", "table", "theorem", "corollary", "lemma", "proposition", "algorithm", "section")
"""The words of a place, in the order in which places of a paper are looked at."""
MOST_FINDINGS = 5
FINDINGS_RULE = (
    f"Of each paper the first {MOST_FINDINGS} claims that something is better, or by how much, in the order of their "
    "places: its figures by number, then its tables, its theorems and the like, and its sections. A paper that claims "
    "neither is shown by its first claims of any kind. What is not part of this run comes last."
)


@dataclass(frozen=True)
class Claim:
    """A claim with its verdicts: the reading that counts, and the others."""

    row: Row
    others: Sequence[Row]

    def __getitem__(self, column: str) -> str:
        return self.row[column]

    @property
    def key(self) -> str:
        """The key of the claim in its paper file."""
        return self.row["claim"].split(".")[1]


def read_verdicts(path: Path) -> list[Claim]:
    """Read the verdicts of a run; raise InputError naming a column, a word or a claim that is not as it should be."""
    rows = read_rows(path)
    missing = [column for column in COLUMNS if rows and column not in rows[0]]
    if missing:
        raise InputError(f"{path} has no column {missing[0]!r}: it is no table of verdicts; judge the claims again.")
    claims: dict[str, dict[str, Row]] = {}
    for row in rows:
        pick(row["verdict"], VERDICTS, f"verdict on {row['claim']} ({path})")
        pick(row["kind"], KINDS, f"kind of {row['claim']} ({path})")
        if not re.fullmatch(r"[a-z0-9_]+\.[a-z0-9_]+(\.\d+)?", row["claim"]):
            raise InputError(f"{path} has a claim {row['claim']!r}; it must be paper.key or paper.key.number.")
        if claims.setdefault(row["claim"], {}).setdefault(row["reading"], row) is not row:
            raise InputError(f"{path} has two verdicts on {row['claim']} under {row['reading']!r}: judge it again.")
    for name, readings in claims.items():
        if COUNTED not in readings:
            raise InputError(f"{path} has no verdict on {name} under {COUNTED!r}, which counts: judge it again.")
    return [
        Claim(readings[COUNTED], [row for reading, row in readings.items() if reading != COUNTED])
        for readings in claims.values()
    ]


def count(rows: Sequence[Claim | Row]) -> dict[str, int]:
    """Return how many have each verdict, all four named."""
    return {verdict: sum(row["verdict"] == verdict for row in rows) for verdict in VERDICTS}


def place_order(place: str) -> tuple[int, int]:
    """Return what sorts places of a paper: its figures, its tables, its theorems, ..., each by number."""
    found = re.match(r"(\w+?)s?\s+(\d+)", place)
    word = found.group(1).lower() if found else ""
    return (WORDS.index(word) if word in WORDS else len(WORDS), int(found.group(2)) if found else 0)


def findings(claims: Sequence[Claim]) -> list[Claim]:
    """Return the principal claims of one paper, by `FINDINGS_RULE`."""
    better = [claim for claim in claims if claim["kind"] in PRINCIPAL] or claims
    return sorted(better, key=lambda claim: (claim["reason"] == NOT_RUN, place_order(claim["place"])))[:MOST_FINDINGS]


def divergences(paper: str, content: Mapping[str, Any], claims: Sequence[Claim]) -> list[dict[str, Any]]:
    """Return the divergences of a paper file with the claims that each touches, grouped by their key.

    Raises InputError naming a claim or experiment that the file does not have.
    """
    where = f"the divergences of {paper}"
    found = []
    for one in content.get("divergences", []):
        for key in one["touches"]:
            pick(key, content.get("claims", {}), f"claim ({where}, {one['key']})")
        whole = {"shown_by": [], "tested_by": "", **one}
        for key in whole["shown_by"]:
            pick(key, content["experiments"], f"experiment ({where}, {one['key']})")
        touched = {key: [claim for claim in claims if claim.key == key] for key in one["touches"]}
        found.append({**whole, "touched": {key: by_reading(group) for key, group in touched.items() if group}})
    return found


def by_reading(claims: Sequence[Claim]) -> dict[str, list[Row]]:
    """Return the verdicts on some claims by reading, the one that counts first."""
    readings: dict[str, list[Row]] = {}
    for claim in claims:
        for row in (claim.row, *claim.others):
            readings.setdefault(row["reading"], []).append(row)
    return readings
