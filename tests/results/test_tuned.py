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


def tuned_to(folder, chosen, inside):
    """A run whose point alpha = 1, the largest of three, had these regrets where it was chosen, and its neighbour."""
    points = {0.01: inside + 50.0, 0.1: inside, 1: chosen}
    return load_run(plant(folder, "CLUB", None, points=points, grid={"alpha": [0.01, 0.1, 1]}))


def test_the_end_of_a_grid_is_an_edge_only_if_it_is_better_than_the_value_inside(tmp_path):
    ahead, level = (tuned_to(tmp_path / str(gap), 100.0 + NOISE, 100.0 + gap + NOISE[::-1]) for gap in (5.0, 0.5))
    assert edges(ahead) == {"alpha": "1"}
    assert edges(level) == {}


def test_with_a_single_run_nothing_tells_a_plateau_so_the_end_is_an_edge(tmp_path):
    assert edges(tuned_to(tmp_path, np.array([100.0]), np.array([100.0]))) == {"alpha": "1"}


def test_an_end_beside_a_value_that_diverged_is_an_edge(tmp_path):
    run = tuned_to(tmp_path, 100.0 + NOISE, np.full(10, np.nan))
    assert edges(run) == {"alpha": "1"}
