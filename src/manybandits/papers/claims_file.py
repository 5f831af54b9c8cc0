"""The content of ``claims.yaml``: claims with what they share, headlines, the story, reasons and divergences.

``cells`` lists several claims with common keys: each entry overrides the keys above it. ``also`` lists other readings:
the claim is judged again under each, and those verdicts are shown but not counted. ``released`` lists
public pairs of a game and an algorithm, each with the version of the authors' code (``code``): on them the column Code
rests.

A claim that says nothing of its own stands apart, and no score counts it: ``copy_of`` names the claim of which it is
arithmetic, ``quoted`` the paper whose number it repeats, ``by_construction`` why it cannot fail. A bound needs
``control``: algorithms for which it is not claimed, and which should not keep it. A theorem names the fact of its games
that says where its conditions hold (``theorem``), or why no run can meet them (``outside``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from manybandits.base.exceptions import InputError, pick
from manybandits.papers.claim import (
    ALLOWED,
    NEEDED,
    PAPER,
    SPECIAL,
    Bound,
    Claim,
    Control,
    Divergence,
    Headline,
    Key,
    Kind,
    Options,
    Selection,
    Where,
)
from manybandits.papers.reason import Reason
from manybandits.papers.settings import Rounds, Value
from manybandits.papers.story import Sentence

LARGEST = 1e15
"""The largest number that a paper may state of a result; sums of far larger ones would be infinite."""


class SelectionEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A selection as written in a file; a key that is not set has the value of the entry above it, or the default."""

    of: Annotated[str, Meta(description="the title of a run")] | UnsetType = UNSET
    where: Annotated[Where, Meta(description="settings of the game and the role of its data")] | UnsetType = UNSET
    measure: Annotated[str, Meta(description="what is measured")] | UnsetType = UNSET
    at: Rounds | UnsetType = UNSET
    options: Annotated[Options, Meta(description="for each option its value")] | UnsetType = UNSET
    relative: Annotated[str, Meta(description="the title of the run by which it is divided")] | UnsetType = UNSET


Than = Annotated[
    str | Annotated[tuple[str | SelectionEntry, ...], Meta(min_length=1)],
    Meta(description="a title, or a list of titles and selections"),
]


