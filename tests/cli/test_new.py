"""Files that `manybandits new` writes work as they are: an algorithm, a data set, a game and a paper."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

from manybandits import cli, datasets
from manybandits.algorithms import building_blocks, catalogue
from manybandits.base.artifacts import load_facts
from manybandits.base.configuration import read_yaml
from manybandits.base.exceptions import InputError
from manybandits.cli import jobs
from manybandits.datasets.__main__ import main as data_command
from manybandits.environments.catalogue import checked_name, load_module
from manybandits.environments.game_file import load_game
from manybandits.environments.plugin import main as freeze
from manybandits.environments.recommendation import main as recommend
from manybandits.notebook import Results
from manybandits.planning.configuration import load_configuration
from manybandits.planning.curves import paper_and_headline
from manybandits.planning.plan import make_plan
from manybandits.planning.workflow import Workflow


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
    recommend(["--game", "m-cnb", "--role", "movielens", "--tidy", str(tidy), "--out", "game.npz"])
    assert load_game(here / "game.npz").facts["dataset"]["name"] == "my-ratings"


@pytest.fixture
def paper(here):
    """The folder of a paper of one's own."""
    cli.main(["new", "paper", "my_paper"])
    return here / "my_paper"


def test_the_paper_is_planned_with_its_claim_and_its_configuration_plays_nothing_else(paper, root):
    plan = make_plan(load_configuration(root, [paper / "config.yaml"]), root)
    assert set(plan.targets) == {"my_paper", "my_paper_first"}
    assert len(plan.plays) == 6
    assert [claim.id for claim in plan.claims["my_paper_first"]] == ["my_paper.learns"]
    assert (plan.name, plan.arenas) == ("my-paper", [])


def test_the_notebook_of_a_paper_is_the_one_in_its_folder_if_there_is_one(paper, root):
    content = load_configuration(root, [paper / "config.yaml"])
    assert Workflow(make_plan(content, root), content, root).notebook_pages == []
    (paper / "notebook.py").write_text("# %%\n")
    run = Workflow(make_plan(content, root), content, root)
    assert run.notebook_pages == ["reports/my-paper/notebooks/my_paper.html"]
    assert (Path(run.notebook_of("my_paper")), Path(run.notebook_of("m_cnb"))) == (
        Path("my_paper/notebook.py"),
        root / "notebooks/m_cnb.py",
    )
    results = Results("./my_paper", Path("reports/my-paper"), root)
    assert (results.paper, results._content.title) == ("my_paper", "My paper")


def test_everything_that_is_written_is_shown_by_its_path(paper, capsys):
    capsys.readouterr()
    shown = {"my_idea.py": "algorithm", "my_ratings.py": "data set", "my_game.py": "game", "./my_paper": "paper"}
    for path, kind in shown.items():
        cli.run(["show", path, "--json"])
        assert list(json.loads(capsys.readouterr().out)) == [kind]


OPEN = """\
open:
  length:
    asks: How many rounds?
    place: Section 1
    headlines: [learning]
    values: {long: {why: stated}, short: {why: a footnote, settings: {horizon: 100}}}
"""
HEADLINE = "headlines: {learning: {says: It learns, place: Abstract, claims: [learns]}}\n"


def test_the_readings_of_a_paper_in_a_folder_are_played_from_that_folder(paper, root, monkeypatch, capsys):
    with pytest.raises(InputError, match=r"\./my_paper leaves nothing open: there is no my_paper/open\.yaml"):
        cli.run(["readings", "./my_paper"])
    (paper / "open.yaml").write_text(OPEN)
    with (paper / "claims.yaml").open("a") as file:
        file.write(HEADLINE)
    called: list[list[str]] = []
    monkeypatch.setattr(
        jobs.subprocess, "run", lambda words, **_: called.append(words) or SimpleNamespace(returncode=0)
    )
    capsys.readouterr()
    cli.run(["readings", "./my_paper", "--set", "length=short", "--play", "--json"])
    assert json.loads(capsys.readouterr().out)["readings"][0]["reading"] == "length = short"
    assert "reports/what-if/readings/my_paper_learning.csv" in called[0]
    content = read_yaml(Path(called[0][called[0].index("--configfile") + 1]))
    assert content["papers"] == ["./my_paper"]
    assert [curve.headline for curve in make_plan({**content, "league": False}, root).curves] == ["learning"]
    found, headline = paper_and_headline("my_paper.learning", root, content["papers"])
    assert (found.name, headline) == ("my_paper", "learning")


def test_a_template_imports_public_modules_only_and_no_algorithm_of_ours_imports_theirs(root):
    package = root / "src/manybandits"
    written = [path.read_text(encoding="utf-8") for path in (package / "cli/templates").glob("*.txt")]
    imported = [
        name for text in written for name in re.findall(r"^from (manybandits[\w.]*) import", text, re.MULTILINE)
    ]
    assert imported
    assert not [name for name in imported if "._" in name]
    # Else an edit of what is offered there would run the plays of ours again.
    users = [path for path in package.rglob("*.py") if re.search(r"import.*building_blocks", path.read_text())]
    assert users == []
    assert set(building_blocks.__all__) <= set(re.findall(r"\w+", building_blocks.__doc__))


def test_a_data_set_takes_no_name_of_another(here):
    text = (here / "my_ratings.py").read_text()
    (here / "my_ratings.py").write_text(text.replace('name="my-ratings"', 'name="movielens-1m"'))
    with pytest.raises(InputError, match="its DATASET is named 'movielens-1m'; give it a name of its own"):
        datasets.load("./my_ratings.py")
    with pytest.raises(InputError, match=r"my_idea.py is no data set yet: give it DATASET"):
        datasets.load("./my_idea.py")
