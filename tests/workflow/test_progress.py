"""A fresh clone goes on with what a stopped run has played: nothing twice, and the same bytes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from manybandits.base.artifacts import Provenance, load_json
from manybandits.base.configuration import read_yaml
from manybandits.papers.files import read_paper
from manybandits.results.readings_table import headlines_in
from tests.chain import checkout, copied, differences, planned, run, verified
from tests.planted.readings import plant_readings

STOPPED = "club"
"""The algorithm whose play is not finished when the run stops; the other one is."""


OTHER_ZLIB = "import zlib; usual = zlib.compressobj; zlib.compressobj = lambda level=-1, *others: usual(1, *others)\n"
"""Python packs files otherwise, as it does with another zlib."""


def progress(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    told = [sys.executable, "-m", "manybandits.planning.progress", *arguments]
    given = {**os.environ, **environment}
    return subprocess.run(told, cwd=folder, env=given, capture_output=True, text=True, check=False)


def played(folder: Path) -> set[str]:
    """Return the algorithms that played here. The log of a table of which Snakemake was told is empty."""
    return {path.stem for path in folder.glob("artifacts/tiny/logs/play/*/*/*.log") if path.stat().st_size}


@pytest.fixture(scope="module")
def stopped(finished, tmp_path_factory):
    """The folder of a run that stopped before a play, and before anything was made of its run tables."""
    folder = copied(finished, tmp_path_factory.mktemp("stopped") / "stopped")
    for path in folder.glob(f"reports/tiny/runs/*/*/{STOPPED}.parquet*"):
        path.unlink()
    for path in (folder / "reports/tiny").iterdir():
        if path.is_file():
            path.unlink()
        elif path.name not in ("runs", "regressions"):
            shutil.rmtree(path)
    return folder


def clone(root: Path, stopped: Path, folder: Path, name: str = "tiny") -> Path:
    """Return a fresh checkout with what was committed. name: of the run that was."""
    checkout(root, folder)
    shutil.copytree(stopped / "reports/tiny", folder / "reports" / name)
    return folder


@pytest.fixture(scope="module")
def resumed(stopped, root, tmp_path_factory):
    """A fresh checkout that took over what was committed, and has not gone on yet."""
    folder = clone(root, stopped, tmp_path_factory.mktemp("resumed") / "clone")
    done = progress(folder, "resume", "tiny", "--cores", "2")
    assert done.returncode == 0, done.stderr
    assert "meta_ban: 1 of 2 tables stay as they are, 1 are left to play\n" in done.stdout
    return folder


def test_a_fresh_clone_plays_what_is_left_and_has_the_same_results(finished, resumed, tmp_path):
    folder = copied(resumed, tmp_path / "clone")
    done = run(folder)
    assert done.returncode == 0, done.stderr
    assert played(folder) == {STOPPED}
    assert [name for name in differences(finished, folder) if name.startswith("reports/")] == []


def test_tables_of_another_run_will_do(stopped, root, tmp_path):
    folder = clone(root, stopped, tmp_path / "clone", "other")
    done = progress(folder, "resume", "tiny")
    assert done.returncode == 0, done.stderr
    assert "meta_ban: 0 of 2 tables stay as they are, 1 are those of other runs, 1 are left to play\n" in done.stdout
    assert "meta_ban: 1 of 2 tables stay as they are, 1 are left to play\n" in progress(folder, "resume", "tiny").stdout
    assert planned(folder, "meta_ban_fig1").count("rule play:") == 1


@pytest.mark.parametrize("change", ["options", "code"])
def test_tables_of_other_options_or_other_code_are_played_again(stopped, root, tmp_path, change):
    folder = clone(root, stopped, tmp_path / "clone")
    overlay = folder / "configs/chain.yaml"
    if change == "options":
        overlay.write_text(overlay.read_text().replace("horizon: 60", "horizon: 61"))
    else:
        for path in folder.glob("reports/tiny/runs/*/*/*.json"):
            path.write_text(path.read_text().replace(load_json(path)["code"]["digest"], "of other code"))
    done = progress(folder, "resume", "tiny")
    assert done.returncode == 0, done.stderr
    assert "meta_ban: 0 of 2 tables stay as they are, 2 are left to play\n" in done.stdout
    assert planned(folder, "meta_ban_fig1").count("rule play:") == 2


def test_a_resumed_table_is_played_when_its_options_change(resumed, tmp_path):
    folder = copied(resumed, tmp_path / "clone")
    overlay = folder / "configs/chain.yaml"
    overlay.write_text(overlay.read_text().replace("horizon: 60", "horizon: 61"))
    assert planned(folder, "meta_ban_fig1").count("rule play:") == 2


def test_a_run_without_tables_says_what_to_do(root, tmp_path):
    folder = checkout(root, tmp_path / "empty")
    for command, lacks in (("save", "no finished readings"), ("resume", "no run table in reports")):
        done = progress(folder, command, "tiny")
        assert done.returncode == 2
        assert f"the run tiny has {lacks}: run Snakemake with its configuration." in done.stderr


def test_a_resumption_that_could_not_make_the_games_changes_nothing_and_can_be_repeated(stopped, root, tmp_path):
    folder = clone(root, stopped, tmp_path / "clone", "other")
    games = folder / "artifacts/data/environments"
    games.parent.mkdir(parents=True)
    games.write_text("a file where the folder of games should be")
    done = progress(folder, "resume", "tiny")
    assert done.returncode == 2
    assert done.stderr.startswith("error: Snakemake failed: ")
    assert not (folder / "reports/tiny").exists()
    games.unlink()
    done = progress(folder, "resume", "tiny")
    assert done.returncode == 0, done.stderr
    assert "1 are those of other runs, 1 are left to play\n" in done.stdout


def test_tables_of_other_rounds_are_left_to_play_and_all_others_stay(stopped, root, tmp_path):
    folder = clone(root, stopped, tmp_path / "clone")
    (tmp_path / "sitecustomize.py").write_text(OTHER_ZLIB)
    done = progress(folder, "resume", "tiny", PYTHONPATH=f"{tmp_path}:{root}/src")
    assert done.returncode == 0, done.stderr
    assert "meta_ban: 0 of 2 tables stay as they are, 2 are left to play\n" in done.stdout
    assert "meta_ban: left are all tables of meta-ban-paper-embedded-ratings, whose bytes" in done.stdout
    assert "rmbandit: 1 of 1 tables stay as they are, 0 are left to play\n" in done.stdout
    assert planned(folder, "meta_ban_fig1").count("rule play:") == 2


def test_readings_are_saved_and_verified_headline_by_headline(root, tmp_path):
    """Two headlines are asked for, and the readings of one are played."""
    folder = checkout(root, tmp_path / "reader")
    overlay = folder / "configs/chain.yaml"
    readings = {"rmbandit.estimator": {"most": 1}, "rmbandit.root": {"most": 1}}
    overlay.write_text(json.dumps({**read_yaml(overlay), "experiments": [], "readings": readings}))
    openings = read_paper(root / "workflow/papers/rmbandit").openings
    asked = {key: tuple(one.values) for key, one in openings.items() if "estimator" in one.headlines}
    plant_readings(tmp_path / "planted", {"rmbandit.estimator": 0.3}, asked)
    place = folder / "reports/tiny/readings/rmbandit_estimator.csv"
    place.parent.mkdir(parents=True)
    shutil.copy(tmp_path / "planted/readings/rmbandit_estimator.csv", place)
    Provenance({"headline": "rmbandit.estimator"}).save(place)

    done = progress(folder, "save", "tiny")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "reports/tiny/readings: 1 of 2 headlines\n"
    assert headlines_in(folder / "reports/tiny") == ["rmbandit.estimator"]
    assert (folder / "reports/tiny/figures/readings_rmbandit_estimator.svg").is_file()
    done = verified(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    place.unlink()
    done = verified(folder)
    assert done.returncode == 1
    assert "reports/tiny/readings/rmbandit_estimator.choices.csv: is committed, but nothing makes it" in done.stdout
