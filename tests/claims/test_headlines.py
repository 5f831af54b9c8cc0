"""Headlines: how the verdicts on claims are combined, and corrected over a paper."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manybandits.claims.headlines import (
    CORRECTED,
    attribution_of,
    combine,
    early_of,
    judge_headlines,
    under,
)
from manybandits.claims.rules import RULES, Rules, slope_of
from manybandits.claims.verdict import Answer, Attribution, Verdict
from manybandits.papers.claim import Headline
from tests.planted.claims import FAILS, HOLDS, NEAR, OUTSIDE, SAME, UNCLEAR, UNTESTABLE
from tests.planted.evidence import Made, claim
from tests.planted.verdicts import verdict

ALL = Headline(says="it", place="abstract", claims=("it",))
NOISE = np.array([0.3, -0.1, 0.2, -0.4, 0.1, 0.0, -0.2, 0.4, -0.3, 0.0])
"""Of ten seeds, with mean 0."""


def row(answer: Answer, p: float | None = None, **more) -> Verdict:
    return verdict(answer=answer, p=p, **{"reason": "so", "measured": None, **more})


def headline(holds_in="all") -> Headline:
    return Headline(says="it", place="abstract", claims=("it",), holds_in=holds_in)


def answer_of(rows, holds_in="all") -> Answer:
    return judge_headlines("planted", {"it": (headline(holds_in), rows)})["it"].answer


@pytest.mark.parametrize(
    ("answers", "holds_in", "expected"),
    [
        ([HOLDS, HOLDS], "all", HOLDS),
        ([HOLDS, NEAR], "all", NEAR),
        ([HOLDS, UNCLEAR], "all", UNCLEAR),
        ([NEAR, UNCLEAR], "all", UNCLEAR),
        ([HOLDS, FAILS], "all", FAILS),
        ([FAILS, FAILS], "all", FAILS),
        ([HOLDS, UNTESTABLE], "all", HOLDS),
        ([HOLDS, UNTESTABLE, UNTESTABLE], "all", UNCLEAR),
        ([FAILS, UNTESTABLE, UNTESTABLE], "all", FAILS),
        ([UNTESTABLE, UNTESTABLE], "all", UNTESTABLE),
        ([OUTSIDE, OUTSIDE], "all", OUTSIDE),
        ([OUTSIDE, UNTESTABLE], "all", UNTESTABLE),
        ([OUTSIDE, HOLDS], "all", HOLDS),
        ([OUTSIDE, OUTSIDE, HOLDS], "all", UNCLEAR),
        ([HOLDS, FAILS], "first", HOLDS),
        ([FAILS, HOLDS], "first", FAILS),
        ([UNTESTABLE, HOLDS], "first", UNTESTABLE),
        ([OUTSIDE, FAILS], "first", OUTSIDE),
        ([HOLDS, FAILS, HOLDS], 2, HOLDS),
        ([HOLDS, FAILS, FAILS], 2, FAILS),
        ([HOLDS, FAILS, UNCLEAR], 2, UNCLEAR),
        ([HOLDS, FAILS, UNTESTABLE], 2, UNCLEAR),
        ([FAILS, FAILS, UNTESTABLE], 2, FAILS),
        ([HOLDS, NEAR, FAILS], 2, NEAR),
        ([HOLDS, UNTESTABLE], 2, UNCLEAR),
        ([HOLDS, HOLDS, *[UNTESTABLE] * 3], 2, UNCLEAR),
    ],
)
def test_a_headline_combines_the_answers_on_its_claims(answers, holds_in, expected):
    assert answer_of([row(answer) for answer in answers], holds_in) is expected


@pytest.mark.parametrize(
    ("answers", "holds_in", "expected"),
    [
        ([SAME], "all", SAME),
        ([SAME, SAME], "all", SAME),
        ([SAME, SAME], 1, SAME),
        ([SAME, HOLDS], "first", SAME),
        ([SAME, HOLDS], "all", HOLDS),
        ([SAME, FAILS], "all", FAILS),
        ([SAME, UNCLEAR], "all", UNCLEAR),
        ([SAME, UNTESTABLE], "all", UNTESTABLE),
        ([SAME, OUTSIDE], "all", OUTSIDE),
        ([SAME, HOLDS], 2, UNCLEAR),
        ([SAME, SAME, HOLDS], 2, UNCLEAR),
        ([SAME, FAILS, HOLDS], 2, UNCLEAR),
        ([SAME, FAILS, FAILS], 2, FAILS),
        ([SAME, HOLDS, HOLDS], 2, HOLDS),
    ],
)
def test_what_cannot_differ_neither_holds_nor_fails(answers, holds_in, expected):
    assert answer_of([row(answer) for answer in answers], holds_in) is expected


@pytest.mark.parametrize("holds_in", ["all", "first", 1, 2, 3, 7])
def test_every_mixture_of_answers_has_an_answer_that_is_decided_by_one_of_its_claims(holds_in):
    for answers in product(Answer, repeat=3):
        rows = [row(answer, 0.01, id=f"planted.c{place}") for place, answer in enumerate(answers)]
        found = combine("planted.it", headline(holds_in), rows)
        assert found.decided_by in found.claims == ("planted.c0", "planted.c1", "planted.c2")
        if found.answer is HOLDS:
            needed = 1 if isinstance(holds_in, str) else holds_in
            assert answers.count(HOLDS) >= needed
        if found.answer is FAILS:
            assert FAILS in answers


SWAPPED = {HOLDS: FAILS, FAILS: HOLDS, UNCLEAR: UNCLEAR}


@pytest.mark.parametrize("claims", [1, 2, 3, 4])
def test_a_headline_of_a_number_of_claims_is_the_mirror_image_of_that_of_the_rest(claims):
    """At least k of n hold exactly where not n - k + 1 of them fail."""
    for answers in product(SWAPPED, repeat=claims):
        for needed in range(1, claims + 1):
            there = answer_of([row(answer) for answer in answers], needed)
            back = answer_of([row(SWAPPED[answer]) for answer in answers], claims - needed + 1)
            assert back is SWAPPED[there]


def test_a_headline_outside_its_conditions_shows_a_claim_that_was_measured():
    bare, measured = row(OUTSIDE, id="p.bare"), row(OUTSIDE, id="p.measured", measured=0.9)
    assert combine("p.it", ALL, [bare, measured]).decided_by == "p.measured"
    assert combine("p.it", ALL, [measured, row(UNTESTABLE, id="p.not")]).decided_by == "p.not"


def test_an_inconclusive_headline_shows_a_claim_that_cannot_tell():
    rows = [
        row(FAILS, 0.001, id="p.fails"),
        row(UNCLEAR, 0.2, id="p.unclear"),
        row(UNCLEAR, 0.6, id="p.least"),
        row(HOLDS, 0.001, id="p.holds"),
    ]
    found = combine("p.it", headline(3), rows)
    assert (found.answer, found.decided_by, found.p) == (UNCLEAR, "p.least", 0.6)
    unplayed = combine("p.it", headline(2), [*rows[:1], row(UNTESTABLE, id="p.not"), rows[3]])
    assert (unplayed.answer, unplayed.p) == (UNCLEAR, None)  # a p of one that fails is none of the headline


def test_the_limits_of_a_claim_that_holds_are_those_of_its_headline():
    found = combine("p.it", ALL, [row(HOLDS, limits=("5 runs", "other data")), row(UNTESTABLE)])
    assert found.limits == ("5 runs", "other data", "1 of 2 claims could not be judged")


def test_the_limits_of_a_headline_that_fails_are_none_if_claims_without_limits_are_enough():
    limited, whole = row(FAILS, 0.001, limits=("5 runs",)), row(FAILS, 0.01)
    assert combine("p.it", ALL, [limited, whole]).limits == ()
    assert combine("p.it", ALL, [limited, row(HOLDS)]).limits == ("5 runs",)


@given(st.sampled_from(list(SWAPPED)), st.floats(0.0001, 1))
def test_a_headline_of_one_claim_mirrors_it(answer, p):
    assert answer_of([row(SWAPPED[answer], p)]) is SWAPPED[answer_of([row(answer, p)])]


def test_all_is_as_uncertain_as_its_least_certain_claim():
    assert combine("p.it", ALL, [row(HOLDS, 0.001), row(HOLDS, 0.04)]).p == 0.04
    assert combine("p.it", ALL, [row(FAILS, 0.001), row(HOLDS, 0.04)]).p == pytest.approx(0.002)
    assert combine("p.it", ALL, [row(HOLDS), row(HOLDS, 0.04)]).p == 0.04  # a value has no p


def test_a_number_of_claims_has_the_p_of_the_last_that_is_needed_in_either_direction():
    rows = [row(HOLDS, p) for p in (0.03, 0.001, 0.02)]
    assert combine("p.it", headline(2), rows).p == 0.02
    against = [row(FAILS, 0.001, limits=("5 runs",)), row(FAILS, 0.01), row(HOLDS, 0.03)]
    assert combine("p.it", headline(2), against).p == pytest.approx(0.03)  # both are needed: 3 times 0.01


# Holm's correction


def test_headlines_are_corrected_over_their_paper_and_cells_are_not():
    family = {str(k): (ALL, [row(HOLDS, 0.02)]) for k in range(5)}
    found = judge_headlines("p", family)
    assert {(one.answer, one.p, one.reason) for one in found.values()} == {(UNCLEAR, 0.1, CORRECTED)}
    assert judge_headlines("p", {"0": family["0"]})["0"].answer is HOLDS
    assert judge_headlines("p", {**family, "0": (ALL, [row(HOLDS, 0.0002)])})["0"].answer is HOLDS
    assert {one.answer for one in judge_headlines("p", family, Rules(holm=False)).values()} == {HOLDS}
    assert {one.answer for one in judge_headlines("p", family, Rules(level=0.1)).values()} == {HOLDS}


def test_headlines_without_a_p_are_neither_corrected_nor_counted():
    family = {"a": (ALL, [row(HOLDS, 0.03)]), **{str(k): (ALL, [row(HOLDS)]) for k in range(5)}}
    found = judge_headlines("p", family)
    assert {one.answer for one in found.values()} == {HOLDS}
    assert [one.p for one in found.values()] == [0.03, *[None] * 5]


def test_an_inconclusive_headline_is_one_of_the_tests_that_are_corrected():
    assert judge_headlines("p", {"a": (ALL, [row(HOLDS, 0.03)])})["a"].answer is HOLDS
    among = judge_headlines("p", {"a": (ALL, [row(HOLDS, 0.03)]), "b": (ALL, [row(UNCLEAR, 0.4)])})
    assert (among["a"].answer, among["a"].p) == (UNCLEAR, 0.06)


@pytest.mark.parametrize("bound", ["", "at-most"])
def test_a_slope_is_corrected_as_an_order_is(bound):
    """VERDICTS, section 3: slopes and bounds have a p, too, and are part of Holm's correction."""
    asked = claim("slope", published=0.5, bound=bound, against="x")

    def judged(noise: float) -> Verdict:
        points = {x: x**0.5 * np.exp(noise * place * NOISE) for place, x in enumerate((10.0, 40.0, 160.0))}
        return slope_of(asked, Made(sweeps={"A": points}))

    sure = judged(0.1)
    unsure = next(one for one in map(judged, np.linspace(0.5, 8, 100)) if one.p > RULES.level / 5)
    assert (sure.answer, unsure.answer, unsure.p < RULES.level) == (HOLDS, HOLDS, True)
    for one, expected in ((sure, HOLDS), (unsure, UNCLEAR)):
        assert judge_headlines("p", {"0": (ALL, [one])})["0"].answer is HOLDS
        assert judge_headlines("p", {str(k): (ALL, [one]) for k in range(5)})["0"].answer is expected


