"""Files that `manybandits new` writes work as they are: an algorithm, a data set and a game."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from manybandits import cli, datasets
from manybandits.algorithms import catalogue
from manybandits.base.artifacts import load_facts
from manybandits.base.configuration import overlay
from manybandits.base.exceptions import InputError
from manybandits.datasets.__main__ import main as data_command
from manybandits.environments.catalogue import checked_name, load_module
from manybandits.environments.game_file import load_game
from manybandits.environments.plugin import main as freeze
from manybandits.environments.recommendation import main as recommend
from manybandits.planning.configuration import load_configuration
from manybandits.planning.plan import make_plan


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for kind, name in (("algorithm", "my_idea"), ("dataset", "my_ratings"), ("game", "my_game")):
        cli.main(["new", kind, f"{name}.py"])
    return tmp_path


def test_what_is_there_is_not_overwritten_and_a_name_must_be_that_of_a_module(here, capsys):
    for name, words in (
        ("my_idea.py", "my_idea.py is there already"),
        ("my-idea.py", "cannot be the name of the algorithm: give a name of letters"),
    ):
        with pytest.raises(SystemExit):
            cli.main(["new", "algorithm", name])
        assert words in capsys.readouterr().err
    assert catalogue.load("./my_idea.py").TITLE == "My idea"


@pytest.mark.slow
def test_the_algorithm_plays_the_game_and_its_table_names_both_without_a_machine_path(here, capsys):
    how = ["--horizon", "50", "--seeds", "0-1", "--out"]
    cli.main(["play", "my_idea.py", "--game", "my_game.py", "--set-game", "users=7", *how, "a.parquet"])
    cli.main(
        ["play", str(here / "my_idea.py"), "--game", f"{here}/my_game.py", "--set-game", "users=7", *how, "b.parquet"]
    )
    assert (here / "a.parquet").read_bytes() == (here / "b.parquet").read_bytes()
    assert set(pd.read_parquet("a.parquet")["algorithm"]) == {"my_idea"}
    settings = load_facts(here / "a.parquet")["settings"]
    assert (settings["algorithm"], settings["environment"]["kind"]) == ("./my_idea.py", "./my_game.py")
    assert settings["environment"]["users"] == 7
    assert str(here) not in json.dumps(load_facts(here / "a.parquet"))


def test_a_frozen_game_is_read_by_the_file_that_made_it(here):
    freeze(["my_game.py", "--users", "7", "--out", "game.npz"])
    assert load_game(here / "game.npz").users == 7
    (here / "my_game.py").unlink()
    with pytest.raises(InputError, match=r"game ./my_game.py: there is no such file"):
        load_game(here / "game.npz")
    with pytest.raises(InputError, match=r"my_idea.py is no game yet: give it SETTINGS"):
        load_module(checked_name("my_idea.py"))


def test_a_game_is_made_from_the_data_set(here, capsys):
    data_command(["tidy", "my_ratings.py"])
    tidy = here / "artifacts/data/tidy/my-ratings"
    assert datasets.of_folder(tidy).title == "My ratings"
    recommend(
        ["--game", "m-cnb", "--protocol", "paper", "--role", "movielens", "--tidy", str(tidy), "--out", "game.npz"]
    )
    assert load_game(here / "game.npz").facts["dataset"]["name"] == "my-ratings"


def test_the_paper_is_planned_with_its_claim(here, root):
    cli.main(["new", "paper", "my_paper"])
    content = load_configuration(root, [root / "configs/embedded.yaml"])
    changes = {"papers": ["./my_paper"], "experiments": "all", "algorithms": "all", "league": False}
    plan = make_plan(overlay(content, changes), root)
    assert set(plan.targets) == {"my_paper", "my_paper_first"}
    assert len(plan.plays) == 6
    assert [claim.id for claim in plan.claims["my_paper_first"]] == ["my_paper.learns"]


def test_a_data_set_takes_no_name_of_another(here):
    text = (here / "my_ratings.py").read_text()
    (here / "my_ratings.py").write_text(text.replace('name="my-ratings"', 'name="movielens-1m"'))
    with pytest.raises(InputError, match="its DATASET is named 'movielens-1m'; give it a name of its own"):
        datasets.load("./my_ratings.py")
    with pytest.raises(InputError, match=r"my_idea.py is no data set yet: give it DATASET"):
        datasets.load("./my_idea.py")
