"""The figure of a sweep over an option: its values, and why points are equal."""

from __future__ import annotations

import numpy as np
import pytest

from manybandits.base.artifacts import load_facts, load_provenance, load_table, save_table
from manybandits.base.exceptions import InputError
from manybandits.figures import option_sweep
from manybandits.figures.identical import why_identical
from manybandits.results.runs import load_runs
from tests.planted.claims import plant
from tests.planted.runs import restamp


def plant_value(folder, title: str, layers: float, regret: float, size: float = np.nan):
    """Write a run with a depth of its network, and clusters of a size."""
    path = plant(folder, title, regret + np.arange(4.0))
    facts = load_facts(path)
    save_table(path, load_table(path).assign(size=size), {**facts, "chosen": f"alpha=1 layers={layers:g}"})
    return restamp(path)


def test_the_default_value_is_a_point_of_the_line_though_its_title_does_not_name_it(tmp_path):
    paths = [plant_value(tmp_path, "M-CNB", 2, 100), plant_value(tmp_path, "M-CNB, layers 8", 8, 80)]
    option_sweep.main(["--title", "T", "--x", "layers", "--runs", *map(str, paths), "--out", str(tmp_path / "f")])
    drawn = option_sweep.summarise(load_runs(paths), "layers", "std")
    assert set(drawn["algorithm"]) == {"M-CNB"}
    assert drawn["x"].tolist() == [2.0, 8.0]
    assert drawn["mean"].tolist() == pytest.approx([101.5, 81.5], rel=1e-5)
    seen = load_provenance(tmp_path / "f.csv")["facts"]["seen"]
    assert seen == "M-CNB has the least regret at layers = 8, 20 % below its worst"


def test_options_besides_the_swept_one_make_a_line_of_their_own(tmp_path):
    titles = ("M-CNB", "M-CNB, layers 8", "M-CNB, first own", "M-CNB, first own, layers 8")
    paths = [plant_value(tmp_path, title, 8 if "8" in title else 2, 100) for title in titles]
    drawn = option_sweep.summarise(load_runs(paths), "layers", "std")
    assert drawn.groupby("algorithm")["x"].apply(list).to_dict() == {"M-CNB": [2, 8], "M-CNB, first own": [2, 8]}


@pytest.mark.parametrize(
    ("size", "words"), [(50.0, "holds all 50 users"), (1.0, "the served user alone"), (7.0, "never changed which arm")]
)
def test_equal_points_say_why_they_are_equal(tmp_path, size, words):
    paths = [plant_value(tmp_path, f"M-CNB, layers {n}", n, 100, size) for n in (2, 4, 8)]
    (runs,) = load_runs(paths)
    assert words in why_identical(runs, "points")
    assert why_identical(runs, "points").startswith("All 3 points are identical")


def test_points_that_differ_have_no_reason_to_be_equal(tmp_path):
    paths = [plant_value(tmp_path, f"M-CNB, layers {n}", n, 100 + n) for n in (2, 4)]
    (runs,) = load_runs(paths)
    assert why_identical(runs) == ""


def test_an_option_that_no_run_has_is_named(tmp_path):
    panels = load_runs([plant_value(tmp_path, "M-CNB", 2, 100)])
    with pytest.raises(InputError, match="no run has the option 'depth'"):
        option_sweep.summarise(panels, "depth", "std")
