"""Flags: what a reader should know about runs before believing a verdict."""

from __future__ import annotations

import numpy as np
import pytest

from manybandits.claims.flags import flags_of, is_at_chance, unequal_tuning
from manybandits.results.runs import load_run
from tests.planted.claims import LEAD, plant, scale_of
from tests.planted.claims import paper as planted_paper

NOISE = np.linspace(-1, 1, 10)


@pytest.mark.parametrize(
    ("height", "chance"), [(100.0, True), (99.7, True), (110.0, True), (90.0, False)], ids="same less more far".split()
)
def test_a_method_within_two_standard_errors_of_random_or_beyond_is_at_chance(tmp_path, height, chance):
    random = load_run(plant(tmp_path, "Random", 100.0 + NOISE))
    mine = load_run(plant(tmp_path, "CLUB", height + NOISE[::-1]))
    assert is_at_chance(mine, random) is chance
    assert ("CLUB: at chance" in flags_of([mine], [mine, random])) is chance


def test_random_itself_carries_no_flag_of_chance(tmp_path):
    random = load_run(plant(tmp_path, "Random", 100.0 + NOISE))
    assert flags_of([random], [random]) == []


def test_a_winner_at_the_edge_of_its_grid_is_flagged(tmp_path):
    run = load_run(plant(tmp_path, "CLUB", 100.0 + NOISE, grid={"alpha": [0.1, 0.5, 1]}))  # alpha=1 is chosen
    assert flags_of([run], [run]) == ["CLUB: alpha 1 is the edge of its grid"]


def test_methods_that_were_tuned_on_more_points_than_others_are_named(tmp_path):
    grids = {"Mine": [1, 2, 3, 4, 5, 6], "OLS": [1, 2]}
    runs = [load_run(plant(tmp_path, title, 100.0 + NOISE, grid={"alpha": grid})) for title, grid in grids.items()]
    assert unequal_tuning(runs) == ["unequal tuning: 6 points for Mine and 2 points for OLS"]
    assert unequal_tuning(runs[:1]) == []


def test_methods_that_were_tuned_for_longer_or_not_at_all_are_named(tmp_path):
    runs = [load_run(plant(tmp_path, title, 100.0 + NOISE, grid={"alpha": [1, 2]})) for title in ("Mine", "OLS")]
    for run, rounds in zip(runs, (500, 1000), strict=True):
        run.settings.update(tuning="tuning-seeds", tuning_seeds=[100, 101], tuning_rounds=rounds)
    assert unequal_tuning(runs) == ["unequal tuning: 1,000 rounds for OLS and 500 rounds for Mine"]
    runs[0].settings["tuning_rounds"] = None  # all rounds
    assert unequal_tuning(runs) == []
    runs[0].settings["grid"] = {"alpha": [1]}
    assert unequal_tuning(runs) == ["unequal tuning: 2 points, 2 runs, 1,000 rounds for OLS and none for Mine"]


def test_the_flags_of_what_is_compared_stand_beside_the_verdict(tmp_path):
    from manybandits.claims.verdicts import judge_figure
    from manybandits.papers.files import read_paper

    runs = [plant(tmp_path, title, h + NOISE) for title, h in (("M-CNB", 100.0), ("CLUB", 200.0), ("Random", 200.0))]
    paper = read_paper(planted_paper(tmp_path, {"it": LEAD}))
    verdict = judge_figure(paper, "fig2", "paper", scale_of(runs), runs).iloc[0]
    assert verdict["flags"] == "CLUB: at chance"


def test_a_difference_that_is_zero_in_every_run_is_flagged(tmp_path):
    from manybandits.claims.verdicts import judge_figure
    from manybandits.papers.files import read_paper

    claim = {"kind": "equality", "of": "M-CNB", "than": ["CLUB"]}
    for shift, flags in ((0.0, "same in all runs"), (0.01, "")):
        folder = tmp_path / str(shift)
        runs = [plant(folder, title, height + NOISE) for title, height in (("M-CNB", 100.0), ("CLUB", 100.0 + shift))]
        paper = read_paper(planted_paper(folder, {"it": claim}))
        assert judge_figure(paper, "fig2", "paper", scale_of(runs), runs).iloc[0]["flags"] == flags
