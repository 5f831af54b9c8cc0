"""The forced samples of the theory against the rounds that are played, in games of instances."""

from __future__ import annotations

import math

import pytest

from manybandits.environments.instance_conditions import theorems
from manybandits.environments.instance_forced import forced_samples, too_few
from manybandits.environments.instances import SETTINGS, build

ENOUGH = {**SETTINGS, "instances": 1600, "dimension": 40, "sparsity": 1}
POOR = {**SETTINGS, "instances": 2, "dimension": 40, "sparsity": 2, "arrivals": "poor"}


def test_the_least_batch_0_of_appendix_c_1_is_its_largest_term_without_a_gap():
    expected = 96 * 2 * 40 * 1600 * math.log(40 * 1600) * math.log(1_600_000)
    assert forced_samples(ENOUGH, "rmbandit_theorem2", 1_600_000) == pytest.approx(expected)


def test_the_least_batch_0_of_appendix_d_1_is_that_of_the_data_poor_instance():
    poor = 1 / (1 + 40**2)  # the share of its arrivals
    expected = 2 * 48 / poor * math.log(40) * math.log(800_500)
    assert forced_samples(POOR, "rmbandit_theorem3", 800_500) == pytest.approx(expected)


@pytest.mark.parametrize("instances", [1600, 3000, 10_000])
def test_no_game_of_a_billion_rounds_has_the_forced_samples_of_theorem_2(instances):
    """Fewer instances do not meet inequality 29 for so many rounds, and more ask for more samples."""
    for dimension in (25, 40, 100):
        settings = {**SETTINGS, "instances": instances, "dimension": dimension, "sparsity": 1}
        arrays = build(**settings)
        ends = theorems(settings, arrays["probability"], 1)["rmbandit_theorem2"]
        longest = min(10**9, int(ends[1])) if ends else 10**9
        assert "forced samples (appendix C.1)" in too_few(settings, "rmbandit_theorem2", longest)


def test_a_run_that_is_longer_than_its_forced_samples_is_long_enough():
    assert too_few(ENOUGH, "rmbandit_theorem2", 10**12) == ""