@given(st.lists(st.floats(0.0002, 1), min_size=1, max_size=8), st.sampled_from([HOLDS, FAILS]))
def test_a_correction_turns_no_headline_round(found, answer):
    rows = {str(k): (ALL, [row(answer if p <= 0.05 else UNCLEAR, p)]) for k, p in enumerate(found)}
    after = judge_headlines("p", rows)
    for key, p in zip(rows, found, strict=True):
        assert after[key].answer in (answer, UNCLEAR)
        assert after[key].p >= p or np.isclose(after[key].p, p)


# Earlier, and under other rules


def test_a_headline_is_known_early_where_all_of_its_claims_are():
    early = [row(HOLDS, 0.04, early=(FAILS, HOLDS)), row(HOLDS, 0.001, early=(HOLDS, HOLDS))]
    assert early_of(ALL, early, 2) == (FAILS, HOLDS)
    assert early_of(headline(1), early, 2) == (HOLDS, HOLDS)
    assert early_of(ALL, [*early, row(HOLDS)], 2) == ()
    assert early_of(headline("first"), [early[0], row(HOLDS)], 2) == (FAILS, HOLDS)  # the others decide nothing


def test_a_verdict_under_other_rules_has_their_answer_and_p_and_all_else_of_its_own():
    given = row(HOLDS, 0.03, limits=("5 runs",), under={"p of at most 1 %": (UNCLEAR, 0.03)})
    other = under(given, "p of at most 1 %")
    assert (other.answer, other.p, other.limits, other.claim) == (UNCLEAR, 0.03, ("5 runs",), given.claim)
    assert under(given, "eight runs required") == given


