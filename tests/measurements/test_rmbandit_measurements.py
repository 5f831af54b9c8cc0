"""What RMBandit's lemma on the trimmed mean bounds, and how often the bandit updates."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from manybandits.base.artifacts import load_provenance
from manybandits.measurements import rmbandit_lemma1 as lemma1
from manybandits.measurements import rmbandit_updates as updates


def test_the_trimmed_mean_keeps_the_bound_and_the_mean_does_not():
    found = lemma1.shares(1600, draws=50)
    assert found["trimmed mean"] <= found["bound of Lemma 1"] < 0.01
    assert found["mean"] == 1.0


def test_the_bound_of_the_lemma_is_its_formula_and_says_nothing_of_few_values():
    assert lemma1.bound(1600) == pytest.approx(3 * np.exp(-1600 * 0.04 / 9))
    assert lemma1.bound(50) > 1.0
    assert lemma1.ETA < 0.5 - lemma1.C - lemma1.ZETA


def test_twice_the_rounds_need_one_update_more_or_none():
    counts = [updates.updates(horizon) for horizon in (5_000, 10_000, 20_000, 40_000)]
    steps = np.diff(counts)
    assert set(steps.tolist()) <= {0, 1}
    assert steps.sum() >= 2
    assert counts[-1] <= np.log2(40_000)


def test_a_simulation_is_no_stand_in_so_that_claims_are_judged_on_it(tmp_path):
    lemma1.main(["--draws", "5", "--out", str(tmp_path / "t")])
    table = pd.read_csv(tmp_path / "t.csv")
    assert set(table["part"]) == set(lemma1.PARTS)
    assert load_provenance(tmp_path / "t.csv")["facts"]["stand_in"] is False
