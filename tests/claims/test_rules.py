"""The rules of the kinds of claims: each with its mirror image, its p, and what cannot differ."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from manybandits.base.statistics import RESAMPLES
from manybandits.claims.rules import (
    FACTOR,
    OUTER,
    RULES,
    SLOPE_TOLERANCE,
    Rules,
    _compared,
    answer,
    boundedness,
    equality,
    nearness,
    order,
    ratio,
    slope_of,
    too_few,
    value,
)
from manybandits.claims.samples import Sample, Untestable
from manybandits.claims.verdict import Flag
from tests.planted.claims import FAILS, HOLDS, NEAR, SAME, UNCLEAR
from tests.planted.evidence import Made, claim

NUMBER = st.floats(-10, 10)
WIDTH = st.floats(0, 5)
TOLERANCE = st.floats(0.01, 1)
SEED = st.integers(0, 10_000)
LEAST = 2 / (RESAMPLES + 1)
"""The smallest p, and by how much p may be above the level where the end of an interval is exactly what decides."""
NOISE = np.array([0.3, -0.1, 0.2, -0.4, 0.1, 0.0, -0.2, 0.4, -0.3, 0.0])
"""Of ten seeds, with mean 0."""
TURNED = {HOLDS: FAILS, FAILS: HOLDS, UNCLEAR: UNCLEAR, SAME: SAME}
X = (10.0, 40.0, 160.0)


def noisy(level: float, width: float, seed: int, runs: int = 10) -> np.ndarray:
    """Return results of some runs around a level, in relative terms, above 0."""
    return level * np.exp(width * np.random.default_rng(seed).normal(size=runs))


def sweep(power: float, noise: float = 0.01) -> dict[float, np.ndarray]:
    """Return results that grow as a power of x."""
    return {x: 50 * x**power * (1 + noise * np.roll(NOISE, place)) for place, x in enumerate(X)}


# Nearness and boundedness


@given(NUMBER, WIDTH, WIDTH, NUMBER, TOLERANCE, st.sampled_from([0.5, np.inf]))
def test_too_large_and_too_small_are_judged_alike(measured, below, above, published, tolerance, farthest):
    there = nearness(measured, measured - below, measured + above, published, tolerance, farthest)
    assert there is nearness(-measured, -measured - above, -measured + below, -published, tolerance, farthest)


@given(NUMBER, WIDTH, NUMBER, TOLERANCE, st.sampled_from([0.5, np.inf]))
def test_what_confirms_a_number_with_a_narrow_interval_never_refutes_it_with_a_wide_one(
    measured, width, published, tolerance, farthest
):
    narrow = nearness(measured, measured, measured, published, tolerance, farthest)
    wide = nearness(measured, measured - width, measured + width, published, tolerance, farthest)
    assert {narrow, wide} != {HOLDS, FAILS}


@given(NUMBER, NUMBER, TOLERANCE, st.sampled_from([0.5, np.inf]))
def test_an_exact_number_is_always_decided(measured, published, tolerance, farthest):
    gap = abs(measured - published)
    outer = max(tolerance, min(OUTER * tolerance, farthest))
    expected = HOLDS if gap <= tolerance else NEAR if gap <= outer else FAILS
    assert nearness(measured, measured, measured, published, tolerance, farthest) is expected


def test_an_interval_that_holds_both_answers_decides_nothing():
    assert nearness(1.0, 0.0, 2.0, 1.0, 0.05) is UNCLEAR
    assert nearness(1.5, 1.0, 2.0, 1.0, 0.05) is UNCLEAR


@given(NUMBER, WIDTH, NUMBER, TOLERANCE, st.floats(0.01, 2))
def test_an_interval_from_what_holds_to_beyond_what_may_be_a_near_miss_never_fails(m, width, published, tol, farthest):
    found = nearness(m, m - width, m + width, published, tol, farthest)
    if m - width <= published + tol and m + width >= published - tol:  # some of it is within the tolerance
        assert found is not FAILS


@given(NUMBER, WIDTH, NUMBER, TOLERANCE)
def test_a_bound_and_its_opposite_both_hold_only_where_it_is_met_exactly(measured, width, bound, tolerance):
    low, high = measured - width, measured + width
    kept = boundedness(measured, low, high, bound, tolerance)
    opposite = boundedness(-measured, -high, -low, -bound, tolerance)
    if kept is opposite is HOLDS:  # only of what meets the bound exactly
        assert bound - tolerance <= low <= bound <= high <= bound + tolerance
    assert {kept, opposite} != {FAILS}


@given(NUMBER, WIDTH, TOLERANCE)
def test_a_bound_is_never_kept_by_an_interval_beyond_it(measured, width, tolerance):
    """VERDICTS 7.6: bounds were called kept although the whole interval was beyond them."""
    low, high = measured - width, measured + width
    beyond = np.nextafter(low, -np.inf)
    assert boundedness(measured, low, high, beyond, tolerance) in (NEAR, FAILS)
    assert boundedness(measured, low, high, high, tolerance) is HOLDS


@pytest.mark.parametrize("judged", [nearness, boundedness])
def test_a_number_without_an_interval_is_unclear(judged):
    assert judged(1.0, np.nan, np.nan, 1.0, 0.1) is UNCLEAR


@pytest.mark.parametrize(("runs", "words"), [(1, "one run decides nothing"), (5, "5 runs decide nothing"), (6, "")])
def test_six_runs_are_enough_and_five_are_not(runs, words):
    assert too_few(runs).startswith(words)
    assert bool(too_few(runs)) == bool(words)


def test_five_runs_are_enough_where_a_rule_asks_for_five():
    runs = Made({"A": 100 + NOISE[:5], "B": 200 + NOISE[:5]})
    asked = claim("order", "A", "B")
    assert (order(asked, runs).answer, order(asked, runs, Rules(least=5)).answer) == (UNCLEAR, HOLDS)


# Mirror images


@settings(max_examples=60, deadline=None)
@given(st.floats(-0.2, 0.2), st.floats(0.01, 0.3), SEED, st.booleans(), st.integers(1, 12))
def test_if_one_is_ahead_the_other_is_not(gap, width, seed, higher, runs):
    made = Made({"A": noisy(1.0, width, seed, runs), "B": noisy(1 + gap, width, seed + 1, runs)}, higher=higher)
    there, back = order(claim("order", "A", "B"), made), order(claim("order", "B", "A"), made)
    assert back.answer is TURNED[there.answer]
    assert (there.n, there.p) == (back.n, back.p)


@settings(max_examples=30, deadline=None)
@given(st.floats(-0.2, 0.2), st.floats(0.01, 0.3), SEED)
def test_more_is_better_exactly_where_less_of_the_negative_is(gap, width, seed):
    values = {"A": noisy(1.0, width, seed), "B": noisy(1 + gap, width, seed + 1)}
    turned = {title: -each for title, each in values.items()}
    asked = claim("order", "A", "B")
    less, more = order(asked, Made(values)), order(asked, Made(turned, higher=True))
    assert (less.answer, less.measured, less.p) == (more.answer, more.measured, more.p)


@pytest.mark.parametrize("bound", ["", "at-most", "at-least"])
@settings(max_examples=60, deadline=None)
@given(level=st.floats(0.2, 5), published=st.floats(0.2, 5), width=st.floats(0.005, 0.3), seed=SEED)
def test_a_ratio_and_its_reciprocal_have_one_answer(bound, level, published, width, seed):
    made = Made({"A": noisy(level, width, seed), "B": noisy(1.0, width, seed + 1)})
    other = {"at-most": "at-least", "at-least": "at-most", "": ""}[bound]
    there = ratio(claim("ratio", "A", "B", published=published, bound=bound), made)
    back = ratio(claim("ratio", "B", "A", published=1 / published, bound=other), made)
    assert there.answer is back.answer
    assert there.p == pytest.approx(back.p, abs=LEAST)  # an interval's end is interpolated on another axis


@pytest.mark.parametrize("bound", ["", "at-most", "at-least"])
@settings(max_examples=40, deadline=None)
@given(power=st.floats(-1, 1), published=st.floats(-1, 1), noise=st.floats(0, 0.3))
def test_a_slope_has_the_answer_of_its_opposite_against_the_reciprocal(bound, power, published, noise):
    other = {"at-most": "at-least", "at-least": "at-most", "": ""}[bound]
    points = sweep(power, noise)
    there = Made(sweeps={"A": points})
    back = Made(sweeps={"A": {1 / x: each for x, each in points.items()}})
    first = slope_of(claim("slope", published=published, bound=bound, against="x"), there)
    second = slope_of(claim("slope", published=-published, bound=other, against="x"), back)
    assert (first.answer, first.p) == (second.answer, second.p)


@pytest.mark.parametrize(("bound", "sign"), [("at-most", 1), ("at-least", -1)])
def test_a_slope_beyond_its_bound_fails_as_one_within_it_keeps_it(bound, sign):
    asked = claim("slope", published=0.5, bound=bound, against="x")
    beyond = slope_of(asked, Made(sweeps={"A": sweep(0.5 + 3 * sign * SLOPE_TOLERANCE)}))
    within = slope_of(asked, Made(sweeps={"A": sweep(0.5 - 3 * sign * SLOPE_TOLERANCE)}))
    assert (beyond.answer, within.answer) == (FAILS, HOLDS)
    assert beyond.p == within.p == pytest.approx(LEAST, rel=1e-4)


@settings(max_examples=60, deadline=None)
@given(st.floats(0.6, 1.4), st.floats(0.001, 0.3), SEED)
def test_a_value_that_is_too_high_has_the_answer_of_one_that_is_too_low(level, width, seed):
    values = noisy(level, width, seed)
    asked = claim("value", published=1.0)
    assert value(asked, Made({"A": values})).answer is value(asked, Made({"A": 2 - values})).answer


@settings(max_examples=60, deadline=None)
@given(st.floats(-0.4, 0.4), st.floats(0.001, 0.2), SEED)
def test_equality_of_what_is_larger_is_that_of_what_is_smaller(gap, width, seed):
    rival = np.ones(10)
    own = 1 + gap + width * np.random.default_rng(seed).normal(size=10)
    there = equality(claim("equality", "A", "B"), Made({"A": own, "B": rival}))
    back = equality(claim("equality", "A", "B"), Made({"A": 2 - own, "B": rival}))
    assert there.answer is back.answer


@settings(max_examples=40, deadline=None)
@given(st.floats(-3, 3), st.floats(0.01, 2), st.floats(-3, 3), TOLERANCE, SEED)
def test_at_most_with_all_signs_turned_is_at_least(measured, width, bound, tolerance, seed):
    draws = measured + width * np.random.default_rng(seed).normal(size=999)
    there = _compared(claim("slope", bound="at-most"), measured, draws, bound, tolerance, RULES)
    assert there == _compared(claim("slope", bound="at-least"), -measured, -draws, -bound, tolerance, RULES)
    exact = _compared(claim("slope", bound="at-least"), -measured, None, -bound, tolerance, RULES)
    assert exact == (_compared(claim("slope", bound="at-most"), measured, None, bound, tolerance, RULES)[0], None)


# Sizes of ratios


@pytest.mark.parametrize("published", [4.0, 0.25])
@pytest.mark.parametrize(("factor", "expected"), [(1.05, HOLDS), (0.95 * FACTOR, NEAR), (1.05 * FACTOR, FAILS)])
@pytest.mark.parametrize("turn", [1, -1])
def test_a_ratio_of_more_than_twice_or_less_than_half_the_published_one_is_no_near_miss(
    published, factor, expected, turn
):
    made = Made({"A": published * factor**turn * (1 + NOISE / 1000), "B": np.ones(10)}, tolerance=0.5)
    assert ratio(claim("ratio", "A", "B", published=published), made).answer is expected


def test_a_wide_interval_to_beyond_twice_the_published_ratio_does_not_hold():
    made = Made({"A": np.array([2.5] * 8 + [14.0] * 2), "B": np.ones(10)}, tolerance=0.5)
    found = ratio(claim("ratio", "A", "B", published=4.0), made)
    assert found.low < 2 * found.published < found.high < OUTER * found.published
    assert found.answer is UNCLEAR


@pytest.mark.parametrize(
    ("level", "bound", "published", "expected"),
    [
        (0.8, "at-most", 1.2, HOLDS),
        (1.15, "at-most", 1.2, HOLDS),
        (1.5, "at-most", 1.2, FAILS),
        (1.5, "at-least", 0.8, HOLDS),
        (0.85, "at-least", 0.8, HOLDS),
        (0.5, "at-least", 0.8, FAILS),
        (1.1, "at-most", 0.9, FAILS),
        (0.9, "at-least", 1.1, FAILS),
    ],
)
def test_a_bound_beyond_one_is_kept_on_either_side_of_one(level, bound, published, expected):
    made = Made({"A": level * (1 + NOISE / 100), "B": np.ones(10)})
    assert ratio(claim("ratio", "A", "B", published=published, bound=bound), made).answer is expected


def test_a_result_of_zero_is_far_below_any_ratio_and_keeps_every_bound_from_above():
    made = Made({"A": np.zeros(10), "B": np.ones(10)})
    assert ratio(claim("ratio", "A", "B", published=0.5), made).answer is FAILS
    assert ratio(claim("ratio", "A", "B", published=0.5, bound="at-most"), made).answer is HOLDS
    assert ratio(claim("ratio", "A", "B", published=1.5, bound="at-least"), made).answer is FAILS
    with pytest.raises(Untestable, match="B is 0, or cannot be told from 0"):
        ratio(claim("ratio", "A", "B", published=0.5), Made({"A": np.ones(10), "B": np.zeros(10)}))


# p


@settings(max_examples=150, deadline=None)
@given(
    kind=st.sampled_from(["order", "ratio", "slope"]),
    bound=st.sampled_from(["", "at-most", "at-least"]),
    level=st.floats(0.5, 2),
    published=st.floats(0.5, 2),
    width=st.floats(0.005, 0.5),
    seed=SEED,
    tolerance=st.sampled_from([0.05, 0.5]),
    rules=st.sampled_from([RULES, Rules(level=0.1), Rules(level=0.01), Rules(tolerance=2.0)]),
)
def test_a_claim_that_holds_or_fails_has_a_p_of_at_most_the_level(
    kind, bound, level, published, width, seed, tolerance, rules
):
    """A headline of one claim alone would otherwise be inconclusive "after Holm's correction" of one p."""
    made = Made(
        {"A": noisy(level, width, seed), "B": noisy(1.0, width, seed + 1)},
        {"A": {x: noisy(x**level, width, seed + place) for place, x in enumerate(X)}},
        tolerance=tolerance,
    )
    numbers = {} if kind == "order" else {"published": published, "bound": bound}
    asked = claim(kind, "A", *([] if kind == "slope" else ["B"]), against="x" if kind == "slope" else "", **numbers)
    found = answer(asked, made, rules)
    if found.answer in (HOLDS, FAILS):
        assert found.p <= rules.level + LEAST


def test_a_ratio_that_is_hardly_on_its_side_of_one_is_as_uncertain_as_that():
    made = Made({"A": 0.97 + NOISE / 6.5, "B": np.ones(10)})
    found = ratio(claim("ratio", "A", "B", published=0.97), made)
    lead = order(claim("order", "A", "B"), made)
    assert found.answer is lead.answer is HOLDS
    assert found.p == pytest.approx(lead.p, rel=0.5)
    assert found.p > 10 * LEAST


def test_exact_numbers_have_no_p_and_no_interval():
    made = Made({"A": [2.0], "B": [1.0]}, {"A": {x: np.array([x]) for x in X}}, exact=True)
    for found in (
        ratio(claim("ratio", "A", "B", published=2.0), made),
        slope_of(claim("slope", published=1.0, bound="at-most", against="x"), made),
        order(claim("order", "B", "A"), made),
        value(claim("value", published=2.0), made),
        equality(claim("equality", "B", "B"), made),
    ):
        assert (found.answer, found.p, found.low, found.high) == (HOLDS, None, None, None)


def test_fewer_rounds_do_not_refute_the_size_of_a_ratio_in_either_direction():
    for level in (0.2, 0.8):
        made = Made({"A": level + NOISE / 100, "B": np.ones(10)}, short="500 of 1,000 rounds")
        found = ratio(claim("ratio", "A", "B", published=0.4), made)
        assert (found.answer, "500 of 1,000 rounds" in found.reason) == (UNCLEAR, True)


def test_no_worse_than_one_of_several_baselines_asks_for_no_nearness_to_each():
    """VERDICTS 7.8: the baselines differ among themselves by more than any tolerance."""
    made = Made({"A": 100 + NOISE, "B": 101 + np.roll(NOISE, 1), "C": 140 + np.roll(NOISE, 2), "D": 60 + NOISE})
    assert order(claim("order", "A", "B", strictly=False), made).answer is HOLDS
    assert order(claim("order", "A", "C", strictly=False), made).answer is HOLDS
    assert order(claim("order", "A", "D", strictly=False), made).answer is FAILS
    assert equality(claim("equality", "A", "B"), made).answer is HOLDS
    assert equality(claim("equality", "A", "B", "C", "D"), made).answer is FAILS


# What cannot differ


SWEPT = {"A": dict.fromkeys(X, 100 + NOISE)}
IDENTICAL = Made({"A": 100 + NOISE, "B": 100 + NOISE, "Zero": 0 * NOISE, "Nothing": 0 * NOISE}, SWEPT)


@pytest.mark.parametrize(
    "asked",
    [
        claim("order", "A", "B"),
        claim("order", "A", "B", strictly=False),
        claim("order", "Zero", "Nothing"),
        claim("equality", "A", "B"),
        claim("equality", "Zero", "Nothing"),
        claim("ratio", "A", "B", published=1),
        claim("ratio", "A", "B", published=0.5),
        claim("ratio", "A", "B", published=0.9, bound="at-most"),
        claim("ratio", "A", "B", published=1.1, bound="at-least"),
        claim("slope", published=0, against="x"),
        claim("slope", published=1, bound="at-most", against="x"),
        claim("slope", published=-1, bound="at-least", against="x"),
    ],
    ids=lambda one: f"{one.kind} {one.bound} {one.published}",
)
def test_what_is_identical_in_every_run_cannot_differ_whatever_is_claimed_of_it(asked):
    found = answer(asked, IDENTICAL)
    assert (found.answer, found.p) == (SAME, None)


@pytest.mark.parametrize("kind", ["order", "equality"])
def test_one_run_that_differs_is_enough_to_be_judged(kind):
    other = 100 + NOISE
    other[3] += 0.5
    assert answer(claim(kind, "A", "B"), Made({"A": 100 + NOISE, "B": other})).answer is not SAME


def test_one_rival_that_is_identical_does_not_keep_others_from_being_compared():
    made = Made({"A": 100 + NOISE, "B": 100 + NOISE, "Worse": 200 + NOISE, "Better": 50 + NOISE})
    assert order(claim("order", "A", "B", "Worse"), made).answer is UNCLEAR
    assert order(claim("order", "A", "B", "Better"), made).answer is FAILS
    assert equality(claim("equality", "A", "B", "Worse"), made).answer is FAILS


# Vacuous bounds


@pytest.mark.parametrize(
    ("rate", "bound", "vacuous"),
    [(2.0, "at-most", True), (0.5, "at-most", False), (2.0, "at-least", False), (0.5, "at-least", False)],
)
def test_a_bound_above_what_random_has_at_every_point_is_vacuous_and_its_rate_is_judged(rate, bound, vacuous):
    points = sweep(0.5)
    random = {x: float(each.mean()) for x, each in points.items()}
    made = Made(sweeps={"A": points}, stated={x: rate * each for x, each in random.items()}, random=random)
    found = slope_of(claim("slope", published="table1", bound=bound, against="x"), made)
    assert found.flags == ((Flag("vacuous bound"),) if vacuous else ())
    assert found.answer is HOLDS


def test_a_bound_that_is_below_random_at_one_point_or_is_played_without_random_is_not_vacuous():
    points = sweep(0.5)
    stated = {x: 2 * float(each.mean()) for x, each in points.items()}
    asked = claim("slope", published="table1", bound="at-most", against="x")
    crossing = {X[0]: 3 * stated[X[0]], X[1]: 1.0, X[2]: 1.0}
    for random in (crossing, {}, {7.0: 1.0}):
        assert slope_of(asked, Made(sweeps={"A": points}, stated=stated, random=random)).flags == ()


def test_tolerances_are_multiplied_for_the_judgement_of_the_judge():
    made = Made({"A": 1.07 + NOISE / 1000})
    asked = claim("value", published=1.0)
    answers = [value(asked, made, Rules(tolerance=factor)).answer for factor in (0.25, 1.0, 2.0)]
    assert answers == [FAILS, NEAR, HOLDS]
    assert value(replace(asked, std=0.2), made).answer is HOLDS  # what the paper states widens the interval


@pytest.mark.parametrize("others", [True, False])
def test_what_is_relative_to_a_run_that_chance_changes_is_not_exact(others):
    """It would otherwise be judged without an interval."""
    one, other = (Sample(name, "game", np.array([2.0]), exact=exact) for name, exact in (("A", True), ("B", others)))
    assert one.over(other).exact is others
    assert other.over(one).exact is others
