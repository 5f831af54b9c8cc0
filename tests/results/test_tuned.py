"""How options were tuned: on what, which were chosen, and whether the grid ends there."""

from __future__ import annotations

import numpy as np
import pytest

from manybandits.results.runs import load_run
from manybandits.results.tuned import Effort, edges, effort, tuned_options
from tests.planted.claims import plant

NOISE = np.linspace(-1, 1, 10)


def test_only_options_of_several_values_are_named_as_tuned(tmp_path):
    run = load_run(plant(tmp_path, "CLUB", 100.0 + NOISE, grid={"alpha": [1]}))
    assert tuned_options(run) == "not tuned"
    run.settings["grid"] = {"alpha": [0.1, 1], "lambda": [1]}
    run.facts["chosen"] = "alpha=0.1 graph=complete lambda=1"
    assert tuned_options(run) == "alpha=0.1"


def test_an_effort_is_that_of_all_points_and_none_for_a_single_one(tmp_path):
    run = load_run(plant(tmp_path, "CLUB", 100.0 + NOISE, grid={"alpha": [1]}))
    assert effort(run) == Effort(1, 0, 0)
    run.settings.update({"grid": {"alpha": [1, 2], "lambda": [1, 2, 3]}, "tuning": "best-of-grid", "horizon": 400})
    assert effort(run) == Effort(6, 10, 400)


@pytest.mark.parametrize(
    ("grid", "flagged"),
    [
        ([0.1, 0.5, 1], True),
        ([1, 2, 3], True),
        ([0.1, 1, 10], False),
        ([1, 2], False),
        ([0.1, 1], False),
    ],
)
def test_the_least_or_largest_of_three_values_or_more_is_an_edge(tmp_path, grid, flagged):
    run = load_run(plant(tmp_path, "CLUB", 100.0 + NOISE, grid={"alpha": grid}))  # the chosen point is alpha=1
    assert bool(edges(run)) is flagged


def test_nothing_is_below_zero_so_zero_is_no_edge(tmp_path):
    run = load_run(plant(tmp_path, "CLUB", 100.0 + NOISE, grid={"alpha": [0, 1, 2]}))
    run.facts["chosen"] = "alpha=0"
    assert edges(run) == {}
    run.facts["chosen"] = "alpha=2"
    assert edges(run) == {"alpha": "2"}
