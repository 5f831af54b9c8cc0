"""Run tables as they are read: what is wrong with one is named."""

from __future__ import annotations

import numpy as np
import pytest

from manybandits.base.artifacts import load_table, save_table
from manybandits.base.exceptions import InputError
from manybandits.results.runs import load_run
from tests.planted.runs import plant_line


def test_a_run_with_nan_or_without_a_column_is_named(tmp_path):
    path = plant_line(tmp_path, "club", 0.5)
    whole = load_table(path)
    save_table(path, whole.drop(columns="reward"))
    with pytest.raises(InputError, match=r"game-club\.parquet has no column 'reward'"):
        load_run(path)
    broken = whole.copy()
    broken.loc[3, "regret"] = np.nan
    save_table(path, broken)
    with pytest.raises(InputError, match=r"game-club\.parquet holds NaN"):
        load_run(path)
    save_table(path, whole.assign(chosen=False))
    with pytest.raises(InputError, match="no evaluation of the chosen grid point"):
        load_run(path)
