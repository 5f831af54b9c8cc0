"""Verdicts under readings: a made game in which a claim holds exactly where one choice has one value."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from manybandits.claims.explained import explained
from manybandits.claims.plays import Plays
from manybandits.claims.readings import Judged, in_words, judge_readings
from manybandits.papers.claim import Headline
from manybandits.papers.files import read_paper
from manybandits.papers.openings import Admissible, Opening, readings
from manybandits.results.readings_table import FIXED
from manybandits.results.runs import load_run
from tests.planted.claims import LEAD, paper, plant, scale_of

NOISE = np.linspace(-1, 1, 10)
HEADLINE = Headline(says="It leads.", place="abstract", claims=("it",))


def opening(*values: str) -> Opening:
    first, *others = values
    changes = {value: Admissible(why="so", options={"club": {"alpha": 1}}) for value in others}
    return Opening(asks="?", place="p", values={first: Admissible(why="text"), **changes}, headlines=("best",))


OPENINGS = {
    "learners": opening("cluster", "served"),
    "data": opening("batch", "all", "half"),
    "start": opening("a", "b"),
}


@pytest.fixture
def table(tmp_path) -> pd.DataFrame:
    """M-CNB leads CLUB where the served user learns, and only there."""
    (claim,) = read_paper(paper(tmp_path, {"it": LEAD})).claims
    given = []
    for place, answers in enumerate(readings(OPENINGS, "best", "planted")):
        level = 100.0 if dict(answers).get("learners") == "served" else 300.0
        folder = tmp_path / str(place)
        runs = [plant(folder, "M-CNB", level + np.roll(NOISE, place)), plant(folder, "CLUB", 200 + NOISE)]
        evidence = Plays([load_run(run) for run in runs], scale_of(runs))
        given.append(Judged(answers, [claim], {"fig2": evidence}))
    return judge_readings(HEADLINE, OPENINGS, given)


def test_the_choice_that_decides_is_found_and_the_share_is_that_of_its_value(table):
    assert len(table) == 12
    assert list(table.columns) == [*FIXED, *OPENINGS]
    assert (table["verdict"] == "reproduced").sum() == 6
    assert ((table["verdict"] == "reproduced") == (table["learners"] == "served")).all()
    found = explained(table["effect"].astype(float).to_numpy(), table[list(OPENINGS)])
    assert found["choice"][0] == "learners"
    assert in_words(table, found) == "holds in 6 of 12 readings, fails in 6; what decides is learners"


def test_what_holds_in_nine_of_ten_readings_holds_whatever_the_reading(table):
    found = explained(table["effect"].astype(float).to_numpy(), table[list(OPENINGS)])
    same = table.assign(verdict=["reproduced"] * 11 + ["undecided"])
    assert in_words(same, found).endswith("fails in 0: whatever the reading")
    mirrored = table.assign(verdict=["not reproduced"] * 11 + ["undecided"])
    assert in_words(mirrored, found) == "holds in 0 of 12 readings, fails in 11: whatever the reading"
    assert in_words(table.assign(verdict="not testable here"), found) == "no reading could be judged"
