"""What carries a result: the leads over rivals and controls, on one axis."""

from __future__ import annotations

import pytest

from manybandits.claims.verdict import Answer, Attribution
from manybandits.report.carries import leads_of
from tests.planted.verdicts import headline, verdict

OFF = Attribution(
    **{"control": "everybody", "kind": "mechanism", "says": "all users together", "answer": Answer.FAILS},
    **{"own": "M-CNB", "rival": "M-CNB, gamma 1000", "measure": "regret", "game": "yelp"},
    **{"measured": -0.01, "low": -0.03, "high": 0.01, "n": 10},
)
UNPLAYED = Attribution(control="alike", kind="alike", says="trained alike", answer=Answer.UNTESTABLE)


def rows_of(decisive, **given):
    """Return what, rival and leads of the rows of one headline."""
    leads = leads_of([headline(**given)], lambda _: decisive)
    (rows,) = leads.rows.values()
    return [(row.what, row.rival, round(row.lead, 6), round(row.low, 6), round(row.high, 6)) for row in rows]


def test_a_method_is_shown_against_its_best_rival_and_each_control_that_was_played():
    assert rows_of(verdict(published=0.08), controls=(OFF, UNPLAYED), code_controls=(OFF,)) == [
        ("published", "", 0.08, 0.08, 0.08),
        ("best rival", "CLUB", 0.2, 0.15, 0.25),
        ("mechanism off", "M-CNB, all users together", -0.01, -0.03, 0.01),
        ("mechanism off, as released", "M-CNB, all users together", -0.01, -0.03, 0.01),
    ]


def test_a_ratio_of_regrets_is_shown_as_a_lead():
    ratio = verdict(kind="ratio", measured=1.25, low=1.2, high=1.3, published=0.92)
    assert rows_of(ratio, controls=(OFF,))[:2] == [
        ("published", "", 0.08, 0.08, 0.08),
        ("best rival", "CLUB", -0.25, -0.3, -0.2),
    ]
    gain = verdict(kind="ratio", measure="reward", measured=1.25, low=1.2, high=1.3)
    assert rows_of(gain, controls=(OFF,))[0] == ("best rival", "CLUB", 0.25, 0.2, 0.3)


def test_a_claim_that_compares_no_methods_has_its_controls_alone():
    assert [what for what, *_ in rows_of(verdict(kind="slope", against="rounds"), controls=(OFF,))] == ["mechanism off"]


def test_without_a_control_that_was_played_there_is_no_picture():
    assert leads_of([headline(), headline(controls=(UNPLAYED,))], lambda _: verdict()) is None


def test_the_axis_reaches_all_leads_but_those_that_are_far_behind():
    far = verdict(measured=-3.0, low=-3.5, high=-2.5)
    leads = leads_of([headline(controls=(OFF,))], lambda _: far)
    assert (leads.low, leads.high) == pytest.approx((-1.0404, 0.0504))
    assert leads.place(-3.0) == "0.0%"
    assert leads.place(leads.high) == "100.0%"
    assert [row.text for rows in leads.rows.values() for row in rows] == [
        "-300.0 % [-350.0, -250.0]",
        "-1.0 % [-3.0, +1.0]",
    ]


def test_controls_of_two_headlines_that_are_the_same_runs_are_shown_once():
    first, second = (headline(id=f"m_cnb.{key}", controls=(OFF,)) for key in ("best", "gain"))
    leads = leads_of([first, second], lambda _: verdict())
    shown = [[row.what for row in rows] for rows in leads.rows.values()]
    assert shown == [["best rival", "mechanism off"], ["best rival"]]
    assert leads.same == {"gain": first}
