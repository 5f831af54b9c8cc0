"""Reasons: numbers are read from the tables of targets, never typed, and what rests on nothing says so."""

from __future__ import annotations

import pytest

from manybandits.base.artifacts import save_text
from manybandits.base.exceptions import InputError
from manybandits.claims.reasons import sentence
from manybandits.papers.reason import Number, Reason

EARLY = Number(row={"algorithm": "CLUB", "horizon": 1000}, column="mean")


@pytest.fixture
def tables(tmp_path):
    save_text(
        tmp_path / "planted_fig2.csv", "algorithm,horizon,mean\nCLUB,1000,1234.5\nCLUB,2000,2.0\nLOCB,1000,0.25\n"
    )
    return tmp_path


def test_a_number_is_read_from_the_table_of_the_target(tables):
    reason = Reason(says="It has {early}.", target="planted_fig2", numbers={"early": EARLY})
    assert sentence(reason, tables, "x") == "It has 1,234."
    save_text(tables / "planted_fig2.csv", "algorithm,horizon,mean\nCLUB,1000,999\n")
    assert sentence(reason, tables, "x") == "It has 999."


def test_what_all_numbers_have_in_common_is_said_once(tables):
    numbers = {"early": Number(row={"horizon": EARLY.row["horizon"]}, column="mean")}
    common = {name: value for name, value in EARLY.row.items() if name != "horizon"}
    reason = Reason(says="It has {early}.", target="planted_fig2", row=common, numbers=numbers)
    assert sentence(reason, tables, "x") == "It has 1,234."


def test_a_share_and_a_number_of_the_paper_have_their_form_and_place(tables):
    share = Number(row={"algorithm": "LOCB"}, column="mean", form=".0%")
    stated = Number(stated=100, place="section 6")
    reason = Reason(says="{a} of {b} steps.", target="planted_fig2", numbers={"a": share, "b": stated})
    assert sentence(reason, tables, "x") == "25% of 100 (section 6) steps."


def test_a_conjecture_is_called_one(tables):
    assert sentence(Reason(says="It may be.", conjecture=True), tables, "x") == "Conjecture: It may be."


def test_a_reason_whose_target_was_left_out_is_not_given(tables):
    reason = Reason(says="It has {early}.", target="planted_fig9", numbers={"early": EARLY})
    assert sentence(reason, tables, "x") == "It rests on planted_fig9, which is not part of this run."


def test_a_reason_whose_run_was_left_out_is_not_given(tables):
    lost = Number(row={"algorithm": "SCLUB"}, column="mean")
    reason = Reason(says="It has {early} of {lost}.", target="planted_fig2", numbers={"early": EARLY, "lost": lost})
    assert sentence(reason, tables, "x") == "It rests on a run of planted_fig2 that was not played here."


@pytest.mark.parametrize(
    ("condition", "given"), [("early > 1000", True), ("early < least", False), ("least < 1", True)]
)
def test_a_reason_that_its_own_numbers_contradict_is_not_given(tables, condition, given):
    """VERDICTS 7.10: explanations stood beside figures that contradicted them."""
    least = Number(row={"algorithm": "LOCB"}, column="mean")
    numbers = {"early": EARLY, "least": least}
    reason = Reason(says="{early}, {least}.", target="planted_fig2", numbers=numbers, only_if=(condition,))
    said = sentence(reason, tables, "x")
    assert (said == "1,234, 0.") is given
    assert (
        given
        or said
        == f"Unexplained: the explanation that was known asks for {condition} in planted_fig2, and it is not so."
    )


@pytest.mark.parametrize(
    ("number", "words"),
    [
        ({"row": {"algorithm": "CLUB"}, "column": "mean"}, "2 rows of"),
        ({"row": {"algorihm": "CLUB"}, "column": "mean"}, "did you mean 'algorithm'"),
        ({"row": {"algorithm": "LOCB"}, "column": "men"}, "did you mean 'mean'"),
    ],
)
def test_a_number_that_is_not_in_the_table_stops_with_its_row_or_column(tables, number, words):
    reason = Reason(says="It has {early}.", target="planted_fig2", numbers={"early": Number(**number)})
    with pytest.raises(InputError, match=words):
        sentence(reason, tables, "claims.yaml, reason early")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"says": "It is so."}, "needs either `target`"),
        ({"says": "It is so.", "target": "a_b", "conjecture": True}, "needs either `target`"),
        ({"says": "It has 1,234 of them.", "target": "a_b"}, "typed number 1,234"),
        ({"says": "With 5 runs.", "conjecture": True}, "typed number 5"),
        ({"says": "It has {early}.", "target": "a_b"}, "has the numbers"),
        ({"says": "It has.", "target": "a_b", "numbers": {"early": EARLY}}, "has the numbers"),
        ({"says": "{a}", "target": "a_b", "numbers": {"a": EARLY}, "only_if": ("b < 1",)}, "given only if 'b < 1'"),
        ({"says": "{a}", "target": "a_b", "numbers": {"a": EARLY}, "only_if": ("a <= 1",)}, "given only if 'a <= 1'"),
    ],
)
def test_a_reason_needs_a_target_and_no_typed_number(given, words):
    with pytest.raises(ValueError, match=words):
        Reason(**given)


def test_places_and_names_are_no_typed_numbers():
    Reason(says="Table 2 and Figures 3, 4 of J_1 steps; section 6.1, Algorithm 1, M2.", conjecture=True)
