"""The answer of a run: what the front page says of every headline, in a matrix, a sentence and a picture."""

from __future__ import annotations

import re
from types import SimpleNamespace
from xml.etree import ElementTree

import pandas as pd
import pytest

from manybandits.papers.claim import Headline as PaperHeadline
from manybandits.report.matrix import DEPENDING, FAILS, HOLDS, NEAR, OPEN, Entry, released_verdict, sentence
from manybandits.report.picture import colours_of, picture
from manybandits.report.readings import STEADY, HeadlineReadings
from manybandits.results.readings_table import ALL, DEPENDS, MOSTLY, NEVER
from manybandits.results.verdict_table import (
    CONTRADICTED,
    NOT,
    OUTSIDE,
    REPRODUCED,
    SUPPORTED,
    UNDECIDED,
    UNTESTABLE,
    VERDICTS,
)
from manybandits.results.verdict_table import (
    NEAR as NEAR_MISS,
)
from tests.report.markup import words_of


class Judged(dict):
    """A headline with its key and verdict."""

    key = "more_regret"


def entry(verdict: str, word: str = "", alone: bool = False) -> Entry:
    """Return a headline of which 41 of 64 readings hold. word: on its readings, "" if none were played."""
    summary = {"word": ALL if word in STEADY else word, "judged": "64", "holds": "41", "fails": "9"}
    paper = SimpleNamespace(key="first")
    read = HeadlineReadings(paper, "more_regret", summary, pd.DataFrame(), [], ()) if word else None
    if word == STEADY[1]:
        summary |= {"holds": "9", "fails": "41"}
    return Entry(Judged(verdict=verdict, says="It is <best>"), "more regret", "", read, alone)


@pytest.mark.parametrize(
    ("verdict", "word", "outcome"),
    [
        *((verdict, "", HOLDS) for verdict in (REPRODUCED, SUPPORTED)),
        *((verdict, "", FAILS) for verdict in (CONTRADICTED, NOT)),
        *((verdict, "", OPEN) for verdict in (UNDECIDED, OUTSIDE, UNTESTABLE)),
        (NEAR_MISS, "", NEAR),
        (REPRODUCED, STEADY[0], HOLDS),
        (NOT, STEADY[1], FAILS),
        *((verdict, word, DEPENDING) for verdict in (SUPPORTED, UNDECIDED, NOT) for word in (DEPENDS, MOSTLY)),
        (
            UNDECIDED,
            STEADY[0],
            OPEN,
        ),  # readings are played at a part of the size: they decide nothing that the run does not
        (UNTESTABLE, DEPENDS, OPEN),
        (SUPPORTED, NEVER, HOLDS),
    ],
)
def test_a_headline_depends_on_a_choice_if_its_readings_say_so_and_else_its_verdict_decides(verdict, word, outcome):
    assert entry(verdict, word).outcome == outcome


@pytest.mark.parametrize(("holds", "fails"), [("0", "6"), ("7", "0")])
@pytest.mark.parametrize(("verdict", "outcome"), [(NOT, FAILS), (UNDECIDED, OPEN), (SUPPORTED, HOLDS)])
def test_no_headline_depends_on_a_choice_that_never_turns_it(verdict, outcome, holds, fails):
    for word in (DEPENDS, MOSTLY):
        found = entry(verdict, word)
        found.readings.summary.update(holds=holds, fails=fails)
        assert found.outcome == outcome


def test_the_answer_counts_every_headline_once():
    matrix = {
        "first": [entry(REPRODUCED, STEADY[0]), entry(SUPPORTED), entry(NOT, STEADY[1]), entry(SUPPORTED, DEPENDS)],
        "second": [entry(NEAR_MISS), entry(UNDECIDED), entry(UNTESTABLE)],
        "third": [],
    }
    assert sentence(matrix) == (
        "Of 7 headline claims of two papers, 2 hold (1 whatever the reading), 1 depends on a choice that the text "
        "leaves open, 1 is a near miss, 1 fails whatever the reading and 2 cannot be decided here."
    )
    assert sum(map(int, re.findall(r"(?<!Of )(?<!\()\b\d+\b", sentence(matrix)))) == 7


def claim(written: str, released: str | None) -> SimpleNamespace:
    row = {"claim": "first.a", "verdict": written, "reading": "paper", "p": "", "limits": "fewer rounds", "reason": ""}
    others = [row | {"reading": "released", "verdict": released}] if released else []
    return SimpleNamespace(row=row, others=[row | {"reading": "user hidden"}, *others])


@pytest.mark.parametrize(
    ("released", "verdict"),
    [((SUPPORTED, CONTRADICTED), CONTRADICTED), ((SUPPORTED, SUPPORTED), SUPPORTED), ((SUPPORTED, None), "")],
)
def test_the_released_code_is_judged_on_the_claims_of_the_run_if_all_were_played_so(released, verdict):
    asked = PaperHeadline(says="It is best", place="Abstract", claims=("a",))
    paper = SimpleNamespace(content=SimpleNamespace(headlines={"best": asked}))
    headline = SimpleNamespace(key="best", members=[claim(UNDECIDED, one) for one in released])
    assert released_verdict(paper, headline, None) == verdict


@pytest.mark.parametrize(("verdict", "said"), [(SUPPORTED, "holds"), (NOT, "fails")])
def test_whatever_the_reading_is_said_only_if_the_readings_answer_as_the_verdict_does(verdict, said):
    for word, alone in (("", False), ("", True), (STEADY[said == "holds"], False)):
        assert sentence({"first": [entry(verdict, word, alone)]}).endswith(f" {said}.")
    told = sentence({"first": [entry(verdict, STEADY[said == "fails"])]})
    assert told.endswith(f" {said} whatever the reading.")


def test_without_readings_the_answer_does_not_speak_of_them():
    assert sentence({"first": [entry(SUPPORTED)]}) == "Of 1 headline claim of one paper, 1 holds."
    assert sentence({"first": []}) == ""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_picture_has_a_tile_for_each_headline_with_its_sentence_as_title(scheme):
    matrix = {"first": [entry(verdict, STEADY[0]) for verdict in VERDICTS], "second": [entry(NOT)], "third": []}
    drawn = picture(matrix, {"first": "First & last", "second": "Second"}, "An <answer>.", scheme)
    tree = ElementTree.fromstring(drawn)
    space = "{http://www.w3.org/2000/svg}"
    titles = [title.text for title in tree.iter(f"{space}title")]
    assert titles[0] == "An <answer>."
    assert [title for title in titles if title.endswith("It is <best>")] == [
        f"{verdict}: It is <best>" for verdict in (*VERDICTS, NOT)
    ]
    assert drawn.count("41 of 64") == len(VERDICTS)
    assert "more regret" in words_of(drawn)
    assert len(list(tree.iter(f"{space}svg"))) == 1 + 9 + 4  # tiles, and the key of what they say: none depends
    assert picture(matrix, {"first": "First & last", "second": "Second"}, "An <answer>.", scheme) == drawn


def test_the_schemes_of_the_picture_are_those_of_the_site():
    light, dark = colours_of("light"), colours_of("dark")
    assert light.keys() == dark.keys() >= {"ink", "page", "quiet", "line", *(f"v{n}" for n in range(len(VERDICTS)))}
    assert int(light["page"][1:3], 16) > 200 > 60 > int(dark["page"][1:3], 16)
