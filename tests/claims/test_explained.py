"""Which choice decides: made effects of which the answer is known."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from manybandits.claims.explained import decisive, explained


@pytest.fixture
def answers() -> pd.DataFrame:
    """64 readings of four choices."""
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {name: rng.choice(list("abc"[:count]), 64) for name, count in zip("wxyz", (2, 2, 3, 2), strict=True)}
    )


def test_a_claim_that_holds_exactly_where_one_choice_has_one_value_is_decided_by_it(answers):
    effects = np.where(answers["y"] == "b", 1.0, -1.0) + 0.05 * np.random.default_rng(1).normal(size=64)
    table = explained(effects, answers)
    assert table["choice"][0] == "y"
    assert table["low"][0] > 0.8
    assert decisive(table) == ["y"]


def test_two_choices_that_interact_are_reported_as_a_pair_and_not_as_one_of_them(answers):
    together = (answers["w"] == "a") == (answers["x"] == "a")
    effects = np.where(together, 1.0, -1.0) + 0.05 * np.random.default_rng(1).normal(size=64)
    table = explained(effects, answers)
    assert table["choice"][0] == "w and x"
    assert decisive(table) == ["w and x"]


def test_two_choices_that_add_up_are_both_named(answers):
    effects = (
        1.0 * (answers["w"] == "a") + 1.0 * (answers["z"] == "a") + 0.02 * np.random.default_rng(1).normal(size=64)
    )
    assert set(decisive(explained(effects, answers))) == {"w", "z"}


def test_effects_that_no_choice_changes_are_decided_by_none(answers):
    assert decisive(explained(np.full(64, 0.3), answers)) == []
