"""The table of final regrets: the best, and what is not told apart from it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from manybandits.results.runs import load_runs
from manybandits.tables import regret as table
from tests.planted.runs import UNMEASURED, plant_agents, plant_line, plant_run, replica


def test_the_table_marks_the_best_and_what_is_not_told_apart(runs, tmp_path):
    table.main(["--title", "T", "--runs", *map(str, runs), "--out", str(tmp_path / "t")])
    rows = pd.read_csv(tmp_path / "t.csv", keep_default_na=False)
    first = rows[rows["environment"] == "a"].set_index("algorithm")
    assert first.loc["CLUB", "mark"] == "best" or first.loc["LOCB", "mark"] == "best"
    assert not (first["mark"] == "=").any()  # 6 pairs cannot give p < 5 % after Holm's correction: nothing is said
    assert "**" in (tmp_path / "t.md").read_text()
    assert r"Mine \& <yours>" in (tmp_path / "t.tex").read_text()


def test_ten_equal_pairs_are_not_told_apart(tmp_path):
    paths = [plant_line(tmp_path, name, slope, seeds=10) for name, slope in (("club", 0.5), ("locb", 0.5))]
    table.main(["--title", "T", "--runs", *map(str, paths), "--out", str(tmp_path / "t")])
    assert pd.read_csv(tmp_path / "t.csv", keep_default_na=False)["mark"].tolist() == ["best", "="]


def test_ten_clear_pairs_are_told_apart(tmp_path):
    paths = [plant_line(tmp_path, name, slope, seeds=10) for name, slope in (("club", 0.5), ("mine", 0.9))]
    table.main(["--title", "T", "--runs", *map(str, paths), "--out", str(tmp_path / "t")])
    assert pd.read_csv(tmp_path / "t.csv", keep_default_na=False)["mark"].tolist() == ["best", ""]


def test_runs_that_were_all_lost_are_not_ranked(tmp_path):
    paths = [plant_line(tmp_path, name, slope, seeds=10) for name, slope in (("club", 0.5), ("mine", 0.9))]
    (runs,) = load_runs(paths)
    lost = [replace(run, regret=np.full_like(run.regret, np.nan)) for run in runs]
    assert table.summarise([lost])["mark"].tolist() == ["", ""]
    assert table.summarise([[lost[0], runs[1]]])["mark"].tolist() == ["best", ""]


def test_runs_of_few_seeds_stand_beside_those_of_many_and_are_not_tested(tmp_path):
    plays = [plant_line(tmp_path, "club", 0.5, seeds=12), plant_line(tmp_path, "locb", 0.5, seeds=12)]
    plays.append(plant_line(tmp_path, "mine", 0.501, seeds=3))
    table.main(["--title", "T", "--runs", *map(str, plays), "--out", str(tmp_path / "t")])
    rows = pd.read_csv(tmp_path / "t.csv", keep_default_na=False).set_index("algorithm")
    assert rows["n"].to_dict() == {"CLUB": 12, "LOCB": 12, "Mine & <yours>": 3}
    assert sorted(rows["mark"]) == ["", "=", "best"]
    assert rows.loc["Mine & <yours>", "mark"] in {"", "best"}


def test_the_table_says_how_much_of_the_gain_was_reached(tmp_path):
    heights = {"Random": 100.0, "Oracle": 20.0, "CMLB": 60.0}
    paths = [plant_agents(tmp_path, title, 10, height, agreement=0.5) for title, height in heights.items()]
    rows = table.summarise(load_runs(paths)).set_index("algorithm")
    assert rows["reached"].to_dict() == pytest.approx({"Random": 0.0, "Oracle": 1.0, "CMLB": 0.5})
    assert rows["recovered"].to_dict() == pytest.approx(dict.fromkeys(heights, 1 / 8))
    assert "| reached |" in table.TABLE.markdown(table.summarise(load_runs(paths)), "T")


def test_a_run_that_never_tried_an_arm_or_whose_network_is_dead_is_flagged(tmp_path):
    rounds = np.arange(1, 4) * 10
    replicas = [
        replica(seed, rounds, rounds / 2, measured=(*UNMEASURED[2:], left, dead))
        for seed, left, dead in [(0, 2, 0.1), (1, 0, 0.99)]
    ]
    path = plant_run(tmp_path / "a.parquet", replicas, {}, title="A", facts={"chosen": ""})
    rows = table.summarise(load_runs([path]))
    assert rows["flags"].tolist() == ["1 of 2 never tried some arm; 1 of 2 ended with a dead network"]
    assert "| flags |" in table.TABLE.markdown(rows, "T")
    assert "| flags |" not in table.TABLE.markdown(rows.assign(flags=""), "T")
