"""Headlines: how the verdicts on claims are combined, and corrected over a paper."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manybandits.claims.headlines import combine, judge_headlines
from manybandits.papers.claim import Headline
from manybandits.results.verdict_table import VERDICTS


def row(verdict: str, p: float | str = "", limits: str = "") -> dict[str, str]:
    return {"claim": "planted.it", "verdict": verdict, "p": str(p), "limits": limits, "reason": "so", "measured": ""}


def verdict_of(rows, holds_in="all"):
    headline = Headline(says="it", place="abstract", claims=("it",), holds_in=holds_in)
    return judge_headlines({"it": (headline, rows)})["it"].verdict


REPRODUCED, SUPPORTED, NEAR, UNDECIDED, CONTRADICTED, NOT, OUTSIDE, UNTESTABLE = VERDICTS


@pytest.mark.parametrize(
    ("verdicts", "holds_in", "expected"),
    [
        ([REPRODUCED, REPRODUCED], "all", REPRODUCED),
        ([REPRODUCED, SUPPORTED], "all", SUPPORTED),
        ([REPRODUCED, NEAR], "all", NEAR),
        ([REPRODUCED, UNDECIDED], "all", UNDECIDED),
        ([REPRODUCED, CONTRADICTED], "all", CONTRADICTED),
        ([CONTRADICTED, NOT], "all", NOT),
        ([REPRODUCED, UNTESTABLE], "all", SUPPORTED),
        ([REPRODUCED, UNTESTABLE, UNTESTABLE], "all", UNDECIDED),
        ([NOT, UNTESTABLE, UNTESTABLE], "all", NOT),
        ([UNTESTABLE, UNTESTABLE], "all", UNTESTABLE),
        ([OUTSIDE, OUTSIDE], "all", OUTSIDE),
        ([REPRODUCED, NOT], "first", REPRODUCED),
        ([NOT, REPRODUCED], "first", NOT),
        ([REPRODUCED, NOT, REPRODUCED], 2, REPRODUCED),
        ([REPRODUCED, NOT, NOT], 2, NOT),
        ([REPRODUCED, NOT, UNDECIDED], 2, UNDECIDED),
        ([REPRODUCED, NOT, UNTESTABLE], 2, UNDECIDED),
        ([NOT, NOT, UNTESTABLE], 2, NOT),
        ([REPRODUCED, NEAR, NOT], 2, NEAR),
    ],
)
def test_a_headline_combines_the_verdicts_on_its_claims(verdicts, holds_in, expected):
    limited = (SUPPORTED, CONTRADICTED)
    rows = [row(verdict, limits="half of the rounds" if verdict in limited else "") for verdict in verdicts]
    assert verdict_of(rows, holds_in) == expected


def test_a_headline_outside_its_conditions_shows_a_claim_that_was_measured():
    headline = Headline(says="it", place="abstract", claims=("it",))
    measured = {**row(OUTSIDE), "measured": "0.9"}
    assert combine(headline, [row(OUTSIDE), measured]).decisive is measured
    assert combine(headline, [measured, row(UNTESTABLE)]).decisive["verdict"] == UNTESTABLE


def test_the_limits_of_a_claim_that_holds_are_those_of_its_headline():
    headline = Headline(says="it", place="abstract", claims=("it",))
    found = combine(headline, [row(SUPPORTED, limits="5 runs; other data"), row(UNTESTABLE)])
    assert found.limits == ("5 runs", "other data", "1 of 2 claims could not be judged")


SWAPPED = {REPRODUCED: NOT, NOT: REPRODUCED, UNDECIDED: UNDECIDED}


@given(st.sampled_from(list(SWAPPED)), st.floats(0.0001, 1))
def test_a_headline_of_one_claim_mirrors_it(verdict, p):
    assert verdict_of([row(SWAPPED[verdict], p)]) == SWAPPED[verdict_of([row(verdict, p)])]


def test_all_is_as_uncertain_as_its_least_certain_claim():
    headline = Headline(says="it", place="abstract", claims=("it",))
    assert combine(headline, [row(REPRODUCED, 0.001), row(REPRODUCED, 0.04)]).p == 0.04
    assert combine(headline, [row(NOT, 0.001), row(REPRODUCED, 0.04)]).p == pytest.approx(0.002)


def test_headlines_are_corrected_over_their_paper_and_cells_are_not():
    headline = Headline(says="it", place="abstract", claims=("it",))
    family = {str(k): (headline, [row(REPRODUCED, 0.02)]) for k in range(5)}
    assert {one.verdict for one in judge_headlines(family).values()} == {UNDECIDED}
    assert judge_headlines({"0": family["0"]})["0"].verdict == REPRODUCED
    assert judge_headlines({**family, "0": (headline, [row(REPRODUCED, 0.0002)])})["0"].verdict == REPRODUCED


@given(st.lists(st.floats(0.0002, 1), min_size=1, max_size=8))
def test_a_correction_turns_no_headline_round(found):
    headline = Headline(says="it", place="abstract", claims=("it",))
    rows = {str(k): (headline, [row(REPRODUCED if p <= 0.05 else UNDECIDED, p)]) for k, p in enumerate(found)}
    after = judge_headlines(rows)
    for key, p in zip(rows, found, strict=True):
        assert after[key].verdict in (REPRODUCED, UNDECIDED)
        assert after[key].p >= p or np.isclose(after[key].p, p)
