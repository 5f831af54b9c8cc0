"""Claims as data: what a paper says, in machine form, as the key `claims` of its file has it.

A claim selects what was measured (`Selection`) and says something about it. Its kind is one of

value      a number of a table
order      one algorithm is better than others, or no worse
ratio      how many times one number is another
slope      how a result grows with a setting, on two log axes
equality   two results are the same

``cells`` make one claim of many: each entry overlays the keys above it. ``also`` makes readings of a claim: the same is
judged again under another choice, and shown beside it. How each kind is judged stands in `manybandits.claims.judge`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from manybandits.base.exceptions import InputError, pick
from manybandits.base.protocols import PAPER

NEEDED = {
    "value": {"published"},
    "order": {"than"},
    "ratio": {"than", "published"},
    "slope": {"against", "published"},
    "equality": {"than"},
}
"""What a claim of each kind has, besides what is measured."""
ALLOWED = {
    "value": {"std"},
    "order": {"strictly"},
    "ratio": {"bound"},
    "slope": {"bound"},
    "equality": set(),
}
"""What it may have, besides."""
SPECIAL = {"than", "published", "against", "std", "strictly", "bound"}


@dataclass(frozen=True)
class Selection:
    """Which runs a claim speaks of, and what is measured on them."""

    of: str = ""  # the title of a run, an estimator; "" where a benchmark's rows have none
    where: Mapping[str, Any] = field(default_factory=dict)  # settings of the game, and the role of its data
    measure: str = "regret"
    at: int | None = None  # after how many rounds; None: all
    options: Mapping[str, Any] = field(default_factory=dict)  # a grid point; empty: the one that was chosen

    @property
    def name(self) -> str:
        """Words for a reader: the title, and what tells the selection apart."""
        return self.named({})

    def named(self, known: Mapping[str, Any]) -> str:
        """The name without what is known anyway: settings by name."""
        given = {**self.options, **self.where, **({"after round": self.at} if self.at else {})}
        parts = [
            f"{name} {_shown(value)}" for name, value in given.items() if name != "data" and known.get(name) != value
        ]
        return ", ".join([*([self.of] if self.of else []), *parts])


@dataclass(frozen=True)
class Claim:
    """One thing that a paper says, under one reading."""

    id: str  # paper.key, or paper.key.1, paper.key.2, ... of cells
    paper: str
    experiment: str
    place: str
    says: str
    kind: str
    selection: Selection
    rivals: tuple[Selection, ...] = ()
    published: float | str | None = None  # a number, or the name of a stated rate
    std: float | None = None
    bound: str = ""  # at-most or at-least
    strictly: bool = True
    against: str = ""
    tolerance: float | None = None  # None: that of the measure, or of the kind
    reading: str = PAPER
    because: str = ""
    untestable: str = ""


def _shown(value: Any) -> str:
    return " or ".join(map(str, value)) if isinstance(value, list) else str(value)


def read_claims(content: Mapping[str, Any], paper: str, where: str) -> list[Claim]:
    """Return the claims of a paper file in its order, each followed by its other readings.

    where: the file, for errors. Raises InputError naming the claim for a key that its kind does not have, one that is
    missing, or an experiment that there is not.
    """
    return [
        _claim(reading, name, paper, content, f"{where}, claim {name}")
        for name, given in entries(content, paper)
        for reading in _readings(given)
    ]


def entries(content: Mapping[str, Any], paper: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the id of every claim of a paper file with all that is said of it; a cell with what it shares."""
    for key, whole in content.get("claims", {}).items():
        cells = whole.get("cells")
        shared = {name: value for name, value in whole.items() if name != "cells"}
        for number, cell in enumerate(cells if cells is not None else [{}], start=1):
            given = {**shared, **cell, "where": {**shared.get("where", {}), **cell.get("where", {})}}
            yield f"{paper}.{key}" + (f".{number}" if cells is not None else ""), given


def _readings(given: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the claim as the paper has it, then each of its other readings; an explanation is that of one reading."""
    alone = {name: value for name, value in given.items() if name not in ("also", "because")}
    yield {**alone, "because": given.get("because", ""), "reading": PAPER}
    for other in given.get("also", []):
        yield {**alone, **other, "where": {**alone["where"], **other.get("where", {})}}


def _claim(given: Mapping[str, Any], name: str, paper: str, content: Mapping[str, Any], where: str) -> Claim:
    for key in ("place", "says", "kind", "experiment", "reading"):
        if key not in given:
            raise InputError(f"{where}: the key {key!r} is missing; add it.")
    kind = pick(given["kind"], NEEDED, f"kind ({where})")
    pick(given["experiment"], content["experiments"], f"experiment ({where})")
    own = SPECIAL & given.keys()
    if missing := NEEDED[kind] - own:
        raise InputError(f"{where}: {kind} needs the key {sorted(missing)[0]!r}; add it.")
    if surplus := own - NEEDED[kind] - ALLOWED[kind]:
        raise InputError(f"{where}: {kind} has no key {sorted(surplus)[0]!r}; leave it out.")
    selection = Selection(**{key: given[key] for key in Selection.__dataclass_fields__ if key in given})
    than = given.get("than", [])
    return Claim(
        id=name,
        paper=paper,
        selection=selection,
        rivals=tuple(_rival(given, entry) for entry in (than if isinstance(than, list) else [than])),
        **{
            key: given[key]
            for key in Claim.__dataclass_fields__
            if key in given and key not in ("id", "paper", "selection", "rivals")
        },
    )


def _rival(given: Mapping[str, Any], entry: str | Mapping[str, Any]) -> Selection:
    """Return what a claim compares with: its own selection, with another title or what an entry overlays."""
    other: dict[str, Any] = {"of": entry} if isinstance(entry, str) else dict(entry)
    whole = {**given, **other, "where": {**given["where"], **other.get("where", {})}}
    return Selection(**{key: whole[key] for key in Selection.__dataclass_fields__ if key in whole})
