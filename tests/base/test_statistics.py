"""Intervals and tests against scipy and the textbook."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from manybandits.base import statistics
from manybandits.base.exceptions import InputError


@pytest.mark.slow
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
