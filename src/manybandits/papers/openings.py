"""What a paper leaves open, and the readings of it: the content of ``open.yaml`` (VERDICTS, section 4).

A choice is a question with admissible values, each with the reason why it is admissible and with what it changes:
options of algorithms, settings of the game or of the play, or whose code plays. The first value is the default,
which the paper's experiments have; it changes nothing. A reading answers every question that touches a headline. The
set of readings of a headline has the default, every single change of it, and a seeded sample of the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import Annotated

from msgspec import Meta, Struct, field

from manybandits.base.exceptions import pick
from manybandits.base.protocols import AS_WRITTEN
from manybandits.base.seeds import stream
from manybandits.papers.claim import Key
from manybandits.papers.experiment import With
from manybandits.papers.settings import Changes, Value

MOST = 64
"""Readings of a headline, where there are so many."""

Reading = tuple[tuple[str, str], ...]
"""The answers that differ from the default, as pairs of question and value, in the order of the questions."""


class Admissible(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A value of a choice: why it is admissible, and what it changes."""

    why: str
    options: Annotated[
        dict[str, dict[str, Value | list[Value]]], Meta(description="for an algorithm, its options and their values")
    ] = {}
    with_: With = field(name="with", default_factory=dict)
    instead: Annotated[
        dict[str, str], Meta(description="for an algorithm, the one that plays in its place, which has no options")
    ] = {}
    settings: Changes = Changes()

    @property
    def changes_nothing(self) -> bool:
        """Whether it is what the experiments do anyway."""
        return self == Admissible(why=self.why)


class OpenChoice(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A choice that the text leaves open, or on which text and code differ."""

    asks: Annotated[str, Meta(description="a question")]
    place: Annotated[str, Meta(description="the place in the paper or its code")]
    values: Annotated[
        dict[str, Admissible], Meta(min_length=2, description="two admissible values or more, the default first")
    ]
    headlines: Annotated[tuple[str, ...], Meta(min_length=1, description="the headlines that it may touch")]

    def __post_init__(self) -> None:
        """Raise ValueError unless the first value alone changes nothing."""
        first, *others = self.values
        if not self.values[first].changes_nothing:
            raise ValueError(f"has the default {first!r}, which changes something: put what experiments do first.")
        if same := [name for name in others if self.values[name].changes_nothing]:
            raise ValueError(f"has the value {same[0]!r}, which changes nothing: say what it changes.")

    @property
    def default(self) -> str:
        return next(iter(self.values))


class OpenFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of ``open.yaml``."""

    open: Annotated[
        dict[Key, OpenChoice], Meta(min_length=1, description="the choices that the paper leaves open, by key")
    ]


def touching(openings: Mapping[str, OpenChoice], headline: str) -> dict[str, OpenChoice]:
    """Return the choices that may touch a headline."""
    return {key: one for key, one in openings.items() if headline in one.headlines}


def readings(openings: Mapping[str, OpenChoice], headline: str, paper: str, most: int = MOST) -> list[Reading]:
    """Return the set of readings of a headline: the default, single changes, and a sample of all others.

    All single changes are in the set, even if they are more than `most`. The sample depends on nothing but the paper
    and its choices, so that a set is the same wherever it is made. It is drawn for all headlines of a paper at once, of
    which each takes the answers to its own choices, so that headlines about the same plays share them.
    """
    asked = touching(openings, headline)
    singles = [((key, value),) for key, one in asked.items() for value in list(one.values)[1:]]
    chosen: dict[Reading, None] = dict.fromkeys([(), *singles])
    free = {key: list(one.values) for key, one in openings.items()}
    if prod(len(free[key]) for key in asked) <= most:
        for values in product(*(free[key] for key in asked)):
            chosen.setdefault(_differing(asked, values))
        return list(chosen)
    random = stream("readings", paper)
    while len(chosen) < most:
        drawn = {key: values[random.integers(len(values))] for key, values in free.items()}
        chosen.setdefault(_differing(asked, [drawn[key] for key in asked]))
    return list(chosen)


def reading_of(openings: Mapping[str, OpenChoice], headline: str, answers: Mapping[str, str]) -> Reading:
    """Return the reading of a headline with some answers; those that do not touch it play no part.

    Raises InputError naming a question or a value that does not exist, and the nearest one that does.
    """
    for key, value in answers.items():
        pick(value, openings[pick(key, openings, "question")].values, f"answer to {key!r}")
    asked = touching(openings, headline)
    return _differing(asked, [answers.get(key, one.default) for key, one in asked.items()])


def name_of(reading: Reading) -> str:
    """Return a reading in words: ``learners = served; first = own``."""
    return "; ".join(f"{key} = {value}" for key, value in reading) or AS_WRITTEN


def answers_in(name: str) -> dict[str, str]:
    """Return the answers of a reading from its name, as `name_of` returns it: question -> value.

    >>> answers_in("learners = served; first = own")
    {'learners': 'served', 'first': 'own'}
    """
    return dict(change.split(" = ") for change in name.split("; ") if " = " in change)


def _differing(asked: Mapping[str, OpenChoice], answers: Sequence[str]) -> Reading:
    """Return the answers, one for each question, that differ from the default."""
    pairs = zip(asked.items(), answers, strict=True)
    return tuple((key, answer) for (key, one), answer in pairs if answer != one.default)