# Controls of a headline


def stands(answer: Answer, lead: float | None = None, game: str = "") -> Attribution:
    return Attribution(control="off", kind="mechanism", says="without", answer=answer, measured=lead, game=game)


@pytest.mark.parametrize(
    ("answers", "holds_in", "expected"),
    [
        ([HOLDS, HOLDS], "all", HOLDS),
        ([HOLDS, FAILS], "all", FAILS),
        ([HOLDS, UNCLEAR], "all", UNCLEAR),
        ([HOLDS, UNTESTABLE], "all", UNTESTABLE),
        ([UNCLEAR, UNTESTABLE], "all", UNTESTABLE),
        ([FAILS, UNTESTABLE], "all", FAILS),
        ([HOLDS, FAILS], "first", HOLDS),
        ([FAILS, HOLDS], "first", FAILS),
        ([HOLDS, HOLDS, FAILS], 2, HOLDS),
        ([HOLDS, FAILS, FAILS], 2, FAILS),
        ([HOLDS, FAILS, UNCLEAR], 2, UNCLEAR),
        ([HOLDS, FAILS, UNTESTABLE], 2, UNTESTABLE),
        ([HOLDS, HOLDS], 3, HOLDS),
        ([HOLDS, FAILS], 3, FAILS),
    ],
)
def test_a_method_must_be_ahead_of_its_control_in_as_many_claims_as_the_headline_asks_for(answers, holds_in, expected):
    assert attribution_of(headline(holds_in), [stands(answer) for answer in answers]).answer is expected


def test_the_comparison_that_is_shown_is_the_least_favourable_one():
    found = [stands(HOLDS, 0.3, "a"), stands(HOLDS, 0.1, "b"), stands(FAILS, -0.2, "c"), stands(FAILS, 0.0, "d")]
    assert attribution_of(ALL, found).game == "c"
    assert attribution_of(ALL, found[:2]).game == "b"
    assert attribution_of(headline(2), found).game == "b"
