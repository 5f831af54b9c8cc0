"""Intervals and tests against scipy and the textbook."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from manybandits.base import statistics
from manybandits.base.exceptions import InputError


def test_the_bootstrap_interval_covers_the_mean_about_as_often_as_it_says():
    random = np.random.default_rng(0)
    hits = 0
    for _ in range(200):
        low, high = statistics.bootstrap_interval(random.normal(size=30))
        hits += low <= 0 <= high
    assert 0.88 <= hits / 200 <= 0.99


def test_bootstrap_agrees_with_scipy_and_repeats_itself():
    values = np.random.default_rng(1).exponential(size=25)
    low, high = statistics.bootstrap_interval(values)
    other = stats.bootstrap((values,), np.mean, method="percentile", random_state=0, n_resamples=100_000)
    # A 2.5 % quantile of 10,000 draws from a bell of width s has the standard error 0.027 s; four of them.
    tolerance = 4 * 0.027 * other.standard_error
    assert abs(low - other.confidence_interval.low) < tolerance
    assert abs(high - other.confidence_interval.high) < tolerance
    assert statistics.bootstrap_interval(values) == (low, high)


def test_paired_tests_see_what_unpaired_ones_would_miss():
    random = np.random.default_rng(0)
    rounds = 100 * random.normal(size=12)
    first, second = rounds + 1 + 0.1 * random.normal(size=12), rounds
    mean, low, high = statistics.paired_difference(first, second)
    assert low <= mean <= high
    assert low > 0
    assert statistics.wilcoxon(first, second) < 0.001
    assert stats.mannwhitneyu(first, second).pvalue > 0.5
    assert statistics.wilcoxon(first, first) == 1.0


def test_holm_is_the_textbook_example():
    assert np.allclose(statistics.holm(np.array([0.01, 0.04, 0.03, 0.005])), [0.03, 0.06, 0.06, 0.02])


def test_a_p_is_never_zero_and_at_most_one():
    assert statistics.two_sided(np.zeros(9_999, bool)) == 0.0002
    assert statistics.two_sided(np.ones(9_999, bool)) == 1.0
    assert statistics.two_sided(np.arange(9_999) < 249) == pytest.approx(0.05)


def test_an_interval_of_resampled_values_leaves_out_its_level_and_what_is_unknown():
    draws = np.arange(1_001.0)
    assert statistics.interval_of(draws) == (25.0, 975.0)
    assert statistics.interval_of(-draws, 0.1) == (-950.0, -50.0)
    assert statistics.interval_of(np.append(draws, np.nan)) == (25.0, 975.0)
    assert np.isnan(statistics.interval_of(np.full(3, np.nan))).all()


def test_the_lead_and_the_ratio_of_runs_are_resampled_together_with_those_of_the_rival():
    noise = np.random.default_rng(0).normal(size=10)
    lead, low, high, p = statistics.paired_lead(100 + noise, 101 + noise)
    assert low <= lead <= high
    assert low == pytest.approx(lead, rel=0.1)  # the common noise is no part of the gap
    assert p == pytest.approx(2 / (statistics.RESAMPLES + 1))
    ratio, draws = statistics.resampled_ratio(2 * (100 + noise), 100 + noise)
    assert ratio == pytest.approx(2)
    assert np.allclose(draws, 2)


def test_a_slope_is_that_of_the_logarithms_and_of_no_point_that_has_none():
    points = {0.0: np.ones(6), 10.0: np.full(6, 20.0), 40.0: np.full(6, 40.0), 160.0: np.full(6, 80.0)}
    assert statistics.slope(points) == pytest.approx((0.5, 0.5, 0.5))
    assert np.isnan(statistics.slope({10.0: np.ones(6)})).all()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: statistics.deviation(np.array([1.0, np.nan])), "holds NaN"),
        (lambda: statistics.wilcoxon(np.ones(1), np.zeros(1)), "at least 2"),
        (lambda: statistics.wilcoxon(np.ones(3), np.ones(4)), "cannot be paired"),
        (lambda: statistics.bootstrap_interval(np.array([])), "at least 1"),
    ],
)
def test_runs_that_cannot_be_compared_say_why(call, words):
    with pytest.raises(InputError, match=words):
        call()
