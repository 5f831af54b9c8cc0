"""Figures and tables of whole grids."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from manybandits.base.artifacts import load_facts, load_table, save_table
from manybandits.base.exceptions import InputError
from manybandits.figures import grid as figure
from manybandits.figures.canvas import Words
from manybandits.figures.kind import facts_of
from manybandits.results.runs import load_points, load_run, load_runs
from manybandits.tables import grid as table
from tests.planted.runs import plant_run, replica, restamp

REWARDS = {"alpha=0.1 most=5": 40.0, "alpha=1 most=5": 60.0, "alpha=10 most=5": 50.0}


def plant(folder, title: str, tuning: str = "best-of-grid", points: dict[str, float] = REWARDS):
    """Write the run table of a grid, whose final rewards are those of `points`, and a little more a seed."""
    rounds = np.array([50, 100])
    replicas = [
        replica(seed, rounds, rounds - reward, reward, options=options, chosen=height == 60.0)
        for options, height in points.items()
        for seed in range(4)
        for reward in [(height + seed) * rounds / 100]
    ]
    return plant_run(
        folder / f"{title}.parquet",
        replicas,
        {"name": "log", "data_note": "a log"},
        title=title,
        tuning=tuning,
        grid={"alpha": [0.1, 1, 10], "most": sorted({int(one[-1]) for one in points})},
        facts={"chosen": next(one for one, height in points.items() if height == 60.0), "replicas": 4 * len(points)},
    )


def test_points_are_the_final_rewards_of_every_value(tmp_path):
    points = load_points(load_run(plant(tmp_path, "One")))
    assert list(points) == ["0.1", "1", "10"]
    assert np.array_equal(points["10"], [50, 51, 52, 53])


def test_the_grid_of_a_run_that_tuned_on_other_seeds_is_refused(tmp_path):
    run = load_run(plant(tmp_path, "One", "tuning-seeds"))
    with pytest.raises(InputError, match="its grid points did not play the reported seeds"):
        load_points(run)


def test_the_figure_and_the_table_show_every_value_and_mark_the_best(tmp_path):
    paths = [plant(tmp_path, name) for name in ("One", "Two")]
    for place in ("a", "b"):
        figure.main(["--title", "T", "--runs", *map(str, paths), "--out", str(tmp_path / place / "f")])
        table.main(["--title", "T", "--runs", *map(str, paths), "--out", str(tmp_path / place / "t")])
    drawn = pd.read_csv(tmp_path / "a/f.csv")
    rows = table.summarise(load_runs(paths))
    assert np.allclose(drawn["reward"], rows["reward"])
    assert rows.loc[rows["mark"] == "best", "values"].tolist() == ["1", "1"]
    assert rows["reward_per_round"].tolist() == pytest.approx([0.415, 0.615, 0.515] * 2)
    for name in ("f.svg", "f.csv", "t.csv", "t.md", "t.tex"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    assert "| One | 1 | **61.5 ± 1.3** | 0.615 | 4 |" in (tmp_path / "a/t.md").read_text()
    assert r"One & 1 & $\mathbf{61.5 \pm 1.3}$ & 0.615 \\" in (tmp_path / "a/t.tex").read_text()


def test_where_all_tune_two_options_each_has_a_heat_map_with_its_best_in_a_frame(tmp_path):
    points = {f"alpha={alpha} most={most}": 10.0 * alpha + most for alpha in (0.1, 1, 10) for most in (5, 7)}
    points["alpha=1 most=7"] = 60.0
    panels = load_runs([plant(tmp_path, name, points=points) for name in ("One", "Two")])
    drawn = figure.figure_of(figure.summarise(panels), Words("T"), {}, facts_of(panels))
    assert [axes.get_title(loc="left") for axes in drawn.axes] == ["One", "Two"]
    written = [text.get_text() for text in drawn.axes[0].texts]
    assert written == ["8", "10", "16", "62", "106", "108"]
    (frame,) = drawn.axes[0].patches
    assert (frame.get_x(), frame.get_y()) == (1.0, 2.0)
    assert [label.get_text() for label in drawn.axes[0].get_yticklabels()] == ["0.1", "1", "10"]


def test_a_grid_point_with_lost_runs_says_how_many(tmp_path):
    run = load_run(plant(tmp_path, "One"))
    lost = pd.read_parquet(run.path)
    lost.loc[(lost["options"] == "alpha=10 most=5") & (lost["seed"] > 1) & (lost["round"] == 100), "reward"] = np.nan
    save_table(run.path, lost, load_facts(run.path))
    restamp(run.path)
    rows = table.summarise([[run]])
    assert rows["lost"].tolist() == [0, 0, 2]
    assert "| One | 10 | 2 of 4 failed |  | 4 |" in table.TABLE.markdown(rows, "T")
    assert r"One & 10 & 2 of 4 failed &  \\" in table.TABLE.latex(rows, "T")


def test_a_run_without_a_tuned_option_is_one_point_without_a_name(tmp_path):
    path = plant(tmp_path, "One")
    facts = load_facts(path)
    facts["settings"]["grid"] = {"alpha": [1], "most": [5]}
    table_of_one = load_table(path).query("options == 'alpha=1 most=5'")
    save_table(path, table_of_one, facts)
    run = load_run(restamp(path))
    assert [figure.point_of(run.varied, values) for values in load_points(run)] == [""]
    figure.main(["--title", "T", "--runs", str(path), "--out", str(tmp_path / "f")])
    assert (tmp_path / "f.svg").is_file()


def test_a_claim_names_the_grid_point_of_its_published_number(tmp_path):
    run = load_run(plant(tmp_path, "One"))
    assert [figure.point_of(run.varied, values) for values in load_points(run)] == ["alpha=0.1", "alpha=1", "alpha=10"]
