"""Flags: what a reader should know about runs before believing a verdict."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from manybandits.claims.flags import flags_of, unequal_tuning
from manybandits.claims.sentences import label_words, labels_of
from manybandits.claims.verdict import FLAGS, Flag
from manybandits.claims.verdicts import judge_figure
from manybandits.papers.files import read_paper
from manybandits.results.runs import load_run
from manybandits.results.summaries import is_at_chance
from tests.planted.claims import HOLDS, LEAD, SAME, plant, scale_of
from tests.planted.claims import paper as planted_paper
from tests.planted.runs import plant_line

NOISE = np.linspace(-1, 1, 10)


@pytest.mark.parametrize(
    ("height", "chance"), [(100.0, True), (99.7, True), (110.0, True), (90.0, False)], ids="same less more far".split()
)
def test_a_method_within_two_standard_errors_of_random_or_beyond_is_at_chance(tmp_path, height, chance):
    random = load_run(plant(tmp_path, "Random", 100.0 + NOISE))
    mine = load_run(plant(tmp_path, "CLUB", height + NOISE[::-1]))
    assert is_at_chance(mine, random) is chance
    assert (Flag("at chance", "CLUB") in flags_of([mine], [mine, random])) is chance


def test_nothing_is_said_of_chance_where_runs_were_lost(tmp_path):
    random, mine = (load_run(plant(tmp_path, title, 100.0 + NOISE)) for title in ("Random", "CLUB"))
    lost = replace(mine, regret=np.where(mine.seeds[:, None] == mine.seeds[0], np.nan, mine.regret))
    assert not is_at_chance(lost, random)


def test_random_itself_carries_no_flag_of_chance(tmp_path):
    random = load_run(plant(tmp_path, "Random", 100.0 + NOISE))
    assert flags_of([random], [random]) == []


def test_a_winner_at_the_edge_of_its_grid_is_flagged(tmp_path):
    run = load_run(plant(tmp_path, "CLUB", 100.0 + NOISE, grid={"alpha": [0.1, 0.5, 1]}))  # alpha=1 is chosen
    assert flags_of([run], [run]) == [Flag("edge of the grid", "CLUB", "alpha 1")]


def test_methods_that_were_tuned_on_more_points_than_others_are_named(tmp_path):
    grids = {"Mine": [1, 2, 3, 4, 5, 6], "OLS": [1, 2]}
    runs = [load_run(plant(tmp_path, title, 100.0 + NOISE, grid={"alpha": grid})) for title, grid in grids.items()]
    assert unequal_tuning(runs) == [Flag("unequal tuning", detail="6 points for Mine and 2 points for OLS")]
    assert unequal_tuning(runs[:1]) == []


def test_methods_that_were_tuned_for_longer_or_not_at_all_are_named(tmp_path):
    runs = [load_run(plant(tmp_path, title, 100.0 + NOISE, grid={"alpha": [1, 2]})) for title in ("Mine", "OLS")]
    for run, rounds in zip(runs, (500, 1000), strict=True):
        run.settings.update(tuning="tuning-seeds", tuning_seeds=[100, 101], tuning_rounds=rounds)
    assert unequal_tuning(runs) == [Flag("unequal tuning", detail="1,000 rounds for OLS and 500 rounds for Mine")]
    runs[0].settings["tuning_rounds"] = None  # all rounds
    assert unequal_tuning(runs) == []
    runs[0].settings["grid"] = {"alpha": [1]}
    assert unequal_tuning(runs) == [
        Flag("unequal tuning", detail="2 points, 2 runs, 1,000 rounds for OLS and none for Mine")
    ]


def test_the_flags_of_what_is_compared_stand_beside_the_verdict(tmp_path):
    runs = [plant(tmp_path, title, h + NOISE) for title, h in (("M-CNB", 100.0), ("CLUB", 200.0), ("Random", 200.0))]
    paper = read_paper(planted_paper(tmp_path, {"it": LEAD}))
    verdict = judge_figure(paper, "fig2", scale_of(runs), runs)[0]
    assert verdict.flags == (Flag("at chance", "CLUB"),)


def test_a_difference_that_is_zero_in_every_run_cannot_differ_and_needs_no_flag(tmp_path):
    claim = {"kind": "equality", "of": "M-CNB", "than": ["CLUB"]}
    for shift, answer in ((0.0, SAME), (0.01, HOLDS)):
        folder = tmp_path / str(shift)
        runs = [plant(folder, title, height + NOISE) for title, height in (("M-CNB", 100.0), ("CLUB", 100.0 + shift))]
        paper = read_paper(planted_paper(folder, {"it": claim}))
        (found,) = judge_figure(paper, "fig2", scale_of(runs), runs)
        assert (found.answer, found.flags) == (answer, ())


def test_an_option_that_does_nothing_is_flagged(tmp_path):
    points = {1: 100 + NOISE, 10: 100 + NOISE}
    claim = {"kind": "value", "of": "M-CNB", "measure": "across", "published": 0.1, "options": {"alpha": [1, 10]}}
    run = plant(tmp_path, "M-CNB", None, points=points)
    paper = read_paper(planted_paper(tmp_path, {"it": claim}))
    (found,) = judge_figure(paper, "fig2", scale_of([run]), [run])
    assert found.flags == (Flag("cannot vary", "M-CNB"),)


# Labels


def test_flags_of_a_kind_are_one_label_and_options_of_a_method_its_particulars():
    kind = "edge of the grid"
    edges = (("CLUB", "alpha 1"), ("k-NN UCB, phi 1", "rho 0.1"), ("CLUB", "lambda 9"), ("CLUB", "alpha 1"))
    flags = [Flag(kind, of, detail) for of, detail in edges]
    assert labels_of(flags) == {kind: {"CLUB": ["alpha 1", "lambda 9"], "k-NN UCB (distance counted)": ["rho 0.1"]}}
    assert label_words(flags) == "edge of the grid: CLUB, k-NN UCB (distance counted)"


@pytest.mark.parametrize(
    ("flag", "words"),
    [
        (Flag("at chance", "M-CNB"), "at chance: M-CNB"),
        (Flag("arm never tried", "M-CNB", "2 of 8 runs"), "arm never tried: M-CNB"),
        (Flag("vacuous bound"), "vacuous bound"),
        (Flag("not discriminating", "Random, agents 5"), "not discriminating: Random, agents = 5"),
        (Flag("unequal tuning", detail="12 points for A and 9 points for C"), "unequal tuning"),
    ],
)
def test_a_flag_has_its_kind_and_the_method_it_is_of(flag, words):
    assert label_words([flag]) == words


def test_labels_come_in_the_order_of_their_meanings_and_none_is_no_label():
    flags = [Flag(kind, "CLUB") for kind in reversed(FLAGS)]
    assert list(labels_of(flags)) == list(FLAGS)
    assert label_words([]) == ""


def test_flags_of_real_runs_are_known(tmp_path):
    runs = [load_run(plant_line(tmp_path, name, slope, seeds=6)) for name, slope in (("club", 0.9), ("locb", 0.5))]
    assert {flag.kind for flag in flags_of(runs, runs)} <= set(FLAGS)


def test_unequal_tuning_stays_one_flag(tmp_path):
    runs = [load_run(plant_line(tmp_path, name, 0.5, seeds=6)) for name in ("club", "locb", "mine")]
    for place, run in enumerate(runs):
        run.settings["grid"] = {"alpha": list(range(place + 1))}
    (flag,) = [flag for flag in flags_of(runs, runs) if flag.kind == "unequal tuning"]
    assert labels_of([flag]) == {"unequal tuning": {"": [flag.detail]}}
