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

from manybandits.base.exceptions import InputError, pick
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

Key = Annotated[str, Meta(pattern=r"^[a-z0-9_]+\Z", description="lower-case letters, digits and _")]
"""The key of a claim, a headline, a control or an open choice."""
Kind = Literal["value", "order", "ratio", "slope", "equality"]
Bound = Literal["at-most", "at-least"]
ControlKind = Literal["mechanism", "alike", "plain"]
"""What a control switches off or equalises: the method's own mechanism; how its rivals are trained and tuned; or all of
it, as a plain bandit that the paper leaves out."""
Where = dict[str, Value]
Options = dict[str, Value | list[Value]]


class Selection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The runs that a claim is about, and the measure that is taken of them."""

    of: str = ""  # the title of a run or an estimator; "" if the rows of a measurement have none
    where: Where = {}  # settings of the game, and the role of its data
    measure: str = REGRET  # a name in `manybandits.results.measures`, or a column of a measurement
    at: int | None = None  # after how many rounds; None: after all
    options: Options = {}  # a grid point; empty: the one chosen by tuning
    relative: str = ""  # divided by the same measure of the run of this title on the same game, seed by seed

    def words(self, known: Mapping[str, Value | list[Value]] | None = None) -> str:
        """Return what is selected besides the title, in words, without the settings that are equal in `known`."""
        given = {**self.options, **self.where, **({"after round": self.at} if self.at else {})}
        known = known or {}
        return ", ".join(
            _shown(value) if name == "part" else f"{name} {_shown(value)}"  # a part of a round is called by its name
            for name, value in given.items()
            if name != "data" and known.get(name) != value
        )


class Claim(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
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
    code: str = ""  # of a public pair of a game and an algorithm: the version of the authors' code
    because: str = ""  # the key of a reason
    untestable: str = ""

    @property
    def key(self) -> str:
        """The key of the claim in its paper's file."""
        return self.id.split(".")[1]

    @property
    def compared(self) -> tuple[Selection, ...]:
        """What is judged: its own runs, and those of its rivals."""
        return (self.selection, *self.rivals)

    @property
    def selections(self) -> tuple[Selection, ...]:
        """All runs that it speaks of: those that are compared, and controls."""
        return (*self.compared, *self.controls)

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


class Control(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A control: is it the method that carries a headline (VERDICTS, section 1)?

    It is a run that the method of the headline must beat, and is chosen before its results are known. of: the titles of
    the runs, of which the best counts; or, where the method has several versions, the run for each of these. code: the
    version of the authors' code that it controls; "" for the text.
    """

    kind: ControlKind
    says: Annotated[str, Meta(description="what it switches off or equalises")]
    of: Annotated[
        Annotated[tuple[str, ...], Meta(min_length=1)] | Annotated[dict[str, str], Meta(min_length=1)],
        Meta(description="a list of titles of runs, or one for each version of the method"),
    ]
    headlines: Annotated[tuple[str, ...], Meta(min_length=1, description="the headlines that it belongs to")]
    code: Annotated[str, Meta(description="the version of the authors' code")] = ""

    def runs_for(self, method: str) -> tuple[str, ...]:
        """Return the titles of the runs that a run of the method must beat; none if they are for other versions."""
        if isinstance(self.of, dict):
            return (self.of[method],) if method in self.of else ()
        return self.of


class Reply(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an author of the paper answered to a verdict."""

    by: str
    date: Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}\Z", description="a date such as '2026-11-27'")]
    says: str


class Headline(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What an author would say in the abstract, the conclusion or the caption of a main figure, in our words.

    short: the same in a few words, for pictures; its key if empty. claims: keys of the claims that test it, with all
    their cells, or ids of single cells: ``table3``, ``table3.2``. without_controls: why it needs no controls, if it
    does not say that a method is better than others.
    """

    says: str
    short: Annotated[str, Meta(max_length=32, description="the same in at most 32 letters")] = ""
    place: Annotated[str, Meta(description="the place in the paper")]
    claims: Annotated[tuple[str, ...], Meta(min_length=1, description="a list of keys of claims")]
    holds_in: Annotated[int, Meta(ge=1, description="how many of the claims must hold")] | Literal["all", "first"] = (
        "all"
    )
    without_controls: Annotated[str, Meta(description="why it needs no controls")] = ""
    replies: Annotated[tuple[Reply, ...], Meta(description="a list of what authors answered")] = ()

    def members(self, claims: Sequence[Claim], where: str) -> list[str]:
        """Return the ids of the claims that test the headline; raise InputError naming one that does not exist."""
        ids: dict[str, dict[str, None]] = {}  # of the claims behind each name, once each although they have readings
        for claim in claims:
            for name in (claim.key, claim.id.split(".", 1)[1]):
                ids.setdefault(name, {})[claim.id] = None
        found = [one for name in self.claims for one in ids[pick(name, ids, f"claim ({where})")]]
        if isinstance(self.holds_in, int) and self.holds_in > len(found):
            raise InputError(
                f"{where}: holds_in is {self.holds_in}, and it has {len(found)} claims; write fewer, or all."
            )
        return found


def judged_text(claims: Sequence[Claim], headlines: Mapping[str, Headline], controls: Mapping[str, Control]) -> str:
    """Return as text all that is read of a paper to judge some claims: not ``because``, which changes no verdict."""
    tested = {key: (one.claims, one.holds_in) for key, one in headlines.items()}
    return repr([[msgspec.structs.replace(claim, because="") for claim in claims], tested, controls])


def _shown(value: Value | list[Value]) -> str:
    """Return a value in words: a long whole number with commas, of four values or more the first and the last."""
    if isinstance(value, list):
        shown = [_shown(one) for one in value]
        return f"{shown[0]} ... {shown[-1]}" if len(shown) > 3 else " or ".join(shown)
    return f"{value:,}" if isinstance(value, int) and abs(value) >= 10_000 else str(value)
