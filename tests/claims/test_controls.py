"""Controls: whether the method carries what is claimed of it."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from manybandits.claims.controls import attribute
from manybandits.claims.verdict import Word
from manybandits.claims.verdict_files import save_records
from manybandits.claims.verdicts import gather, gather_headlines, judge_figure
from manybandits.papers.claim import Control, ControlKind
from manybandits.papers.files import read_paper
from tests.planted.claims import FAILS, HOLDS, LEAD, UNCLEAR, UNTESTABLE, paper, plant, scale_of
from tests.planted.evidence import Made, claim

NOISE = np.array([0.3, -0.1, 0.2, -0.4, 0.1, 0.0, -0.2, 0.4, -0.3, 0.0])
"""Of ten seeds, with mean 0."""
BETTER = claim("order", "A", "B")


def control(*titles: str, kind: str = "mechanism") -> dict[str, Control]:
    return {"off": Control(kind=kind, says="without it", of=titles, headlines=("best",))}


def against(titles: tuple[str, ...] = ("Off",), asked=BETTER, **values):
    made = Made({"A": 100 + NOISE, "B": 200 + NOISE, **values})
    (found,) = attribute(asked, control(*titles), made)
    return found


@pytest.mark.parametrize(
    ("off", "answer"),
    [
        (150 + np.roll(NOISE, 1), HOLDS),
        (50 + np.roll(NOISE, 1), FAILS),
        (100 + np.roll(NOISE, 1), FAILS),
        (100 + 60 * np.roll(NOISE, 1), UNCLEAR),
        (100 + NOISE, FAILS),
    ],
    ids=["the method is ahead", "the control is ahead", "level", "a wide interval around 0", "identical in every run"],
)
def test_a_control_that_does_as_well_or_better_undoes_a_claim(off, answer):
    found = against(Off=off)
    assert (found.answer, found.own, found.rival, found.n) == (answer, "A", "Off", 10)
    assert (found.control, found.kind, found.says) == ("off", "mechanism", "without it")
    assert found.measured == pytest.approx((off.mean() - 100) / off.mean(), abs=1e-4)


@pytest.mark.parametrize("shift", [0.1, -0.1])
def test_what_is_a_little_ahead_with_certainty_is_ahead_and_not_level(shift):
    """A lead of a thousandth that all runs have is a lead, on either side."""
    found = against(Off=100 + NOISE + shift)
    assert found.answer is (HOLDS if shift > 0 else FAILS)


def test_a_control_that_was_not_played_is_not_testable():
    assert against().answer is UNTESTABLE
    assert against().measured is None


def test_of_several_runs_of_a_control_the_best_counts():
    worse, level = 150 + np.roll(NOISE, 1), 100 + np.roll(NOISE, 1)
    wide = 105 + 60 * np.roll(NOISE, 2)
    two = ("One", "Two")
    assert against(two, One=worse, Two=worse + 1).rival == "One"
    assert against(two, One=worse, Two=level).answer is FAILS
    assert against(two, One=worse, Two=wide).answer is UNCLEAR
    assert against(two, One=wide, Two=level).answer is FAILS
    assert against(two, One=level, Two=wide - 10).answer is FAILS  # the wide one has the smaller lead, and cannot tell


def test_a_version_of_the_method_is_compared_with_the_control_of_this_version_alone():
    versions = {"off": Control(kind="mechanism", says="", of={"A, layers 4": "Off"}, headlines=("best",))}
    made = Made({"A": 100 + NOISE, "A, layers 4": 100 + NOISE, "B": 200 + NOISE, "Off": 50 + NOISE})
    (found,) = attribute(claim("order", "A, layers 4", "B"), versions, made)
    assert (found.answer, found.rival) == (FAILS, "Off")
    assert attribute(BETTER, versions, made) == ()


def test_of_several_runs_of_which_one_was_not_played_only_that_they_undo_the_claim_is_known():
    two = ("One", "Two")
    assert against(two, One=150 + NOISE).answer is UNTESTABLE
    assert against(two, One=50 + NOISE).answer is FAILS


@pytest.mark.parametrize(
    ("asked", "compared"),
    [
        (claim("ratio", "A", "B", published=0.5), True),
        (claim("ratio", "A", "B", published=0.5, bound="at-most"), True),
        (claim("order", "A", "B", strictly=False), True),
        (claim("value", "A", published=100.0), False),
        (claim("equality", "A", "B"), False),
        (claim("order", "A", "B", outside="no run is as wide"), False),
        (claim("order", "A", "B", untestable="no log"), False),
    ],
    ids=lambda one: f"{one.kind} {one.bound} {one.outside}{one.untestable}" if not isinstance(one, bool) else "",
)
def test_only_a_claim_that_compares_methods_has_controls(asked, compared):
    made = Made({"A": 100 + NOISE, "B": 200 + NOISE, "Off": 150 + np.roll(NOISE, 1)})
    found = attribute(asked, control("Off"), made)
    assert [one.answer for one in found] == ([HOLDS] if compared else [])


def test_few_runs_cannot_tell_whether_a_control_does_as_well():
    made = Made({"A": 100 + NOISE[:5], "B": 200 + NOISE[:5], "Off": 100 + NOISE[:5]})
    (found,) = attribute(BETTER, control("Off"), made)
    assert found.answer is UNCLEAR


# From run tables to the word

HEADLINES = {"best": {"says": "It is best.", "place": "abstract", "claims": ["it"]}}


def judged(tmp_path, off: float | None):
    """Return the verdict on a headline of which no choice is open, with a control at some regret."""
    heights = {"M-CNB": 100.0, "CLUB": 200.0} | ({} if off is None else {"M-CNB, one group": off})
    runs = [plant(tmp_path, title, h + np.roll(NOISE, place)) for place, (title, h) in enumerate(heights.items())]
    off_control = {"says": "all users in one group", "of": ["M-CNB, one group"], "headlines": ["best"]}
    controls = {kind: {**off_control, "kind": kind} for kind in get_args(ControlKind)}
    it = read_paper(paper(tmp_path, {"it": LEAD}, headlines=HEADLINES, controls=controls))
    file = tmp_path / "verdicts/planted_fig2.jsonl"
    save_records(file, judge_figure(it, "fig2", scale_of(runs), runs))
    (found,) = gather_headlines([it], gather([it], [file], {}, tmp_path))
    return found


@pytest.mark.parametrize(
    ("off", "answer", "word"),
    [
        (150.0, HOLDS, Word.CONFIRMED),
        (100.0, FAILS, Word.NOT_MECHANISM),
        (50.0, FAILS, Word.NOT_MECHANISM),
        (None, UNTESTABLE, Word.HOLDS),
    ],
)
def test_a_headline_whose_control_does_as_well_is_not_by_its_mechanism(tmp_path, off, answer, word):
    found = judged(tmp_path, off)
    assert [(one.control, one.answer) for one in found.controls] == [(kind, answer) for kind in get_args(ControlKind)]
    assert (found.answer, found.word) == (HOLDS, word)


def test_a_measurement_without_a_row_of_the_control_has_not_played_it(tmp_path):
    """A row that does not exist is an input error in a claim, where its title must be misspelled."""
    path = tmp_path / "steps.csv"
    rows = "".join(f"A,{repeat},{1 + repeat / 100}\nB,{repeat},{2 + repeat / 50}\n" for repeat in range(8))
    path.write_text(f"algorithm,repeat,steps\n{rows}")
    (tmp_path / "steps.csv.json").write_text('{"facts": {}}')
    measured = {"experiments": {"fig2": {"place": "Table 1", "title": "steps", "measurement": "x"}}}
    controls = {"off": {"kind": "plain", "says": "plain", "of": ["C"], "headlines": ["best"]}}
    asked = {"kind": "order", "of": "A", "than": ["B"], "measure": "steps"}
    it = read_paper(paper(tmp_path, {"it": asked}, headlines=HEADLINES, controls=controls, **measured))
    (found,) = judge_figure(it, "fig2", scale_of([path], "rows"), [path])
    assert found.answer is HOLDS
    assert [one.answer for one in found.controls] == [UNTESTABLE]
