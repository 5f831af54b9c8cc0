"""Claims of a paper in machine form, and its headlines. `manybandits.papers.claims_file` says how they are written.

A claim selects results (`Selection`) and makes a statement about them. Its kind is one of

value      a result equals a published number
order      one algorithm is better than others, or not worse
ratio      one result is a published multiple of another
slope      the slope of a result against a setting, both on log axes, equals a published one
equality   two results are equal

`manybandits.claims.rules` describes how each kind is judged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from manybandits.base.exceptions import pick
from manybandits.base.protocols import PAPER
from manybandits.papers.settings import Value

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
    "order": {"strictly", "published"},
    "ratio": {"bound", "control"},
    "slope": {"bound", "control"},
    "equality": set(),
}
"""The keys that it may have in addition."""
SPECIAL = {"than", "published", "against", "std", "strictly", "bound", "control"}
"""All keys that some kinds have and others have not."""

RANDOM = "Random"
"""The title of the algorithm that chooses arms at random, and has nothing to tune."""

REGRET, ERROR = "regret", "error"
"""What is measured of plays if a claim does not say it, and what is measured of regressions."""

Kind = Literal["value", "order", "ratio", "slope", "equality"]
Bound = Literal["at-most", "at-least"]
Where = dict[str, Value]
Options = dict[str, Value | list[Value]]


class Selection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The runs that a claim is about, and the measure that is taken of them."""

    of: str = ""  # the title of a run or an estimator; "" if the rows of a measurement have none
    where: Where = {}  # settings of the game, and the role of its data
    measure: str = REGRET  # a name in `manybandits.results.measures`, or a column of a measurement
    at: int | None = None  # after how many rounds; None: after all
    options: Options = {}  # a grid point; empty: the one chosen by tuning
    relative: str = ""  # divided by the same measure of the run of this title on the same game, seed by seed

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
        divided = f" relative to {self.relative}" if self.relative else ""
        return ", ".join([*([self.of + divided] if self.of else []), *parts])


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
    controls: tuple[Selection, ...] = ()
    copy_of: str = ""
    quoted: str = ""
    by_construction: str = ""
    theorem: str = ""
    outside: str = ""
    reading: str = PAPER
    because: str = ""  # the key of a reason
    untestable: str = ""

    @property
    def key(self) -> str:
        """The key of the claim in its paper's file."""
        return self.id.split(".")[1]

    @property
    def stands(self) -> str:
        """Why the claim stands apart from those that say something of their own; "" if it does not."""
        if self.copy_of:
            return f"copy of {self.copy_of}"
        if self.quoted:
            return f"quoted from {self.quoted}"
        return f"by construction: {self.by_construction}" if self.by_construction else ""


class Divergence(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A difference between the text of a paper and its released code or another reading."""

    key: str
    says: str
    touches: Annotated[tuple[str, ...], Meta(description="a list of keys of claims")]
    shown_by: Annotated[tuple[str, ...], Meta(description="a list of experiments")] = ()
    tested_by: Annotated[str, Meta(description="a file of tests")] = ""


class Headline(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an author would say in the abstract, the conclusion or the caption of a main figure, in our words.

    short: the same in a few words, for pictures; its key if empty. claims: keys of the claims that test it, with all
    their cells, or ids of single cells: ``table3``, ``table3.2``.
    """

    says: str
    short: Annotated[str, Meta(max_length=32, description="the same in at most 32 letters")] = ""
    place: Annotated[str, Meta(description="the place in the paper")]
    claims: Annotated[tuple[str, ...], Meta(min_length=1, description="a list of keys of claims")]
    holds_in: Annotated[int, Meta(ge=1, description="how many of the claims must hold")] | Literal["all", "first"] = (
        "all"
    )

    def members(self, claims: Sequence[Claim], where: str) -> list[str]:
        """Return the ids of the claims that test the headline; raise InputError naming one that does not exist."""
        found: list[str] = []
        known = {name for claim in claims for name in (claim.key, claim.id.split(".", 1)[1])}
        for wanted in self.claims:
            pick(wanted, known, f"claim ({where})")
            ids = [claim.id for claim in claims if wanted in (claim.key, claim.id.split(".", 1)[1])]
            found += dict.fromkeys(ids)
        return found


def without_reasons(claims: Sequence[Claim]) -> str:
    """Return claims as text without ``because``, which changes no verdict."""
    return repr([msgspec.structs.replace(claim, because="") for claim in claims])


def _shown(value: Value | list[Value]) -> str:
    return " or ".join(map(str, value)) if isinstance(value, list) else str(value)
