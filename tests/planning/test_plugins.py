"""Plug-ins in papers, configurations and the league: how their plays are named, and when they run again."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from manybandits import cli
from manybandits.base.configuration import overlay
from manybandits.base.exceptions import InputError
from manybandits.papers.files import PLACE, read_paper
from manybandits.planning.configuration import checked, load_configuration
from manybandits.planning.league import make_arenas
from manybandits.planning.plan import make_plan
from manybandits.planning.plan_cache import load_plan
from manybandits.planning.workflow import Workflow
from tests.planted.papers import copy_paper

ROOT = Path(__file__).parents[2]
CONTENT = load_configuration(ROOT, [ROOT / "configs/embedded.yaml"])
RANDOM = (ROOT / "src/manybandits/algorithms/linear/random.py").read_text()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder: the papers, and an algorithm in a file."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "workflow", tmp_path / "workflow")
    shutil.copy(ROOT / "config.yaml", tmp_path)
    write(tmp_path / "mine.py", "Mine")
    return tmp_path


def write(path, title):
    path.write_text(RANDOM.replace('"Random"', f'"{title}"'))


def arena(**changes):
    papers = ["meta_ban", "sclb_pmlb", "rmbandit"]
    (found,) = make_arenas(checked(overlay(CONTENT, changes), papers), Path())
    return found


def test_an_added_algorithm_joins_every_game_of_an_arena_beside_those_that_are_wanted(folder):
    joined = arena(add=["mine.py"])
    others = arena()
    mine = [play for play in joined.plays if play.spec.algorithm == "./mine.py"]
    assert [play for play in joined.plays if play not in mine] == list(others.plays)
    assert {play.environment.name for play in mine} == {play.environment.name for play in others.plays}
    assert {play.name.split("/")[2] for play in mine} == {"mine"}
    assert all(play.module.endswith(".mine") for play in mine)
    assert {play.spec.algorithm for play in mine} == {"./mine.py"}


def test_two_algorithms_of_one_title_or_name_are_not_both_in_the_league(folder):
    write(folder / "club.py", "Mine")
    with pytest.raises(InputError, match=r"\./mine.py and ./club.py have the same TITLE"):
        arena(add=["mine.py", "club.py"])
    (folder / "ideas").mkdir()
    write(folder / "ideas/mine.py", "Other")
    with pytest.raises(InputError, match=r"\./mine.py and ./ideas/mine.py have the same file name"):
        arena(add=["mine.py", "ideas/mine.py"])


def test_values_to_tune_are_in_the_file_itself(folder):
    text = RANDOM.replace('"Random"', '"Mine"').replace(
        "OPTIONS: tuple[Option, ...] = ()", 'OPTIONS = (Option("depth", 1, "how deep"),)\nTUNE = {"depth": [1, 2]}'
    )
    (folder / "mine.py").write_text(text)
    grids = [play.spec.grid for play in arena(add=["mine.py"]).plays if play.spec.algorithm == "./mine.py"]
    assert grids
    assert all(grid == {"depth": [1, 2]} for grid in grids)


def test_a_paper_plays_the_files_of_its_folder(folder):
    paper = folder / PLACE / "meta_ban"
    write(paper / "beside.py", "Beside")
    experiments = yaml.safe_load((paper / "experiments.yaml").read_text())
    experiments["experiments"]["fig1"]["algorithms"] += ["./beside.py", {"./mine.py": {"as": "again"}}]
    (paper / "experiments.yaml").write_text(yaml.safe_dump(experiments, sort_keys=False))
    named = read_paper(paper).experiments["fig1"].algorithms[-2:]
    assert named == ("./workflow/papers/meta_ban/beside.py", {"./mine.py": {"as": "again"}})
    everybody = {"algorithms": "all", "per_paper": {"meta_ban": {"algorithms": "all"}}}
    content = overlay(CONTENT, {**everybody, "league": False, "experiments": ["meta_ban_fig1"]})
    plays = make_plan(content, Path()).plays
    assert [name.split("/")[2] for name in plays][-2:] == ["beside", "mine-again"]


def test_a_paper_may_be_in_any_folder(folder):
    own = folder / "papers/second_look"
    copy_paper(own, ROOT / PLACE / "meta_ban")
    write(own / "beside.py", "Beside")
    text = (own / "experiments.yaml").read_text()
    experiments = yaml.safe_load(text)
    experiments["experiments"]["fig1"]["algorithms"] += ["./beside.py"]
    (own / "experiments.yaml").write_text(yaml.safe_dump(experiments, sort_keys=False))
    content = overlay(CONTENT, {"papers": ["meta_ban", "papers/second_look"], "algorithms": "all", "league": False})
    content = overlay(content, {"experiments": ["meta_ban_fig1", "second_look_fig1"]})
    run = Workflow(load_plan(content, Path()), content)
    assert run.papers == ["workflow/papers/meta_ban", "papers/second_look"]
    assert {name.partition("/")[0] for name in run.plays} == {"meta_ban", "second_look"}
    assert [name.split("/")[0] for name in run.plays if name.endswith("/beside")] == ["second_look"]
    (own / "experiments.yaml").write_text(text)
    assert not [name for name in load_plan(content, Path()).plays if name.endswith("/beside")]


def test_a_paper_plays_games_and_data_sets_in_files(folder):
    for kind, name in (("game", "my_game"), ("dataset", "my_ratings")):
        cli.main(["new", kind, f"{name}.py"])
    paper = folder / PLACE / "meta_ban"
    experiments = yaml.safe_load((paper / "experiments.yaml").read_text())
    fig1 = experiments["experiments"]["fig1"]
    fig1["panels"] = [{"data": ["movielens"]}, {"game": "./my_game.py", "with": {"users": [5, 6]}}]
    fig1.pop("data", None)
    (paper / "experiments.yaml").write_text(yaml.safe_dump(experiments, sort_keys=False))
    changes = {"league": False, "experiments": ["meta_ban_fig1"], "data": {"use": {"movielens": "my_ratings.py"}}}
    content = overlay(CONTENT, changes)

    def jobs_of(rule):
        return {job.name: job for job in Workflow(load_plan(content, Path()), content).jobs if job.rule.name == rule}

    games = jobs_of("environment")
    assert sorted(games) == ["meta-ban-paper-my-ratings", "my_game-users-5", "my_game-users-6"]
    (data,) = jobs_of("tidy_ratings").values()
    assert (data.name, data.words()[2]) == ("my-ratings", "./my_ratings.py")
    made = games["my_game-users-5"]
    assert made.words()[:4] == ["manybandits.environments.plugin", "./my_game.py", "--users", "5"]
    assert "--tidy artifacts/data/tidy/my-ratings" in " ".join(games["meta-ban-paper-my-ratings"].words())
    text = (folder / "my_game.py").read_text()
    (folder / "my_game.py").write_text(text.replace("np.tanh", "np.sin"))
    assert jobs_of("environment")["my_game-users-5"].identity != made.identity


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("./nowhere", "nowhere/experiments.yaml does not exist; give the folder that has both files"),
        ("./workflow/papers/meta_ban", "rename the folder, which names the paper"),
        ("meta_bam", "did you mean 'meta_ban'"),
    ],
)
def test_a_folder_that_is_no_paper_is_refused(folder, name, words):
    with pytest.raises(InputError, match=words):
        make_plan(overlay(CONTENT, {"papers": [name]}), Path())


def test_an_edit_of_a_file_makes_the_plan_and_its_digest_anew(folder):
    content = overlay(CONTENT, {"add": ["mine.py"]})

    def mine():
        run = Workflow(load_plan(content, Path()), content)
        return next(play for play in run.plays.values() if play.spec.algorithm == "./mine.py")

    first = mine().digest
    assert mine().digest == first
    write(folder / "mine.py", "Mine, again")
    assert mine().spec.title == "Mine, again"
    assert mine().digest != first
    (folder / "mine.py").unlink()
    with pytest.raises(InputError, match=r"algorithm \(add\) mine.py: there is no such file"):
        mine()
