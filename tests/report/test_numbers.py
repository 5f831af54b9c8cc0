"""How numbers are written on pages."""

from __future__ import annotations

import pytest

from manybandits.claims.finding import LEAST
from manybandits.report.numbers import has_interval, number, of, quantity

LEAD = {"quantity": "lead in regret of CLUB over LOCB, relative", "comparisons": "3"}


@pytest.mark.parametrize("text", ["6.845e-16", "-6.845e-16", "0", "0.0"])
def test_what_rounding_leaves_of_zero_is_zero(text):
    assert number(text) == "0"


def test_a_small_number_that_is_no_rounding_error_is_shown():
    assert number("3.2e-09") == "3.2e-09"


@pytest.mark.parametrize(
    ("text", "shown"),
    [("-12.31", "-1,231 %"), ("0.5023", "50.23 %"), ("0.07", "7 %"), ("0.00123", "0.123 %"), ("", "")],
)
def test_a_relative_number_is_in_per_cent_and_its_quantity_says_so(text, shown):
    assert of(text, LEAD) == shown
    words = "lead in regret of CLUB over LOCB, in % of the rival, the least favourable of 3 comparisons"
    assert quantity(LEAD) == words


def test_another_number_keeps_its_unit():
    row = {"quantity": "final regret of LinUCB relative to Random", "comparisons": ""}
    assert of("-12.31", row) == "-12.31"
    assert quantity(row) == "final regret of LinUCB, relative to Random"


@pytest.mark.parametrize(("runs", "shown"), [("2", False), (str(LEAST - 1), False), (str(LEAST), True), ("", True)])
def test_an_interval_of_too_few_runs_is_not_shown(runs, shown):
    assert has_interval({"low": "0.1", "high": "0.2", "n": runs}) == shown
    assert not has_interval({"low": "", "high": "", "n": runs})
