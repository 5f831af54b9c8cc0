"""Errors of estimators are measured on what is given, whatever else is measured beside it."""

import numpy as np
import pytest

from manybandits.base.artifacts import load_facts, load_table
from manybandits.base.exceptions import InputError
from manybandits.estimators.comparison import (
    ESTIMATORS,
    MULTITASK,
    Point,
    coefficients,
    main,
    measure,
    points_of,
    sweep,
)

SMALL = {"rows": 60, "dimension": 20, "instances": 10, "support": 2}


def run(path, *arguments):
    main([*arguments, "--out", str(path)])
    return load_table(path), load_facts(path)


def test_errors_of_a_sweep_are_those_of_its_points_alone(tmp_path):
    given = ["--set", "dimension=20", "instances=10", "constant=2", "--tuning-seeds", "100", "--seeds"]
    both, _ = run(tmp_path / "both.parquet", "--sweep", "rows=40,80", "--sweep", "support=1,2", *given, "0", "1")
    one, _ = run(tmp_path / "one.parquet", "--sweep", "rows=80", *given, "1")
    same = both[(both["swept"] == "rows") & (both["value"] == 80) & (both["seed"] == 1)]
    assert same["error"].tolist() == one["error"].tolist()
    assert one["estimator"].tolist() == list(ESTIMATORS)
    assert len(both) == 2 * 2 * 2 * len(ESTIMATORS)


def test_the_same_command_gives_the_same_bytes(tmp_path):
    given = ["--sweep", "rows=40,80", "--set", "dimension=20", "--seeds", "0", "--tuning-seeds", "100"]
    for name in ("a", "b"):
        run(tmp_path / name, *given)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_constant_is_chosen_on_the_tuning_seeds_for_each_estimator(tmp_path):
    arguments = ["--sweep", "rows=100,200", "--set", "dimension=40", "--seeds", "0", "--tuning-seeds", "100", "101"]
    _, made = run(tmp_path / "x", *arguments)
    points = points_of({"dimension": 40}, {"rows": [100, 200]})["rows"]
    for name in MULTITASK:
        errors = np.array([measure(point, [100, 101])[0][name].mean(axis=0) for point in points.values()])
        best = points[100.0].constants[np.log(errors).mean(axis=0).argmin()]
        assert made["constants"]["rows"][name] == best
    assert len(set(made["constants"]["rows"].values())) == 2


def test_fewer_rows_than_coefficients_are_counted():
    points = points_of({**SMALL, "design": "generic", "constant": 1.0}, {"rows": [15, 60]})["rows"]
    assert sweep("rows", points, [0, 1], []).ridged == 10 * 2


def test_where_nothing_differs_the_robust_estimator_errs_as_the_average_does():
    """With equal designs and no delta, under a penalty that trusts what is shared."""
    errors, _ = measure(Point.of({**SMALL, "support": 0, "omega": 0.0, "constant": 50.0}), [0, 1, 2])
    np.testing.assert_allclose(errors["Robust multitask"][:, 0], errors["Averaging"], rtol=1e-9)
    np.testing.assert_allclose(errors["Pooling"], errors["Averaging"], rtol=1e-9)


def test_without_a_penalty_multitask_estimators_are_least_squares():
    errors, _ = measure(Point.of({**SMALL, "constant": 0.0}), [0, 1])
    for name in MULTITASK:
        np.testing.assert_allclose(errors[name][:, 0], errors["Independent"], rtol=1e-6)


def test_a_poorly_aligned_component_is_recovered_and_a_well_aligned_one_is_not():
    setting = {"design": "mixed", "dimension": 24, "instances": 20, "support": 3, "constant": 4.0}
    table = coefficients(Point.of(setting), 0)
    part = {name: rows["value"].to_numpy() for name, rows in table.groupby("part")}
    assert np.count_nonzero(part["Averaging"]) == 24
    assert np.flatnonzero(part["Trimmed mean"]).tolist() == [23]
    assert np.flatnonzero(part["Robust multitask"]).tolist() == [0, 1, 2, 23]
    assert np.count_nonzero(part["Averaging multitask"]) > 4


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--set", "row=3"], "unknown setting of a regression 'row': did you mean 'rows'?"),
        (["--set", "rows=few"], "'rows=few' does not give rows a value such as 400"),
        (["--set", "omega=0.5"], "omega is 0.5, the share that is cut at each end"),
        (["--set", "constant=-1"], "constant is -1, but it scales the penalty"),
        (["--set", "failure=2"], "failure is 2, but it is a probability"),
        (["--set", "failure=0.5", "constant=1"], "leave out one"),
        (["--sweep", "rows"], "'rows' does not give rows a value such as 400"),
    ],
)
def test_bad_settings_stop_with_one_sentence(tmp_path, arguments, words):
    with pytest.raises(InputError) as error:
        run(tmp_path / "x", *arguments, "--seeds", "0", "--tuning-seeds", "1")
    assert words in str(error.value)


@pytest.mark.parametrize(("share", "spoilt"), [(0.1, False), (0.19, False), (0.25, True)])
def test_the_trimmed_mean_stands_what_fewer_instances_move_than_it_cuts(share, spoilt):
    """With a penalty that finds nothing, what is left is the error of the trimmed mean in what others move."""
    setting = {**SMALL, "instances": 100, "support": 3, "others": 1000.0, "share": share, "constant": 1e6}
    errors, _ = measure(Point.of(setting), [0])
    assert (errors["Robust multitask"][0, 0] > 100.0) == spoilt


def test_the_corollaries_give_the_penalty_and_the_share_that_is_cut():
    point = Point.of({**SMALL, "instances": 2000, "failure": 0.5})
    assert point.penalty * point.constants[0] == pytest.approx(np.sqrt(32 * np.log(160) / 60))
    assert point.omega == pytest.approx(np.sqrt(0.1) + np.sqrt(9 * np.log(240) / 2000))
    poor = Point.of({**SMALL, "instances": 2000, "failure": 0.5, "regime": "poor", "omega": 0.12})
    assert poor.omega == pytest.approx(0.12 + np.sqrt(9 * np.log(240) / 2000))


def test_controls_lack_a_step_each():
    """The trimmed mean has no LASSO, and the LASSO of one instance nothing that is shared."""
    errors, _ = measure(Point.of({**SMALL, "constant": 1e6}), [0, 1])
    np.testing.assert_allclose(errors["Robust multitask"][:, 0], errors["Trimmed mean"], rtol=1e-9)
    free, _ = measure(Point.of({**SMALL, "constant": 0.0}), [0, 1])
    np.testing.assert_allclose(free["LASSO"][:, 0], free["Independent"], rtol=1e-6)
