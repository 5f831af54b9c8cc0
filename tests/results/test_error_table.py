"""Errors of estimators in figures and tables: planted slopes are found, and stated ones are computed, not written."""

import numpy as np
import pandas as pd
import pytest

from manybandits.base.artifacts import load_provenance, save_table
from manybandits.base.exceptions import InputError
from manybandits.estimators.comparison import DEFAULTS, ESTIMATORS
from manybandits.estimators.comparison import main as regress
from manybandits.figures import alignment, estimation_errors
from manybandits.results.error_table import load_errors
from manybandits.tables import alignment as alignment_table
from manybandits.tables import estimation_errors as errors_table
from manybandits.tables import slopes

SWEEPS = {"rows": [100, 400, 1600], "support": [1, 3, 9]}
POWERS = dict(zip(ESTIMATORS, (-0.5, 0.0, 0.0, -0.25, 0.5), strict=True))


def make_errors(folder, regime="standard", sweeps=SWEEPS):
    """Write a table in which the error of each estimator is a power of what is swept."""
    rng = np.random.default_rng(0)
    rows = [
        (swept, float(value), name, seed, value**power * (1 + 0.02 * rng.normal()))
        for swept, values in sweeps.items()
        for name, power in POWERS.items()
        for value in values
        for seed in range(12)
    ]
    path = folder / f"{regime}.parquet"
    settings = {**DEFAULTS, "regime": regime, "seeds": list(range(12))}
    facts = {"constants": {swept: {"Robust multitask": 2.0} for swept in sweeps}, "ridged": {}}
    table = pd.DataFrame(rows, columns=["swept", "value", "estimator", "seed", "error"])
    save_table(path, table, {"settings": settings, **facts})
    return path


def test_planted_slopes_are_found_within_their_intervals(tmp_path):
    table = slopes.summarise(load_errors([make_errors(tmp_path)]))
    for row in table.itertuples():
        planted = POWERS[row.estimator]
        assert row.low - 0.005 < planted < row.high + 0.005
        assert abs(row.slope - planted) < 0.01
    assert (table["n"] == 12).all()
    assert table.set_index("estimator")["bound"].drop_duplicates().to_dict()["Robust multitask"] == "upper"


def test_stated_slopes_are_those_of_the_rates_over_the_points(tmp_path):
    made = load_errors([make_errors(tmp_path), make_errors(tmp_path, "poor")])
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
    text = slopes.markdown(slopes.summarise(load_errors([make_errors(tmp_path, "poor")])), "T")
    assert "| Robust multitask | +0.50 [" in text
    assert "(+1.00) |" in text
    assert "(+0.00 to +0.63)" in text
    assert "-0.00" not in text.replace("[-0.00", "")


def test_a_sweep_without_a_stated_rate_has_no_slopes(tmp_path):
    path = make_errors(tmp_path, sweeps={"omega": [0.1, 0.2]})
    with pytest.raises(InputError, match="sweeps omega, but Table 1 states rates in rows, dimension"):
        slopes.summarise(load_errors([path]))


@pytest.mark.parametrize(("figure", "table"), [(estimation_errors, errors_table), (estimation_errors, slopes)])
def test_errors_are_drawn_and_tabulated_with_what_they_were_drawn_from(tmp_path, figure, table):
    paths = [str(make_errors(tmp_path, regime)) for regime in ("standard", "poor")]
    for module, stem in ((figure, "figure"), (table, "table")):
        module.main(["--title", "T", "--runs", *paths, "--out", str(tmp_path / stem)])
    drawn = pd.read_csv(tmp_path / "figure.csv")
    assert len(drawn) == 2 * 2 * 5 * 3
    facts = load_provenance(tmp_path / "figure.csv")["facts"]
    assert "over 12 draws" in facts["caption"]
    assert [text.split(",")[1] for text in facts["data"]] == [" standard regime", " poor regime"]
    for name in ("figure.png", "figure.svg", "table.md", "table.tex"):
        assert (tmp_path / name).stat().st_size > 1000


def test_the_picture_of_alignment_shows_what_was_found(tmp_path):
    path = tmp_path / "picture.parquet"
    setting = ["design=mixed", "dimension=24", "instances=20", "constant=4"]
    regress(["--set", *setting, "--seeds", "0", "--tuning-seeds", "1", "--out", str(path)])
    for module, stem in ((alignment, "figure"), (alignment_table, "table")):
        module.main(["--title", "T", "--runs", str(path), "--out", str(tmp_path / stem)])
    counts = pd.read_csv(tmp_path / "table.csv").set_index("part")["components"]
    assert counts["difference of instance 0"] == 3
    assert counts["their mean"] == 24
    assert counts["their trimmed mean"] == 1
    assert counts["found by LASSO after the trimmed mean"] < counts["found by LASSO after the mean"]
    assert (tmp_path / "figure.png").stat().st_size > 1000


def test_another_table_is_named(tmp_path):
    path = make_errors(tmp_path)
    with pytest.raises(InputError, match="is no table of coefficients: it has the columns swept"):
        alignment.load_parts(path)
    save_table(path, pd.DataFrame({"x": [1]}))
    with pytest.raises(InputError, match="is no table of errors: it has the columns x"):
        load_errors([path])
