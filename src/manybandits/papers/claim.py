"""Claims of a paper in machine form: the content of ``claims.yaml``.

A claim selects results (`Selection`) and makes a statement about them. Its kind is one of

value      a result equals a published number
order      one algorithm is better than others, or not worse
ratio      one result is a published multiple of another
slope      the slope of a result against a setting, both on log axes, equals a published one
equality   two results are equal

``cells`` lists several claims with common keys: each entry overrides the keys above it. ``also`` lists other readings:
the claim is judged again under each, and those verdicts are shown but not counted. `manybandits.claims.judge` describes
how each kind is judged.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from manybandits.base.exceptions import InputError, pick
from manybandits.base.protocols import PAPER
from manybandits.papers.settings import Rounds, Value

NEEDED = {
    "value": {"published"},
    "order": {"than"},
    "ratio": {"than", "published"},
    "slope": {"against", "published"},
    "equality": {"than"},
}
"""The keys that a claim of each kind must have, besides those of its selection."""
ALLOWED = {
    "value": {"std"},
    "order": {"strictly"},
    "ratio": {"bound"},
    "slope": {"bound"},
    "equality": set(),
}
"""The keys that it may have in addition."""
SPECIAL = {"than", "published", "against", "std", "strictly", "bound"}
"""All keys that some kinds have and others have not."""

Kind = Literal["value", "order", "ratio", "slope", "equality"]
Bound = Literal["at-most", "at-least"]
Where = dict[str, Value]
Options = dict[str, Value | list[Value]]


class Selection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The runs that a claim is about, and the measure that is taken of them."""

    of: str = ""  # the title of a run or an estimator; "" if the rows of a measurement have none
    where: Where = {}  # settings of the game, and the role of its data
    measure: str = "regret"  # a name in `manybandits.results.measures`, or a column of a measurement
    at: int | None = None  # after how many rounds; None: after all
    options: Options = {}  # a grid point; empty: the one chosen by tuning

    @property
    def name(self) -> str:
        """The selection in words: the title and all settings that are selected."""
        return self.named({})

    def named(self, known: Mapping[str, Value | list[Value]]) -> str:
        """Return the selection in words, without the settings that are equal in `known`."""
        given = {**self.options, **self.where, **({"after round": self.at} if self.at else {})}
        parts = [
            f"{name} {_shown(value)}" for name, value in given.items() if name != "data" and known.get(name) != value
        ]
        return ", ".join([*([self.of] if self.of else []), *parts])


