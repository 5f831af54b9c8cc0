"""What a run table holds of a play: its reported rows, the end of its tuning, and six digits of what was measured."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from manybandits.base.artifacts import Provenance, load_table
from manybandits.results.run_table import BITS, kept, rounded, save_run
from manybandits.results.runs import load_run
from tests.planted.runs import replica

ROUNDS = np.arange(1, 6) * 10
SETTINGS = {"tuning": "tuning-seeds", "grid": {}, "title": "L", "environment": {"name": "game"}}


def test_the_course_of_tuning_is_left_out_and_its_last_row_stays(tmp_path):
    replicas = [replica(seed, ROUNDS, ROUNDS / 7) for seed in range(3)]
    tuning = [one.assign(stage="tuning", seed=100 + one["seed"]) for one in replicas]
    save_run(tmp_path / "a.parquet", pd.concat([*tuning, *replicas]), SETTINGS, {"chosen": ""})
    rows = load_table(tmp_path / "a.parquet")
    assert rows[rows["stage"] == "tuning"]["round"].tolist() == [50] * 3
    assert (rows["stage"] == "evaluation").sum() == 3 * len(ROUNDS)
    assert kept(rows).equals(rows)


@given(st.floats(width=64))
def test_rounding_twice_is_rounding_once_and_moves_a_number_by_less_than_its_sixth_digit(value):
    once = rounded(np.array([value]))
    np.testing.assert_array_equal(rounded(once), once)
    if np.isfinite(value) and 1e-300 < abs(value) < 1e300:
        assert abs(once[0] - value) <= abs(value) * 2.0 ** -(BITS + 1)
    elif not np.isfinite(value):
        np.testing.assert_array_equal(once, [value])


def test_whole_numbers_up_to_a_million_are_exact():
    whole = np.arange(1_000_001.0)
    np.testing.assert_array_equal(rounded(whole), whole)


def test_a_lost_replica_stays_lost(tmp_path):
    lost = np.where(ROUNDS < 30, ROUNDS / 3, np.nan)
    path = tmp_path / "runs/planted/lost.parquet"
    facts = {"chosen": "", "replicas": 2, "diverged": ["seed 1"]}
    save_run(path, pd.concat([replica(0, ROUNDS, ROUNDS / 3), replica(1, ROUNDS, lost)]), SETTINGS, facts)
    Provenance({}).save(path)
    assert load_run(path).lost == 1
    np.testing.assert_array_equal(load_run(path).regret[1], rounded(lost))
