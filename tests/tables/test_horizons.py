"""The table of horizons: planted slopes are found, and the one within the longest run stays apart."""

from __future__ import annotations

import numpy as np
import pytest

from manybandits.base.exceptions import InputError
from manybandits.results.runs import load_runs
from manybandits.tables import horizons
from tests.planted.claims import plant

SEEDS = np.array([0.9, 1.0, 1.1, 1.0])


def plant_horizons(folder, title, power, lengths=(100, 400, 1600)):
    """Write runs whose regret is `horizon ** power`, and grows evenly within each."""
    return [plant(folder / str(one), title, SEEDS * one**power, horizon=one) for one in lengths]


def test_the_slope_over_horizons_is_that_of_the_runs_and_not_of_the_rounds_within_one(tmp_path):
    runs = plant_horizons(tmp_path, "RMBandit", 0.25) + plant_horizons(tmp_path, "Random", 1.0)
    table = horizons.summarise(load_runs(runs)).set_index("algorithm")
    assert table.loc["RMBandit", "slope"].tolist() == pytest.approx([0.25] * 3)
    assert table.loc["RMBandit", "within_slope"].tolist() == pytest.approx([1.0] * 3)
    assert table.loc["Random", "slope"].tolist() == pytest.approx([1.0] * 3)
    assert table.loc["RMBandit", "horizon"].tolist() == [100, 400, 1600]
    text = horizons.TABLE.markdown(table.reset_index(), "T")
    assert "| RMBandit | 3.2 ± 0.3 | 4.5 ± 0.4 | 6.3 ± 0.5 | +0.25 [+0.25, +0.25] | +1.00 [+1.00, +1.00] |" in text
    assert "T = 1,600" in text
    assert "+0.25" in horizons.TABLE.latex(table.reset_index(), "T")


def test_a_single_horizon_has_no_slope(tmp_path):
    with pytest.raises(InputError, match=r"is the only run of RMBandit on its game: a slope needs two horizons"):
        horizons.summarise(load_runs(plant_horizons(tmp_path, "RMBandit", 0.5, (100,))))


def test_a_lost_run_leaves_no_slope(tmp_path):
    runs = plant_horizons(tmp_path, "RMBandit", 0.5, (100, 400))
    panels = load_runs(runs)
    panels[0][0].regret[0, -1] = np.nan
    table = horizons.summarise(panels)
    assert table["slope"].isna().all()
    assert "1 of 4 failed" in horizons.TABLE.markdown(table, "T")
