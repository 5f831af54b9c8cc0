"""Answers to claims: their symmetry, and what limits do to them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manybandits.claims.finding import ANSWERS, OUTER, Answer, boundedness, nearness, too_few
from manybandits.results.verdict_table import EXPLANATIONS, OUTSIDE, UNTESTABLE, VERDICTS

NUMBER = st.floats(-10, 10)
WIDTH = st.floats(0, 5)
TOLERANCE = st.floats(0.01, 1)


@given(NUMBER, WIDTH, WIDTH, NUMBER, TOLERANCE)
def test_too_large_and_too_small_are_judged_alike(measured, below, above, published, tolerance):
    there = nearness(measured, measured - below, measured + above, published, tolerance)
    assert there is nearness(-measured, -measured - above, -measured + below, -published, tolerance)


@given(NUMBER, WIDTH, NUMBER, TOLERANCE)
def test_what_confirms_a_number_with_a_narrow_interval_never_refutes_it_with_a_wide_one(m, width, published, tolerance):
    narrow = nearness(m, m, m, published, tolerance)
    wide = nearness(m, m - width, m + width, published, tolerance)
    assert {narrow, wide} != {Answer.HOLDS, Answer.OPPOSITE}


@given(NUMBER, NUMBER, TOLERANCE)
def test_an_exact_number_is_always_decided(measured, published, tolerance):
    gap = abs(measured - published)
    expected = Answer.HOLDS if gap <= tolerance else Answer.NEAR_MISS if gap <= OUTER * tolerance else Answer.OPPOSITE
    assert nearness(measured, measured, measured, published, tolerance) is expected


def test_an_interval_that_holds_both_answers_decides_nothing():
    assert nearness(1.0, 0.0, 2.0, 1.0, 0.05) is Answer.UNCLEAR
    assert nearness(1.5, 1.0, 2.0, 1.0, 0.05) is Answer.UNCLEAR


@given(NUMBER, WIDTH, NUMBER, TOLERANCE)
def test_a_bound_and_its_opposite_both_hold_only_where_it_is_met_exactly(measured, width, bound, tolerance):
    low, high = measured - width, measured + width
    kept = boundedness(measured, low, high, bound, tolerance)
    opposite = boundedness(-measured, -high, -low, -bound, tolerance)
    if kept is opposite is Answer.HOLDS:  # only of what meets the bound exactly
        assert bound - tolerance <= low <= bound <= high <= bound + tolerance
    assert {kept, opposite} != {Answer.OPPOSITE}


@given(NUMBER, WIDTH, TOLERANCE)
def test_a_bound_is_never_kept_by_an_interval_beyond_it(measured, width, tolerance):
    """VERDICTS 7.6: bounds were called kept although the whole interval was beyond them."""
    low, high = measured - width, measured + width
    beyond = np.nextafter(low, -np.inf)
    assert boundedness(measured, low, high, beyond, tolerance) in (Answer.NEAR_MISS, Answer.OPPOSITE)
    assert boundedness(measured, low, high, high, tolerance) is Answer.HOLDS


def test_limits_weaken_a_verdict_and_never_turn_it():
    words = {answer: (answer.under([]), answer.under(["half of the rounds"])) for answer in Answer}
    assert words == {
        Answer.HOLDS: ("reproduced", "supported"),
        Answer.OPPOSITE: ("not reproduced", "contradicted here"),
        Answer.NEAR_MISS: ("near miss", "near miss"),
        Answer.UNCLEAR: ("undecided", "undecided"),
    }


def test_every_verdict_is_an_answer_or_says_why_there_is_none():
    assert set(VERDICTS) == {*ANSWERS, OUTSIDE, UNTESTABLE} == set(EXPLANATIONS)


@pytest.mark.parametrize(("runs", "words"), [(1, "one run decides nothing"), (5, "5 runs decide nothing"), (6, "")])
def test_six_runs_are_enough_and_five_are_not(runs, words):
    assert too_few(runs).startswith(words)
    assert bool(too_few(runs)) == bool(words)
