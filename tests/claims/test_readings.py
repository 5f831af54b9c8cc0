"""Verdicts under readings: a made game in which a claim holds exactly where one choice has one value."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from manybandits.base.table_files import save_csv
from manybandits.claims.explained import explained
from manybandits.claims.plays import Plays
from manybandits.claims.readings import Judged, errors_of, judge_readings, main, read_setups, setups_in, summary
from manybandits.claims.sentences import setups_sentence
from manybandits.papers.claim import Headline
from manybandits.papers.files import read_paper
from manybandits.papers.openings import Admissible, OpenChoice, readings
from manybandits.results.readings_table import FIXED, SUMMARIES, SUMMARY, files_of, headlines_in
from manybandits.results.runs import load_run
from tests.planted.claims import FAILS, HOLDS, LEAD, OUTSIDE, UNCLEAR, UNTESTABLE, paper, plant, scale_of

NOISE = np.linspace(-1, 1, 10)
HEADLINE = Headline(says="It leads.", place="abstract", claims=("it",))


def opening(*values: str) -> OpenChoice:
    first, *others = values
    changes = {value: Admissible(why="so", options={"club": {"alpha": 1}}) for value in others}
    return OpenChoice(asks="?", place="p", values={first: Admissible(why="text"), **changes}, headlines=("best",))


OPENINGS = {
    "learners": opening("cluster", "served"),
    "data": opening("batch", "all", "half"),
    "start": opening("a", "b"),
}


def judged(folder, claims, regrets: dict, answers=(), power: float = 1.0, **game) -> Judged:
    """Return claims beside run tables with these final regrets, of which that of M-CNB grows as a power of t."""
    powers = {"M-CNB": power}
    runs = [plant(folder, title, last, power=powers.get(title, 1.0), **game) for title, last in regrets.items()]
    return Judged(answers, claims, {"fig2": Plays([load_run(run) for run in runs], scale_of(runs))})


LEADS = {"M-CNB": 100 + NOISE, "CLUB": 200 + NOISE}


@pytest.fixture
def table(tmp_path) -> pd.DataFrame:
    """M-CNB leads CLUB where the served user learns, and only there."""
    (claim,) = read_paper(paper(tmp_path, {"it": LEAD})).claims
    given = []
    for place, answers in enumerate(readings(OPENINGS, "best", "planted")):
        level = 100.0 if dict(answers).get("learners") == "served" else 300.0
        regrets = {**LEADS, "M-CNB": level + np.roll(NOISE, place)}
        given.append(judged(tmp_path / str(place), [claim], regrets, answers=answers))
    return judge_readings(HEADLINE, OPENINGS, given)


def test_the_choice_that_decides_is_found_and_the_share_is_that_of_its_value(table):
    assert len(table) == 12
    assert list(table.columns) == [*FIXED, *OPENINGS]
    assert (table["answer"] == HOLDS.value).sum() == 6
    assert ((table["answer"] == HOLDS.value) == (table["learners"] == "served")).all()
    found = explained(table["effect"].astype(float).to_numpy(), table[list(OPENINGS)], errors_of(table))
    assert found["choice"][0] == "learners"
    said = "the variation is best explained by learners"
    assert setups_sentence(setups_in(table, found)) == f"holds in 6 of 12 set-ups and fails in 6; {said}"
    undecided = table.assign(answer=table["answer"].replace(HOLDS.value, UNCLEAR.value))
    said = setups_sentence(setups_in(undecided, found))
    assert said == "holds in 0 of 12 set-ups and fails in 6; the size of its effect is best explained by learners"


def test_what_holds_in_nine_of_ten_readings_holds_whatever_the_reading(table):
    found = explained(table["effect"].astype(float).to_numpy(), table[list(OPENINGS)], errors_of(table))

    def said(answers) -> tuple[str, str]:
        judged = table.assign(answer=answers)
        return setups_sentence(setups_in(judged, found)), summary("planted.best", judged, found)["word"]

    same = "same in nearly all"
    assert said([HOLDS.value] * 11 + [UNCLEAR.value]) == ("holds in 11 of 12 set-ups and fails in 0", same)
    assert said([FAILS.value] * 11 + [UNCLEAR.value]) == ("holds in 0 of 12 set-ups and fails in 11", same)
    assert said(UNTESTABLE.value) == ("could not be judged in any set-up", "not judged")


def test_the_summary_is_made_from_the_tables_alone(table, tmp_path):
    (path, choices), out = files_of(tmp_path, "planted.best"), tmp_path / SUMMARIES
    save_csv(path, table)
    main(["explain", "--headline", "planted.best", "--readings", str(path), "--out", str(choices)])
    main(["gather", "--choices", str(choices), "--out", str(out)])
    assert headlines_in(tmp_path) == ["planted.best"]
    assert out.read_text() == f"{','.join(SUMMARY)}\nplanted.best,fails,12,12,6,6,depends on,learners\n"
    read, setups = read_setups(tmp_path, "planted.best")
    assert (setups.holds, setups.fails, setups.choices) == (6, 6, ("learners",))
    assert read["answer"][0] == table["answer"][0] == FAILS.value


def test_a_claim_on_games_that_are_not_played_is_a_limit_and_not_against_the_headline(tmp_path):
    elsewhere = {**LEAD, "where": {"data": "movielens"}}
    claims = read_paper(paper(tmp_path, {"it": LEAD, "elsewhere": elsewhere})).claims
    headline = Headline(says="It leads.", place="abstract", claims=("it", "elsewhere"))
    found = judge_readings(headline, OPENINGS, [judged(tmp_path, claims, LEADS)])
    assert found["answer"].tolist() == [HOLDS.value]
    assert found["limits"].tolist() == ["1 of 2 claims are played"]


def test_a_reading_that_could_not_be_judged_says_why(tmp_path):
    claims = read_paper(paper(tmp_path, {"it": LEAD})).claims
    given = [judged(tmp_path / str(stand_in), claims, LEADS, stand_in=stand_in) for stand_in in (False, True)]
    found = judge_readings(HEADLINE, OPENINGS, given)
    assert found["answer"].tolist() == [HOLDS.value, UNTESTABLE.value]
    assert found["limits"].iloc[0] == ""
    assert found["limits"].iloc[1].startswith("not judged: ")
    assert found["limits"].iloc[1].endswith("stands in for the data of the paper")


def test_what_no_run_can_meet_has_the_effect_of_a_claim_that_is_played(tmp_path):
    """A theorem on a game that is not played, the first of its claims, would leave the curve without effects."""
    it = {**LEAD, "outside": "No run is as wide."}
    claims = read_paper(paper(tmp_path, {"elsewhere": {**it, "where": {"data": "movielens"}}, "it": it})).claims
    headline = Headline(says="It leads.", place="abstract", claims=("elsewhere", "it"))
    found = judge_readings(headline, OPENINGS, [judged(tmp_path, claims, LEADS)])
    assert found["answer"].tolist() == [OUTSIDE.value]
    assert found["effect"].astype(float).tolist() == pytest.approx([0.5])


def test_a_headline_that_must_hold_in_most_cases_must_hold_in_as_large_a_part_of_those_that_are_played(tmp_path):
    cells = {f"c{place}": {**LEAD, "where": {"data": data}} for place, data in enumerate(["facebook", *"abc"])}
    claims = read_paper(paper(tmp_path, cells)).claims
    headline = Headline(says="It mostly leads.", place="abstract", claims=tuple(cells), holds_in=3)
    found = judge_readings(headline, OPENINGS, [judged(tmp_path, claims, LEADS)])
    assert found["answer"].tolist() == [HOLDS.value]
    assert found["limits"].tolist() == ["1 of 4 claims are played"]


def test_effects_of_one_curve_are_of_one_unit(tmp_path):
    """A slope that decides under one reading is not set beside the lead that decides under another."""
    slope = {"kind": "slope", "of": "M-CNB", "against": "rounds", "published": 0.5, "bound": "at-most"}
    claims = read_paper(paper(tmp_path, {"it": LEAD, "slope": {**slope, "control": ["CLUB"]}})).claims
    headline = Headline(says="It leads.", place="abstract", claims=("it", "slope"))
    rival = {"CLUB": 200 + np.roll(NOISE, 3)}
    given = [
        judged(tmp_path / str(level), claims, {"M-CNB": level + NOISE, **rival}, power=power)
        for level, power in ((300, 0.4), (100, 0.9))
    ]
    found = judge_readings(headline, OPENINGS, given)
    assert found["answer"].tolist() == [FAILS.value, FAILS.value]
    assert all("lead in regret" in quantity for quantity in found["quantity"])
    assert found["against"].tolist() == [0.0, 0.0]


def test_a_curve_shows_the_unit_that_tells_why_readings_fail(tmp_path):
    """As written both claims hold, and the lead is the closer call; under the other readings the slope fails."""
    slope = {"kind": "slope", "of": "M-CNB", "against": "rounds", "published": 0.5, "bound": "at-most"}
    claims = read_paper(paper(tmp_path, {"it": LEAD, "slope": {**slope, "control": ["CLUB"]}})).claims
    headline = Headline(says="It leads.", place="abstract", claims=("it", "slope"))
    regrets = {**LEADS, "CLUB": 200 + np.roll(NOISE, 3)}
    given = [judged(tmp_path / str(power), claims, regrets, power=power) for power in (0.4, 0.9, 0.8)]
    found = judge_readings(headline, OPENINGS, given)
    assert found["answer"].tolist() == [HOLDS.value, FAILS.value, FAILS.value]
    assert all("slope of regret" in quantity for quantity in found["quantity"])
    assert found["against"].astype(float).tolist() == [0.5, 0.5, 0.5]


def test_a_rival_that_is_no_better_than_random_under_a_reading_is_named(tmp_path):
    """Without its options: a reading may change them, and their list has commas of its own."""
    title = "CLUB, graph erdos-renyi, alpha 1"
    claims = read_paper(paper(tmp_path, {"it": {**LEAD, "than": [title]}})).claims
    others = {"M-CNB": 100 + NOISE, "Random": 300 + np.roll(NOISE, 2)}
    given = [judged(tmp_path / str(level), claims, {**others, title: level + NOISE}) for level in (200, 400)]
    assert judge_readings(HEADLINE, OPENINGS, given)["chance"].tolist() == ["", "CLUB"]
