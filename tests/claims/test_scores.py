"""Scores: how many cells of a table or figure hold; other readings, and what stands apart, are not counted."""

from __future__ import annotations

import pytest

from manybandits.claims.scores import place_order, scores
from manybandits.claims.verdict import MEANINGS, Answer, count
from tests.planted.claims import FAILS, HOLDS, NEAR
from tests.planted.verdicts import verdict

ROWS = (
    {"id": "one.fig1", "answer": NEAR},
    {"id": "one.fig1", "answer": HOLDS, "reading": "released"},
    {"id": "one.fig2.1", "answer": HOLDS},
    {"id": "one.fig2.2", "answer": HOLDS, "copy_of": "fig2.1"},
)


def test_only_the_reading_of_the_text_is_counted_and_no_copy():
    counted = [one for one in (verdict(**row) for row in ROWS) if one.counts]
    assert [one.claim.id for one in counted] == ["one.fig1", "one.fig2.1"]
    assert count(one.answer for one in counted) == dict.fromkeys(Answer, 0) | {NEAR: 1, HOLDS: 1}


def test_a_score_is_that_of_one_place_of_one_paper():
    places = ("Figure 10", "Table 1", "Figure 2", "Figure 2")
    rows = [verdict(**row, place=place) for row, place in zip(ROWS, places, strict=True)]
    rows += [verdict(id="other.a", answer=HOLDS, limits=("5 of 10 runs",)), verdict(id="other.b", answer=FAILS)]
    assert [(one.paper, one.place, one.holding, one.cells, one.apart) for one in scores(rows)] == [
        ("one", "Figure 2", 1, 1, 1),
        ("one", "Figure 10", 0, 1, 0),
        ("other", "Figure 2", 1, 2, 0),
    ]


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Figure 2", "Figure 10"),
        ("Figure 9", "Table 1"),
        ("Table 2", "Theorem 1"),
        ("Figures 3 and 4, Table 5", "Table 1"),
    ],
)
def test_places_come_in_the_order_of_a_paper(earlier, later):
    assert place_order(earlier) < place_order(later)


def test_every_answer_has_a_meaning():
    assert list(MEANINGS) == list(Answer)
