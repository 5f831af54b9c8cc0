"""The table of slopes: planted ones are found, and stated ones are computed, not written."""

from __future__ import annotations

import numpy as np
import pytest

from manybandits.base.exceptions import InputError
from manybandits.results.error_table import load_errors
from manybandits.tables import slopes
from tests.planted.errors import POWERS, plant_powers


def test_planted_slopes_are_found_within_their_intervals(tmp_path):
    table = slopes.summarise(load_errors([plant_powers(tmp_path)]))
    for row in table.itertuples():
        planted = POWERS[row.estimator]
        assert row.low - 0.005 < planted < row.high + 0.005
        assert abs(row.slope - planted) < 0.01
    assert (table["n"] == 12).all()
    assert table.set_index("estimator")["bound"].drop_duplicates().to_dict()["Robust multitask"] == "upper"


def test_stated_slopes_are_those_of_the_rates_over_the_points(tmp_path):
    made = load_errors([plant_powers(tmp_path), plant_powers(tmp_path, "poor")])
    stated = slopes.summarise(made).set_index(["regime", "swept", "estimator"])
    for regime in ("standard", "poor"):
        for name in ("Independent", "Robust multitask", "Averaging multitask"):
            assert np.isclose(stated.loc[(regime, "rows", name), "stated"], -0.5)
    # The bias of an average does not go away: 3 x 2 beside 100 / sqrt(50 n), which is 1.41, 0.71 and 0.35.
    averaging = stated.loc[("standard", "rows", "Averaging")]
    assert -0.1 < averaging["stated_least"] < averaging["stated_most"] < 0.0
    assert np.isclose(stated.loc[("poor", "support", "Robust multitask"), "stated"], 1.0)
    robust = np.sqrt(100 * np.array([1, 3, 9])) + 100 / np.sqrt(50)
    assert np.isclose(
        stated.loc[("standard", "support", "Robust multitask"), "stated"],
        np.polyfit(np.log([1, 3, 9]), np.log(robust), 1)[0],
    )
    # min(50 s, 100): twice as much from 1 to 3, and no more to 9.
    moved = stated.loc[("poor", "support", "Averaging multitask")]
    assert np.isclose(moved["stated_most"], np.log(2) / np.log(3))
    assert moved["stated_least"] == 0.0


def test_a_stated_slope_that_is_not_one_number_is_a_range(tmp_path):
    text = slopes.TABLE.markdown(slopes.summarise(load_errors([plant_powers(tmp_path, "poor")])), "T")
    assert "| Robust multitask | +0.50 [" in text
    assert "(+1.00) |" in text
    assert "(+0.00 to +0.63)" in text
    assert "-0.00" not in text.replace("[-0.00", "")


def test_a_sweep_without_a_stated_rate_has_no_slopes(tmp_path):
    path = plant_powers(tmp_path, sweeps={"omega": [0.1, 0.2]})
    with pytest.raises(InputError, match="sweeps omega, but Table 1 states rates in rows, dimension"):
        slopes.summarise(load_errors([path]))
