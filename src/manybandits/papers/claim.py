"""Claims as data: what a paper says, in machine form; the content of ``claims.yaml``.

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

Kind = Literal["value", "order", "ratio", "slope", "equality"]
Bound = Literal["at-most", "at-least"]
Where = dict[str, Value]
Options = dict[str, Value | list[Value]]


class Selection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which runs a claim speaks of, and what is measured on them."""

    of: str = ""  # the title of a run, an estimator; "" where the rows of a measurement have none
    where: Where = {}  # settings of the game, and the role of its data
    measure: str = "regret"
    at: int | None = None  # after how many rounds; None: all
    options: Options = {}  # a grid point; empty: the one that was chosen

    @property
    def name(self) -> str:
        """Words for a reader: the title, and what tells the selection apart."""
        return self.named({})

    def named(self, known: Mapping[str, Value | list[Value]]) -> str:
        """The name without what is known anyway: settings by name."""
        given = {**self.options, **self.where, **({"after round": self.at} if self.at else {})}
        parts = [
            f"{name} {_shown(value)}" for name, value in given.items() if name != "data" and known.get(name) != value
        ]
        return ", ".join([*([self.of] if self.of else []), *parts])


class Claim(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing that a paper says, under one reading."""

    id: str  # paper.key, or paper.key.1, paper.key.2, ... of cells
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
    """A selection as a file has it; what is not set is that of another entry, or the default."""

    of: Annotated[str, Meta(description="the title of a run")] | UnsetType = UNSET
    where: Annotated[Where, Meta(description="settings of the game and the role of its data")] | UnsetType = UNSET
    measure: Annotated[str, Meta(description="what is measured")] | UnsetType = UNSET
    at: Rounds | UnsetType = UNSET
    options: Annotated[Options, Meta(description="for each option its value")] | UnsetType = UNSET


Than = Annotated[
    str | Annotated[tuple[str | SelectionEntry, ...], Meta(min_length=1)],
    Meta(description="a title, or a list of titles and of what they are played on"),
]


class ClaimEntry(SelectionEntry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A claim as a file has it, or one of its cells or readings, which say only what differs."""

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
    reading: Annotated[str, Meta(description="what is read otherwise")] | UnsetType = UNSET
    because: Annotated[str, Meta(description="why it is not reproduced")] | UnsetType = UNSET
    untestable: Annotated[str, Meta(description="why it cannot be judged")] | UnsetType = UNSET
    also: Annotated[tuple[ClaimEntry, ...], Meta(min_length=1, description="a list of readings")] | UnsetType = UNSET
    cells: Annotated[tuple[ClaimEntry, ...], Meta(min_length=1, description="a list of what differs")] | UnsetType = (
        UNSET
    )


class Divergence(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What released code, or another reading, does otherwise than the text."""

    key: str
    says: str
    touches: Annotated[tuple[str, ...], Meta(description="a list of keys of claims")]
    shown_by: Annotated[tuple[str, ...], Meta(description="a list of experiments")] = ()
    tested_by: Annotated[str, Meta(description="a file of tests")] = ""


class ClaimsFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What ``claims.yaml`` of a paper may hold."""

    claims: Annotated[
        dict[
            Annotated[str, Meta(pattern="^[a-z0-9_]+$", description="lower-case letters, digits and _")],
            ClaimEntry,
        ],
        Meta(description="what the paper says, in machine form"),
    ]
    divergences: Annotated[
        tuple[Divergence, ...],
        Meta(description="a list of what released code, or another reading, does otherwise than the text"),
    ] = ()


Entry = TypeVar("Entry", bound=SelectionEntry)


def read_claims(file: ClaimsFile, paper: str, experiments: Collection[str], where: str) -> tuple[Claim, ...]:
    """Return the claims of a paper in the order of its file, each followed by its other readings.

    experiments: the keys that there are. where: the file, for errors. Raises InputError naming the claim for a key that
    its kind does not have, one that is missing, or an unknown experiment.
    """
    return tuple(
        _claim(reading, name, paper, experiments, f"{where}, claim {name}")
        for name, entry in entries(file, paper)
        for reading in _readings(entry)
    )


def entries(file: ClaimsFile, paper: str) -> Iterator[tuple[str, ClaimEntry]]:
    """Yield the id of every claim of a paper with all that is said of it; a cell with what it shares."""
    for key, entry in file.claims.items():
        shared = msgspec.structs.replace(entry, cells=UNSET)
        for number, cell in enumerate(entry.cells or (ClaimEntry(),), start=1):
            yield f"{paper}.{key}" + (f".{number}" if entry.cells else ""), _overlaid(shared, cell)


def without_reasons(claims: Sequence[Claim]) -> str:
    """Return claims as text without why they are not reproduced, which decides nothing."""
    return repr([msgspec.structs.replace(claim, because="") for claim in claims])


def _readings(entry: ClaimEntry) -> Iterator[ClaimEntry]:
    """Yield the claim as the paper has it, then each of its other readings; an explanation is that of one reading."""
    alone = msgspec.structs.replace(entry, also=UNSET, because=UNSET)
    yield msgspec.structs.replace(alone, because=entry.because or "", reading=PAPER)
    for other in entry.also or ():
        yield _overlaid(alone, other)


def _overlaid(entry: Entry, above: SelectionEntry) -> Entry:
    """Return an entry with what is set in another laid over it, and with the settings of both under ``where``."""
    where = {**(entry.where or {}), **(above.where or {})}
    return msgspec.structs.replace(entry, **{**_given(above), "where": where})


def _given(entry: SelectionEntry) -> dict[str, Any]:
    """Return what is set, by key."""
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
        raise InputError(f"{where}: {kind} needs the key {sorted(missing)[0]!r}; add it.")
    if surplus := own - NEEDED[kind] - ALLOWED[kind]:
        raise InputError(f"{where}: {kind} has no key {sorted(surplus)[0]!r}; leave it out.")
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
