"""Which choice decides: made effects of which the answer is known."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest

from manybandits.base.table_files import DECIMALS
from manybandits.claims.explained import decisive, explained

UNKNOWN = np.full(64, np.nan)
"""The errors of 64 effects without intervals."""


@pytest.fixture
def answers() -> pd.DataFrame:
    """64 readings of four choices."""
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {name: rng.choice(list("abc"[:count]), 64) for name, count in zip("wxyz", (2, 2, 3, 2), strict=True)}
    )


def test_a_claim_that_holds_exactly_where_one_choice_has_one_value_is_decided_by_it(answers):
    effects = np.where(answers["y"] == "b", 1.0, -1.0) + 0.05 * np.random.default_rng(1).normal(size=64)
    table = explained(effects, answers, UNKNOWN)
    assert table["choice"][0] == "y"
    assert table["low"][0] > 0.8
    assert decisive(table) == ["y"]


def test_choices_that_explain_nothing_have_a_share_of_nothing_and_keep_their_order(answers):
    table = explained(np.where(answers["y"] == "b", 1.0, -1.0), answers, UNKNOWN)
    assert [*table["choice"][:4]] == ["y", "w", "x", "z"]
    assert (table["share"][1:] == 0).all()  # rounding errors are no share, and order nothing


def test_two_choices_that_interact_are_reported_as_a_pair_and_not_as_one_of_them(answers):
    together = (answers["w"] == "a") == (answers["x"] == "a")
    effects = np.where(together, 1.0, -1.0) + 0.05 * np.random.default_rng(1).normal(size=64)
    table = explained(effects, answers, UNKNOWN)
    assert table["choice"][0] == "w and x"
    assert decisive(table) == ["w and x"]


def test_two_choices_that_add_up_are_both_named(answers):
    effects = 1.0 * (answers["w"] == "a") + 1.0 * (answers["z"] == "a")
    effects += 0.02 * np.random.default_rng(1).normal(size=64)
    assert set(decisive(explained(effects.to_numpy(), answers, UNKNOWN))) == {"w", "z"}


def test_effects_that_no_choice_changes_are_decided_by_none(answers):
    assert decisive(explained(np.full(64, 0.3), answers, UNKNOWN)) == []


def test_what_many_choices_explain_by_chance_decides_nothing():
    rng = np.random.default_rng(3)
    many = pd.DataFrame({f"q{place}": rng.choice(list("ab"), 64) for place in range(7)})
    named = [decisive(explained(rng.normal(size=64), many, UNKNOWN)) for _ in range(5)]
    assert sum(map(bool, named)) <= 2  # one in ten: of choices and of pairs, one in twenty each
    table = explained(rng.normal(size=64), many, UNKNOWN)
    pairs = table["choice"].str.contains(" and ")
    assert table.loc[pairs, "share"].max() > 0.05  # chance explains as much of something, and it is not named
    assert (table["chance"] > 0.05).all()


def test_shares_are_those_of_least_squares(answers):
    """The share of a choice is what the sum of squares gains without its columns, fitted anew."""
    effects = np.random.default_rng(2).normal(size=64) + (answers["y"] == "c")
    columns = {name: pd.get_dummies(answers[name], drop_first=True).to_numpy(float) for name in answers}

    def left_over(names) -> float:
        design = np.concatenate([np.ones((64, 1)), *(columns[name] for name in names)], axis=1)
        return float(((effects - design @ np.linalg.lstsq(design, effects, rcond=None)[0]) ** 2).sum())

    shares = explained(effects.to_numpy(), answers, UNKNOWN).set_index("choice")["share"]
    total = ((effects - effects.mean()) ** 2).sum()
    for name in answers:
        others = [other for other in answers if other != name]
        expected = (left_over(others) - left_over(list(answers))) / total
        assert shares[name] == pytest.approx(round(expected, DECIMALS))


@pytest.fixture
def all_eight() -> pd.DataFrame:
    """All readings of three choices of two values."""
    return pd.DataFrame([list(row) for row in product("ab", repeat=3)], columns=list("xyz"))


def test_a_choice_decides_a_complete_set_if_it_explains_more_than_the_errors_of_the_runs(all_eight):
    """Among eight readings one random order in twelve separates as well: orders alone would let nothing decide."""
    effects = np.where(all_eight["y"] == "b", 1.0, -1.0) + 0.05 * np.random.default_rng(1).normal(size=8)
    known = explained(effects, all_eight, np.full(8, 0.1))
    assert decisive(known) == ["y"]
    assert known["low"].isna().all()
    assert known["chance"][0] < 0.1
    assert decisive(explained(effects, all_eight, np.full(8, np.nan))) == []


def test_what_the_errors_of_the_runs_explain_decides_nothing_of_a_complete_set(all_eight):
    rng = np.random.default_rng(4)
    named = [decisive(explained(rng.normal(size=8), all_eight, np.ones(8))) for _ in range(20)]
    assert sum(map(bool, named)) <= 3


def test_a_set_that_lacks_a_reading_is_a_sample(all_eight):
    effects = np.where(all_eight["y"] == "b", 1.0, -1.0)
    assert explained(effects[:7], all_eight[:7], np.full(7, 0.01))["chance"][0] > 0.5


def test_pairs_that_are_combined_in_the_same_reading_only_are_not_told_apart():
    singles = pd.DataFrame(np.where(np.eye(8, dtype=bool), "b", "a"), columns=list("opqrstuv"))
    combined = pd.DataFrame([["b", "b", "b", *"aaaaa"]], columns=list("opqrstuv"))
    answers = pd.concat([pd.DataFrame([["a"] * 8], columns=list("opqrstuv")), singles, combined], ignore_index=True)
    effects = np.array([*np.full(9, 0.3), -0.5]) + 0.01 * np.random.default_rng(2).normal(size=10)
    table = explained(effects, answers, np.full(10, np.nan)).set_index("choice")
    assert table.loc[["o and p", "o and q", "p and q"]].isna().all(axis=None)
    assert not any(" and " in choice for choice in decisive(table.reset_index()))
