"""Joining the league: only what is missing is played, and kept runs count if game, settings and code are the same."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from manybandits.base.artifacts import provenance_path
from manybandits.base.configuration import overlay
from manybandits.base.exceptions import InputError
from manybandits.planning.configuration import checked, load_configuration
from manybandits.planning.joining import FOLDER, join
from manybandits.results.ranks import load, summarise

ROOT = Path(__file__).parents[2]
EMBEDDED = ROOT / "configs/embedded.yaml"
CONTENT = load_configuration(ROOT, [EMBEDDED])
SHORT = {"algorithms": ["random", "ucb"], "settings": {"horizon": 60, "tuning_rounds": 20}, "add": ["mine.py"]}
RANDOM = (ROOT / "src/manybandits/algorithms/linear/random.py").read_text().replace('"Random"', '"Mine"')
PAPERS = ["meta_ban", "sclb_pmlb", "rmbandit"]
WITHOUT = """
import importlib.util, sys

class Lacking:
    def find_spec(name, path=None, target=None):
        if name.split(".")[0] == "{package}":
            raise ModuleNotFoundError("No module named {package!r}", name="{package}")

found = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name == "{package}" else found(name, package)
sys.meta_path.insert(0, Lacking)
"""
"""What makes Python work as if a package were not installed."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(RANDOM)
    return tmp_path


def joined(arena="recommendation", **changes):
    config = checked(overlay(overlay(CONTENT, SHORT), changes), PAPERS)
    return join(config, ROOT, arena, tell=lambda words: None)


def test_a_second_time_only_what_was_edited_is_played(folder):
    first = joined()
    assert (first.played, first.committed, first.added) == (6, 0, ("Mine",))
    league = summarise(load(first.tables))
    assert set(league["algorithm"]) == {"Mine", "Random", "UCB"}
    assert league["environment"].nunique() == 2
    assert joined().played == 0

    (folder / "mine.py").write_text(RANDOM.replace("below(state.random, len(contexts))", "0"))
    assert joined().played == 2
    assert joined(settings={"horizon": 61}).played == 6


@pytest.mark.parametrize(("package", "code"), [("torch", 0), ("scikit_posthocs", 2)])
def test_a_league_needs_no_package_of_networks_and_asks_for_all_others_before_it_plays(folder, package, code):
    (folder / "short.yaml").write_text(
        "algorithms: [random, ucb, mine.py, meta_ban]\nsettings: {horizon: 60, tuning_rounds: 20}\n"
    )
    arguments = ["league", "--add", "mine.py", "--arena", "recommendation"]
    arguments += [*("--config", str(EMBEDDED)), *("--config", "short.yaml")]
    told = WITHOUT.format(package=package) + f"from manybandits.cli import main\nmain({arguments!r})\n"
    done = subprocess.run([sys.executable, "-c", told], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    assert (folder / "artifacts").exists() == (folder / "league.png").exists() == (code == 0)
    assert f"{package!r}" in done.stderr if code else "neural algorithms are left out" in done.stderr


def test_committed_runs_of_others_are_not_played_again(folder):
    for path in joined().tables:
        kept = Path("reports/embedded") / path.relative_to(FOLDER / "embedded")
        kept.parent.mkdir(parents=True, exist_ok=True)
        for one in (path, provenance_path(path)):
            if path.stem != "mine":
                one.rename(kept.with_name(one.name))
    shutil.rmtree(FOLDER / "embedded")
    again = joined()
    assert (again.played, again.committed) == (2, 4)


def test_an_arena_without_data_or_without_the_algorithm_is_refused(folder):
    with pytest.raises(InputError, match="the run 'embedded' has no data for the arena 'replay'"):
        joined("replay", data={"use": {"news": "none"}})
    with pytest.raises(InputError, match="pmlb does not play in the arena 'recommendation'"):
        joined(add=["pmlb"])
