"""Caches that are missing or cannot be written, and no home: everything runs, with the same bytes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.chain import checkout, differences, run


def play(out: Path, *without: str, **environment: str) -> str:
    """Play a few rounds; return what was said. without: variables that are not set."""
    command = [sys.executable, "-m", "manybandits", "play", "random", "--game", "synthetic", "--horizon", "10"]
    known = {name: value for name, value in os.environ.items() if name not in without}
    done = subprocess.run(
        [*command, "--out", out], cwd=out.parent, env=known | environment, capture_output=True, text=True, check=True
    )
    return done.stderr


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    out = tmp_path_factory.mktemp("usual") / "run.parquet"
    play(out)
    return out.read_bytes()


def test_a_cache_that_cannot_be_written_costs_time_alone(usual, tmp_path):
    said = play(tmp_path / "run.parquet", MANYBANDITS_CACHE="/dev/null/cache")
    assert "/dev/null/cache/kernels cannot be written (Not a directory)" in said
    assert "set MANYBANDITS_CACHE to a folder that can" in said
    assert (tmp_path / "run.parquet").read_bytes() == usual


def test_a_cache_that_is_missing_is_made(usual, tmp_path):
    play(tmp_path / "run.parquet", MANYBANDITS_CACHE=str(tmp_path / "new/cache"))
    assert (tmp_path / "run.parquet").read_bytes() == usual
    assert list((tmp_path / "new/cache/kernels").glob("*.py"))


def test_without_a_home_a_play_has_the_same_bytes_and_leaves_nothing_beside_it(usual, tmp_path):
    nobody = {"HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null/cache"}
    play(tmp_path / "run.parquet", "HOME", "MANYBANDITS_CACHE", **nobody)
    assert (tmp_path / "run.parquet").read_bytes() == usual
    assert {path.name for path in tmp_path.iterdir()} == {"run.parquet", "run.parquet.json"}


def test_a_whole_run_needs_neither_a_home_nor_a_cache(finished, root, tmp_path, long):
    if not long:
        pytest.skip("a minute: make test-faults")
    folder = checkout(root, tmp_path / "nowhere")
    kept = {"XDG_CACHE_HOME": str(tmp_path / "cache")}  # Snakemake itself keeps sources there
    done = run(folder, HOME="/dev/null", MANYBANDITS_CACHE="/dev/null/cache", **kept)
    assert done.returncode == 0, done.stderr
    assert differences(finished, folder) == []
