"""What a stopped run has played is saved, and a fresh clone goes on with it: nothing twice, and the same bytes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from manybandits.base.artifacts import Provenance
from manybandits.base.configuration import read_yaml
from manybandits.papers.files import read_paper
from manybandits.results.readings_table import read_summaries
from tests.chain import checkout, copied, differences, planned, run, verified
from tests.planted.readings import plant_readings

pytestmark = pytest.mark.slow

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
    """The folder of a run that stopped before a play, and so never packed its tables, and was saved."""
    folder = copied(finished, tmp_path_factory.mktemp("stopped") / "stopped")
    packs = [
        f"reports/tiny/runs/{paper}.parquet{ending}" for paper in ("meta_ban", "rmbandit") for ending in ("", ".json")
    ]
    assert run(folder, "--cleanup-metadata", *packs).returncode == 0
    for path in folder.glob(f"artifacts/tiny/runs/*/*/{STOPPED}.parquet*"):
        path.unlink()
    shutil.rmtree(folder / "reports")
    done = progress(folder, "save", "tiny")
    assert done.returncode == 0, done.stderr
    assert "reports/tiny/runs/meta_ban.parquet: 1 of 2 tables\n" in done.stdout
    return folder


def clone(root: Path, stopped: Path, folder: Path) -> Path:
    """Return a fresh checkout with what was saved."""
    checkout(root, folder)
    shutil.copytree(stopped / "reports/tiny/runs", folder / "reports/tiny/runs")
    return folder


@pytest.fixture(scope="module")
def resumed(stopped, root, tmp_path_factory):
    """A fresh checkout that took over what was saved, and has not gone on yet."""
    folder = clone(root, stopped, tmp_path_factory.mktemp("resumed") / "clone")
    done = progress(folder, "resume", "tiny", "--cores", "2")
    assert done.returncode == 0, done.stderr
    assert "meta_ban.parquet: 1 of 1 tables unpacked, 1 of 2 are left to play\n" in done.stdout
    return folder


def test_a_fresh_clone_plays_what_is_left_and_has_the_same_results(finished, resumed, tmp_path):
    folder = copied(resumed, tmp_path / "clone")
    done = run(folder)
    assert done.returncode == 0, done.stderr
    assert played(folder) == {STOPPED}
    assert [name for name in differences(finished, folder) if name.startswith("reports/")] == []


def test_the_plan_that_snakemake_stored_is_not_made_again_to_save_a_run(finished, stopped):
    (plan,) = (finished / "artifacts/plans").iterdir()
    assert (stopped / "artifacts/plans" / plan.name).stat().st_mtime_ns == plan.stat().st_mtime_ns


def test_tables_of_another_run_will_do_and_are_taken_once(stopped, root, tmp_path):
    folder = clone(root, stopped, tmp_path / "clone")
    shutil.copytree(folder / "reports/tiny", folder / "reports/other")
    done = progress(folder, "resume", "tiny")
    assert done.returncode == 0, done.stderr
    assert "reports/other/runs/meta_ban.parquet: 1 of 1 tables unpacked, 1 of 2 are left to play\n" in done.stdout
    assert "reports/tiny/runs/meta_ban.parquet: 0 of 1 tables unpacked, 1 of 2 are left to play\n" in done.stdout


def test_tables_of_another_configuration_are_left_where_they_are(stopped, root, tmp_path):
    folder = clone(root, stopped, tmp_path / "clone")
    overlay = folder / "configs/chain.yaml"
    overlay.write_text(overlay.read_text().replace("horizon: 60", "horizon: 61"))
    done = progress(folder, "resume", "tiny")
    assert done.returncode == 0, done.stderr
    assert "meta_ban.parquet: 0 of 1 tables unpacked, 2 of 2 are left to play\n" in done.stdout
    assert not list(folder.glob("artifacts/tiny/runs/**/*.parquet"))


def test_a_run_that_was_saved_goes_on_in_its_own_folder(stopped, tmp_path):
    folder = copied(stopped, tmp_path / "same")
    done = run(folder, "--", "reports/tiny/runs/meta_ban.parquet")
    assert done.returncode == 0, done.stderr
    done = progress(folder, "save", "tiny")
    assert "reports/tiny/runs/meta_ban.parquet: 2 of 2 tables\n" in done.stdout


def test_a_resumed_table_is_played_when_its_options_change(resumed, tmp_path):
    folder = copied(resumed, tmp_path / "clone")
    overlay = folder / "configs/chain.yaml"
    overlay.write_text(overlay.read_text().replace("horizon: 60", "horizon: 61"))
    assert planned(folder, "meta_ban_fig1").count("rule play:") == 2


def test_a_run_without_tables_says_what_to_do(root, tmp_path):
    folder = checkout(root, tmp_path / "empty")
    for command, lacks in (("save", "no finished run table"), ("resume", "no packed run table in reports")):
        done = progress(folder, command, "tiny")
        assert done.returncode == 2
        assert f"the run tiny has {lacks}: run Snakemake with its configuration." in done.stderr


def test_a_resumption_that_could_not_make_the_games_leaves_nothing_and_can_be_repeated(stopped, root, tmp_path):
    folder = clone(root, stopped, tmp_path / "clone")
    games = folder / "artifacts/data/environments"
    games.parent.mkdir(parents=True)
    games.write_text("a file where the folder of games should be")
    done = progress(folder, "resume", "tiny")
    assert done.returncode == 2
    assert done.stderr.startswith("error: Snakemake failed: ")
    assert not list(folder.glob("artifacts/tiny/runs/**/*.parquet"))
    games.unlink()
    done = progress(folder, "resume", "tiny")
    assert done.returncode == 0, done.stderr
    assert "meta_ban.parquet: 1 of 1 tables unpacked, 1 of 2 are left to play\n" in done.stdout
    assert planned(folder, "reports/tiny/runs/meta_ban.parquet").count("rule play:") == 1


def test_tables_of_other_rounds_are_left_to_play_and_all_others_unpacked(stopped, root, tmp_path):
    folder = clone(root, stopped, tmp_path / "clone")
    (tmp_path / "sitecustomize.py").write_text(OTHER_ZLIB)
    done = progress(folder, "resume", "tiny", PYTHONPATH=f"{tmp_path}:{root}/src")
    assert done.returncode == 0, done.stderr
    assert "meta_ban.parquet: 0 of 1 tables unpacked, 2 of 2 are left to play\n" in done.stdout
    assert "meta_ban.parquet: left are all tables of meta-ban-paper-embedded-ratings, whose bytes" in done.stdout
    assert "rmbandit.parquet: 1 of 1 tables unpacked, 0 of 1 are left to play\n" in done.stdout
    assert not list(folder.glob("artifacts/tiny/runs/**/*.parquet"))
    assert list(folder.glob("artifacts/tiny/regressions/**/*.parquet"))


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
    summaries = read_summaries(folder / "reports/tiny/readings.csv")
    assert list(summaries) == ["rmbandit.estimator"]
    assert (folder / "reports/tiny/figures/readings_rmbandit_estimator.svg").is_file()
    done = verified(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    place.unlink()
    done = verified(folder)
    assert done.returncode == 1
    assert "reports/tiny/readings/rmbandit_estimator.choices.csv: is committed, but nothing makes it" in done.stdout