class Claim(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One claim of a paper under one reading."""

    id: str  # paper.key; with cells paper.key.1, paper.key.2, ...
    paper: str
    experiment: str
    place: str
    says: str
    kind: Kind
    selection: Selection
    rivals: tuple[Selection, ...] = ()
    published: Value | None = None  # a number, or the name of a stated rate
    std: float | None = None
    bound: Bound | Literal[""] = ""
    strictly: bool = True
    against: str = ""
    tolerance: float | None = None  # None: that of the measure, or of the kind
    reading: str = PAPER
    because: str = ""
    untestable: str = ""

    @property
    def key(self) -> str:
        """The key of the claim in its paper's file."""
        return self.id.split(".")[1]


class SelectionEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A selection as written in a file; a key that is not set has the value of the entry above it, or the default."""

    of: Annotated[str, Meta(description="the title of a run")] | UnsetType = UNSET
    where: Annotated[Where, Meta(description="settings of the game and the role of its data")] | UnsetType = UNSET
    measure: Annotated[str, Meta(description="what is measured")] | UnsetType = UNSET
    at: Rounds | UnsetType = UNSET
    options: Annotated[Options, Meta(description="for each option its value")] | UnsetType = UNSET


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
    tolerance: Annotated[float, Meta(ge=0, description="a share of the published number")] | UnsetType = UNSET
    reading: Annotated[str, Meta(description="what this reading takes differently")] | UnsetType = UNSET
    because: Annotated[str, Meta(description="why it is not reproduced")] | UnsetType = UNSET
    untestable: Annotated[str, Meta(description="why it cannot be judged")] | UnsetType = UNSET
    also: Annotated[tuple[ClaimEntry, ...], Meta(min_length=1, description="a list of readings")] | UnsetType = UNSET
    cells: Annotated[tuple[ClaimEntry, ...], Meta(min_length=1, description="a list of differing keys")] | UnsetType = (
        UNSET
    )


class Divergence(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A difference between the text of a paper and its released code or another reading."""

    key: str
    says: str
    touches: Annotated[tuple[str, ...], Meta(description="a list of keys of claims")]
    shown_by: Annotated[tuple[str, ...], Meta(description="a list of experiments")] = ()
    tested_by: Annotated[str, Meta(description="a file of tests")] = ""


class ClaimsFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of ``claims.yaml``."""

    claims: Annotated[
        dict[
            Annotated[str, Meta(pattern="^[a-z0-9_]+$", description="lower-case letters, digits and _")],
            ClaimEntry,
        ],
        Meta(description="the claims of the paper, by key"),
    ]
    divergences: Annotated[
        tuple[Divergence, ...],
        Meta(description="a list of differences between the text and released code or another reading"),
    ] = ()


Entry = TypeVar("Entry", bound=SelectionEntry)


def read_claims(file: ClaimsFile, paper: str, experiments: Collection[str], where: str) -> tuple[Claim, ...]:
    """Return the claims of a paper in the order of its file, each followed by its other readings.

    experiments: the keys of the paper's experiments. where: the file, for messages. Raises InputError naming the claim
    if a key is missing or is not one of its kind, or if its experiment is unknown.
    """
    return tuple(
        _claim(reading, name, paper, experiments, f"{where}, claim {name}")
        for name, entry in entries(file, paper)
        for reading in _readings(entry)
    )


def entries(file: ClaimsFile, paper: str) -> Iterator[tuple[str, ClaimEntry]]:
    """Yield the id and the entry of every claim; a cell is merged with the keys that all cells share."""
    for key, entry in file.claims.items():
        shared = msgspec.structs.replace(entry, cells=UNSET)
        for number, cell in enumerate(entry.cells or (ClaimEntry(),), start=1):
            yield f"{paper}.{key}" + (f".{number}" if entry.cells else ""), _overlaid(shared, cell)


def without_reasons(claims: Sequence[Claim]) -> str:
    """Return claims as text without ``because``, which changes no verdict."""
    return repr([msgspec.structs.replace(claim, because="") for claim in claims])


def _readings(entry: ClaimEntry) -> Iterator[ClaimEntry]:
    """Yield the claim as the paper makes it, then its other readings; ``because`` is not inherited by them."""
    alone = msgspec.structs.replace(entry, also=UNSET, because=UNSET)
    yield msgspec.structs.replace(alone, because=entry.because or "", reading=PAPER)
    for other in entry.also or ():
        yield _overlaid(alone, other)


def _overlaid(entry: Entry, above: SelectionEntry) -> Entry:
    """Return an entry updated by the keys set in `above`; ``where`` has the settings of both."""
    where = {**(entry.where or {}), **(above.where or {})}
    return msgspec.structs.replace(entry, **{**_given(above), "where": where})


def _given(entry: SelectionEntry) -> dict[str, Any]:
    """Return the keys that are set, with their values."""
    return {key: value for key, value in msgspec.structs.asdict(entry).items() if value is not UNSET}


def _claim(entry: ClaimEntry, name: str, paper: str, experiments: Collection[str], where: str) -> Claim:
    given = _given(entry)
    for key in ("place", "says", "kind", "experiment", "reading"):
        if key not in given:
            raise InputError(f"{where}: the key {key!r} is missing; add it.")
    kind = given["kind"]
    pick(given["experiment"], experiments, f"experiment ({where})")
    own = SPECIAL & given.keys()
    if missing := NEEDED[kind] - own:
        raise InputError(f"{where}: a claim of kind {kind} needs the key {sorted(missing)[0]!r}; add it.")
    if surplus := own - NEEDED[kind] - ALLOWED[kind]:
        raise InputError(f"{where}: a claim of kind {kind} has no key {sorted(surplus)[0]!r}; leave it out.")
    than = given.get("than", ())
    return Claim(
        id=name,
        paper=paper,
        selection=_selection(entry),
        rivals=tuple(
            _selection(_overlaid(entry, SelectionEntry(of=rival) if isinstance(rival, str) else rival))
            for rival in ((than,) if isinstance(than, str) else than)
        ),
        **{key: value for key, value in given.items() if key in Claim.__struct_fields__},
    )


def _selection(entry: SelectionEntry) -> Selection:
    return Selection(**{key: value for key, value in _given(entry).items() if key in Selection.__struct_fields__})


def _shown(value: Value | list[Value]) -> str:
    return " or ".join(map(str, value)) if isinstance(value, list) else str(value)
