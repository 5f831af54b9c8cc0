"""The readings of headlines as pages show them: verdicts under each reading, and what each choice explains.

A reading answers all questions that a paper leaves open. Pages call it a set-up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import Any

import pandas as pd
from msgspec import UNSET
from msgspec.structs import asdict

from manybandits.base.exceptions import pick
from manybandits.claims.readings import setups_in
from manybandits.claims.sentences import setups_sentence
from manybandits.claims.verdict import AND, Answer, SetUps, count
from manybandits.papers.openings import Admissible, OpenChoice, touching
from manybandits.report.inputs import ReportedPaper
from manybandits.results.readings_table import (
    CHOICES,
    FIGURES,
    files_of,
    questions_of,
    read_choices,
    read_readings,
)

PHRASES = HOLDING, FAILING, MIXED, ONE_SIDED, UNJUDGED = (
    ("holds in nearly all set-ups", "hold in nearly all set-ups"),
    ("fails in nearly all set-ups", "fail in nearly all set-ups"),
    ("holds in some set-ups and fails in others", "hold in some set-ups and fail in others"),
    (
        "has the same answer in some set-ups and is inconclusive in the others",
        "have the same answer in some set-ups and are inconclusive in the others",
    ),
    ("could not be judged in any set-up",) * 2,
)
"""How often a headline holds, as is said of one and of several."""
LEAST_SHARE, MOST_CHOICES = 0.01, 12
"""Choices that explain less, and those after that many, are in the CSV only."""


@dataclass(frozen=True)
class HeadlineReadings:
    """The readings of a headline. table: of readings; choices: what each explains; picture: its curve.

    Another run's readings may have no picture here: pictures are committed with a release alone.
    """

    paper: ReportedPaper
    key: str
    table: pd.DataFrame
    choices: pd.DataFrame
    files: tuple[Path, Path]  # of the readings, and of the choices
    picture: Path | None = None

    @property
    def headline(self) -> str:
        return f"{self.paper.key}.{self.key}"

    @property
    def name(self) -> str:
        """Its name in those of files."""
        return f"{self.paper.key}_{self.key}"

    @property
    def says(self) -> str:
        return self.paper.content.headlines[self.key].says

    @property
    def openings(self) -> dict[str, OpenChoice]:
        """The choices that touch it, by question; those that explain most come first."""
        known = touching(self.paper.content.openings, self.key)
        return {key: known[key] for key in self.choices["choice"] if key in questions_of(self.table)}

    @property
    def often(self) -> tuple[str, str]:
        """How often it holds: one of `PHRASES`."""
        setups = self.setups
        if not setups.judged:
            return UNJUDGED
        if setups.nearly_all is not None:
            return HOLDING if setups.nearly_all is Answer.HOLDS else FAILING
        return MIXED if setups.holds and setups.fails else ONE_SIDED

    @property
    def answer(self) -> Answer:
        """That of the reading as written."""
        return Answer(self.table["answer"].iloc[0])

    @property
    def setups(self) -> SetUps:
        """In how many readings it holds, and what decides."""
        return setups_in(self.table, self.choices)

    @property
    def sentence(self) -> str:
        shares = dict(zip(self.choices["choice"], self.choices["share"], strict=True))
        words = setups_sentence(self.setups, shares, {key: f'"{one.asks}"' for key, one in self.openings.items()})
        return f"{words[0].upper()}{words[1:]}."

    @property
    def limits(self) -> str:
        """The limits under the reading as written."""
        return str(self.table["limits"].iloc[0])

    @property
    def unjudged(self) -> int:
        """How many readings could not be judged, where others could: the table has the reasons among its limits."""
        setups = self.setups
        return setups.played - setups.judged if setups.judged else 0

    @property
    def at_chance(self) -> dict[str, int]:
        """For each algorithm that some readings leave no better than Random, in how many they do; most first."""
        named = [name for names in self.table["chance"] for name in str(names).split(", ") if name]
        return {name: named.count(name) for name in sorted(set(named), key=lambda name: (-named.count(name), name))}

    @property
    def explaining(self) -> list[dict[str, Any]]:
        """What explains the effect, largest share first: the question or pair in words, and numbers in %.

        sure: whether it explains more than the best of as many choices, or pairs, does by chance.
        """
        shown = []
        for row in self.choices[self.choices["share"] >= LEAST_SHARE].head(MOST_CHOICES).to_dict("records"):
            percent = {name: "" if isnan(row[name]) else f"{100 * row[name]:.0f}" for name in CHOICES[1:]}
            words, sure = row["choice"].replace("_", " "), row["share"] > row["chance"]
            shown.append({"words": words, "pair": AND in row["choice"], "sure": sure, **percent})
        return shown

    @property
    def counts(self) -> dict[Answer, int]:
        """How many readings have each answer, in the order of `Answer`, without those that none has."""
        return {answer: n for answer, n in count(map(Answer, self.table["answer"])).items() if n}

    @property
    def strip(self) -> list[tuple[str, Answer]]:
        """The readings sorted by effect, those without one last: name and answer."""
        rows = self.table.sort_values(["effect", "reading"], kind="stable")
        return [(name, Answer(answer)) for name, answer in zip(rows["reading"], rows["answer"], strict=True)]


def changes_of(value: Admissible) -> list[str]:
    """Return what an answer changes, as in ``open.yaml``: ``m_cnb learners = served``."""
    options = [f"{name} {key} = {_list(one)}" for name, given in value.options.items() for key, one in given.items()]
    settings = [(key, one) for key, one in asdict(value.settings).items() if one is not UNSET]
    changed = [f"{key} = {_list(one)}" for key, one in (*value.with_.items(), *settings)]
    return [*options, *changed]


def _list(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def read_readings_of(
    folder: Path, names: Sequence[str], papers: Sequence[ReportedPaper]
) -> dict[str, HeadlineReadings]:
    """Return the readings of some headlines: paper.headline -> its readings, in the order of the papers.

    folder: of the report that has them; names: paper_headline. Raises InputError naming a headline or choice that the
    files of the papers do not have, or a file that is missing.
    """
    known = {f"{paper.key}_{key}": (paper, key) for paper in papers for key in paper.content.headlines}
    for name in names:
        pick(name, known, f"headline with readings in {folder}")
    found = {}
    for name in (name for name in known if name in names):
        paper, key = known[name]
        readings, choices = files_of(folder, f"{paper.key}.{key}")
        picture = folder / f"{FIGURES}{name}.svg"
        one = HeadlineReadings(
            paper,
            key,
            read_readings(readings),
            read_choices(choices),
            (readings, choices),
            picture if picture.is_file() else None,
        )
        _check(one)
        found[one.headline] = one
    return found


def _check(one: HeadlineReadings) -> None:
    """Raise InputError unless all answers are known, and every choice has its share."""
    path, choices = one.files
    for answer in set(one.table["answer"]):
        pick(answer, [known.value for known in Answer], f"answer on {one.headline} in {path}")
    known = touching(one.paper.content.openings, one.key)
    for question in questions_of(one.table):
        opening = known[pick(question, known, f"choice of {one.headline} in {path}")]
        for answer in set(one.table[question]):
            pick(answer, opening.values, f"answer to {question} in {path}")
        pick(question, one.choices["choice"], f"choice in {choices}")
    for key in (key for choice in one.choices["choice"] for key in choice.split(AND)):
        pick(key, questions_of(one.table), f"choice of {one.headline} in {choices}")