class ClaimEntry(SelectionEntry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A claim as written in a file, or one of its cells or readings, which give only the keys that differ."""

    place: Annotated[str, Meta(description="the place in the paper, such as 'Table 3'")] | UnsetType = UNSET
    says: Annotated[str, Meta(description="what is claimed")] | UnsetType = UNSET
    kind: Kind | UnsetType = UNSET
    experiment: Annotated[str, Meta(description="a key of the experiments")] | UnsetType = UNSET
    than: Than | UnsetType = UNSET
    published: Annotated[Value, Meta(description="a number or the name of a stated rate")] | UnsetType = UNSET
    std: Annotated[float, Meta(ge=0, description="a standard deviation")] | UnsetType = UNSET
    bound: Bound | UnsetType = UNSET
    strictly: Annotated[bool, Meta(description="true or false")] | UnsetType = UNSET
    against: Annotated[str, Meta(description="what is swept")] | UnsetType = UNSET
    control: Annotated[Than, Meta(description="what should not keep the bound")] | UnsetType = UNSET
    copy_of: Annotated[str, Meta(description="the claim of which this is arithmetic")] | UnsetType = UNSET
    quoted: Annotated[str, Meta(description="the paper whose number it repeats")] | UnsetType = UNSET
    by_construction: Annotated[str, Meta(description="why it cannot fail")] | UnsetType = UNSET
    theorem: Annotated[str, Meta(description="a fact of the game")] | UnsetType = UNSET
    outside: Annotated[str, Meta(description="why no run meets the conditions")] | UnsetType = UNSET
    reading: Annotated[str, Meta(description="what this reading takes differently")] | UnsetType = UNSET
    code: Annotated[str, Meta(description="the version of the authors' code")] | UnsetType = UNSET
    because: Annotated[str, Meta(description="the key of a reason")] | UnsetType = UNSET
    untestable: Annotated[str, Meta(description="why it cannot be judged")] | UnsetType = UNSET
    also: Annotated[tuple[ClaimEntry, ...], Meta(min_length=1, description="a list of readings")] | UnsetType = UNSET
    released: Annotated[tuple[ClaimEntry, ...], Meta(min_length=1, description="public pairs")] | UnsetType = UNSET
    cells: Annotated[tuple[ClaimEntry, ...], Meta(min_length=1, description="a list of differing keys")] | UnsetType = (
        UNSET
    )


class ClaimsFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of ``claims.yaml``."""

    claims: Annotated[dict[Key, ClaimEntry], Meta(description="the claims of the paper, by key")]
    headlines: Annotated[dict[Key, Headline], Meta(description="the headlines of the paper, by key")] = {}
    controls: Annotated[dict[Key, Control], Meta(description="the controls of headlines, by key")] = {}
    story: Annotated[
        tuple[Sentence, ...], Meta(description="a list of sentences that tell the paper, with what each rests on")
    ] = ()
    reasons: Annotated[dict[str, Reason], Meta(description="why claims are not reproduced, by key")] = {}
    divergences: Annotated[
        tuple[Divergence, ...],
        Meta(description="a list of differences between the text and released code or another reading"),
    ] = ()


Entry = TypeVar("Entry", bound=SelectionEntry)


def read_claims(file: ClaimsFile, paper: str, measures: Mapping[str, str], where: str) -> tuple[Claim, ...]:
    """Return the claims of a paper in the order of its file, each followed by its other readings.

    measures: what is measured in each of the paper's experiments, by key, where a claim does not say it. where: the
    file, for messages. Raises InputError naming the claim if a key is missing or is not one of its kind, or if its
    experiment is unknown.
    """
    return tuple(
        _claim(reading, name, paper, measures, f"{where}, claim {name}")
        for name, entry in entries(file, paper)
        for reading in _readings(entry)
    )


def entries(file: ClaimsFile, paper: str) -> Iterator[tuple[str, ClaimEntry]]:
    """Yield the id and the entry of every claim; a cell is merged with the keys that all cells share."""
    for key, entry in file.claims.items():
        shared = msgspec.structs.replace(entry, cells=UNSET)
        for number, cell in enumerate(entry.cells or (ClaimEntry(),), start=1):
            yield f"{paper}.{key}" + (f".{number}" if entry.cells else ""), _overlaid(shared, cell)


def _readings(entry: ClaimEntry) -> Iterator[ClaimEntry]:
    """Yield the claim as the paper makes it, then its other readings; ``because`` is not inherited by them."""
    alone = msgspec.structs.replace(entry, also=UNSET, released=UNSET, because=UNSET)
    yield msgspec.structs.replace(alone, because=entry.because or "", reading=PAPER)
    for other in entry.also or ():
        yield _overlaid(alone, other)
    for pair in entry.released or ():
        yield _overlaid(alone, msgspec.structs.replace(pair, reading=f"public code, {pair.code or '?'}"))


def _overlaid(entry: Entry, above: SelectionEntry) -> Entry:
    """Return an entry updated by the keys set in `above`; ``where`` has the settings of both."""
    where = {**(entry.where or {}), **(above.where or {})}
    return msgspec.structs.replace(entry, **{**_given(above), "where": where})


def _given(entry: SelectionEntry) -> dict[str, Any]:
    """Return the keys that are set, with their values."""
    return {key: value for key, value in msgspec.structs.asdict(entry).items() if value is not UNSET}


def _claim(entry: ClaimEntry, name: str, paper: str, measures: Mapping[str, str], where: str) -> Claim:
    given = _given(entry)
    for key in ("place", "says", "kind", "experiment", "reading"):
        if key not in given:
            raise InputError(f"{where}: the key {key!r} is missing; add it.")
    kind = given["kind"]
    experiment = pick(given["experiment"], measures, f"experiment ({where})")
    if entry.measure is UNSET:
        entry = msgspec.structs.replace(entry, measure=measures[experiment])
    own = SPECIAL & given.keys()
    if missing := NEEDED[kind] - own:
        raise InputError(f"{where}: a claim of kind {kind} needs the key {sorted(missing)[0]!r}; add it.")
    if surplus := own - NEEDED[kind] - ALLOWED[kind]:
        raise InputError(f"{where}: a claim of kind {kind} has no key {sorted(surplus)[0]!r}; leave it out.")
    _check_numbers(kind, given, where)
    if given.get("bound") and not (given.get("control") or given.get("by_construction")):
        raise InputError(f"{where}: a bound is kept by anything without `control`: name an algorithm that should not.")
    return Claim(
        id=name,
        paper=paper,
        selection=_selection(entry, where),
        rivals=_selections(entry, given.get("than", ()), where),
        controls=_selections(entry, given.get("control", ()), where),
        **{key: value for key, value in given.items() if key in Claim.__struct_fields__},
    )


def _check_numbers(kind: str, given: dict[str, Any], where: str) -> None:
    """Raise InputError if what is published is no number with which a result of this kind can be compared."""
    published = given.get("published", 1)
    if isinstance(published, str) and kind != "slope":
        raise InputError(f"{where}: published is {published!r}; write a number.")
    for key in ("published", "std"):
        _check_number(key, given.get(key, 0), where)
    if kind == "ratio" and published <= 0:
        raise InputError(f"{where}: published is {published!r}; a ratio of two results is above 0.")


def _check_number(key: str, value: Value, where: str) -> None:
    """Raise InputError if a value is a number that is NaN, or that nothing can be computed with."""
    if not isinstance(value, str) and not abs(value) <= LARGEST:
        raise InputError(f"{where}: {key} is {value!r}; write a number from -{LARGEST:g} to {LARGEST:g}.")


def _selections(entry: ClaimEntry, others: str | tuple[str | SelectionEntry, ...], where: str) -> tuple[Selection, ...]:
    """Return what a claim is compared with: titles and selections, which inherit the keys of the claim."""
    titles = (others,) if isinstance(others, str) else others
    given = (SelectionEntry(of=other) if isinstance(other, str) else other for other in titles)
    return tuple(_selection(_overlaid(entry, other), where) for other in given)


def _selection(entry: SelectionEntry, where: str) -> Selection:
    """Return an entry as a selection, of which the keys of claims are left out."""
    given = {key: getattr(entry, key, UNSET) for key in Selection.__struct_fields__}
    found = Selection(**{key: value for key, value in given.items() if value is not UNSET})
    for key, value in (*found.where.items(), *found.options.items()):
        for number in value if isinstance(value, list) else [value]:
            _check_number(key, number, where)
    return found
