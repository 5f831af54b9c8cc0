"""What a stopped run has played is saved, and a fresh clone goes on with it: nothing twice, and the same bytes."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.workflow.test_chain import checkout, results, run

pytestmark = pytest.mark.slow

STOPPED = ("club", "random")
"""The algorithms whose plays are not finished when the run stops."""


def small(root: Path, folder: Path) -> Path:
    """Return a checkout whose smoke run is one figure of three algorithms."""
    overlay = checkout(root, folder) / "configs/smoke.yaml"
    text = overlay.read_text().replace("[meta_ban, club, linucb_one, random]", "[club, linucb_one, random]")
    overlay.write_text(text.replace("[meta_ban_fig1, rmbandit_fig1]", "[meta_ban_fig1]"))
    return folder


def progress(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    told = [sys.executable, "-m", "manybandits.planning.progress", *arguments]
    return subprocess.run(told, cwd=folder, capture_output=True, text=True, timeout=600, check=False)


def played(folder: Path) -> set[str]:
    """Return the algorithms that played here. The log of a table of which Snakemake was told is empty."""
    return {path.stem for path in folder.glob("artifacts/smoke/logs/plays/*/*/*.log") if path.stat().st_size}


@pytest.fixture(scope="module")
def whole(root, tmp_path_factory):
    folder = small(root, tmp_path_factory.mktemp("whole") / "whole")
    done = run(folder, "--cores", "2")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def stopped(whole, tmp_path_factory):
    """The folder of a run that stopped before some plays, and was saved."""
    folder = tmp_path_factory.mktemp("stopped") / "stopped"
    shutil.copytree(whole, folder)
    for name in STOPPED:
        for path in folder.glob(f"artifacts/smoke/runs/*/*/{name}.parquet*"):
            path.unlink()
    shutil.rmtree(folder / "reports")
    done = progress(folder, "save", "smoke")
    assert done.returncode == 0, done.stderr
    assert "reports/smoke/runs/meta_ban.parquet: 1 of 3 tables\n" in done.stdout
    return folder


def clone(root: Path, stopped: Path, folder: Path) -> Path:
    """Return a fresh checkout with what was saved."""
    small(root, folder)
    shutil.copytree(stopped / "reports/smoke/runs", folder / "reports/smoke/runs")
    return folder


def test_a_fresh_clone_plays_what_is_left_and_has_the_same_results(whole, stopped, root, tmp_path):
    folder = clone(root, stopped, tmp_path / "clone")
    done = progress(folder, "resume", "smoke", "--cores", "2")
    assert done.returncode == 0, done.stderr
    assert "meta_ban.parquet: 1 of 1 tables unpacked, 2 of 3 are left to play\n" in done.stdout
    done = run(folder, "--cores", "2")
    assert done.returncode == 0, done.stderr
    assert played(folder) == set(STOPPED)
    one, two = (
        {name: content for name, content in results(place).items() if name.startswith("reports/")}
        for place in (whole, folder)
    )
    assert one.keys() == two.keys()
    assert [name for name in one if one[name] != two[name]] == []
    checked = [sys.executable, "-m", "manybandits.planning.verify", "smoke", "--cores", "2"]
    done = subprocess.run(checked, cwd=folder, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_tables_of_another_run_will_do(stopped, root, tmp_path):
    folder = clone(root, stopped, tmp_path / "clone")
    (folder / "reports/smoke").rename(folder / "reports/other")
    done = progress(folder, "resume", "smoke")
    assert done.returncode == 0, done.stderr
    assert "reports/other/runs/meta_ban.parquet: 1 of 1 tables unpacked, 2 of 3 are left to play\n" in done.stdout


def test_tables_of_another_configuration_are_left_where_they_are(stopped, root, tmp_path):
    folder = clone(root, stopped, tmp_path / "clone")
    overlay = folder / "configs/smoke.yaml"
    overlay.write_text(overlay.read_text().replace("horizon: 200", "horizon: 201"))
    done = progress(folder, "resume", "smoke")
    assert done.returncode == 0, done.stderr
    assert "meta_ban.parquet: 0 of 1 tables unpacked, 3 of 3 are left to play\n" in done.stdout
    assert not list(folder.glob("artifacts/smoke/runs/**/*.parquet"))


def test_a_run_that_was_saved_goes_on_in_its_own_folder(stopped, tmp_path):
    folder = tmp_path / "same"
    shutil.copytree(stopped, folder)
    done = run(folder, "--cores", "2", "--", "reports/smoke/runs/meta_ban.parquet")
    assert done.returncode == 0, done.stderr
    done = progress(folder, "save", "smoke")
    assert "reports/smoke/runs/meta_ban.parquet: 3 of 3 tables\n" in done.stdout


def test_a_resumed_table_is_played_when_its_options_change(stopped, root, tmp_path):
    folder = clone(root, stopped, tmp_path / "clone")
    assert progress(folder, "resume", "smoke").returncode == 0
    overlay = folder / "configs/smoke.yaml"
    overlay.write_text(overlay.read_text().replace("horizon: 200", "horizon: 201"))
    planned = run(folder, "--cores", "1", "--dry-run", "meta_ban_fig1").stdout
    assert planned.count("rule play:") == 3


def test_a_run_without_tables_says_what_to_do(root, tmp_path):
    folder = checkout(root, tmp_path / "empty")
    for command, lacks in (("save", "no finished run table"), ("resume", "no packed run table in reports")):
        done = progress(folder, command, "smoke")
        assert done.returncode == 2
        assert f"the run smoke has {lacks}: run Snakemake with its configuration." in done.stderr
