"""A play of networks that several processes share has the bytes of one that was played alone."""

from __future__ import annotations

import subprocess
import sys

import pytest

from manybandits.base.exceptions import InputError
from manybandits.environments import synthetic
from manybandits.harness import play as module
from manybandits.harness import shares
from manybandits.harness.play import play
from manybandits.harness.spec import PlaySpec

SPEC = PlaySpec(
    algorithm="neuucb_one", seeds=(0, 1, 2), tuning_seeds=(100,), horizon=40, grid={"alpha": (0.1, 1.0), "steps": (1,)}
)


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """A game, and the bytes of its run table if one process plays it."""
    folder = tmp_path_factory.mktemp("alone")
    game, out = folder / "game.npz", folder / "run.parquet"
    synthetic.main(["--out", str(game), "--users", "5", "--clusters", "1"])
    play(game, SPEC, out)
    return game, out.read_bytes()


def test_processes_that_share_a_play_write_the_bytes_of_one(alone, tmp_path, monkeypatch):
    started = []

    class Started(subprocess.Popen):
        def __init__(self, command, **how):
            started.append((self, command[command.index("--share") + 1]))
            super().__init__(command, **how)

    monkeypatch.setattr(subprocess, "Popen", Started)
    game, whole = alone
    out = tmp_path / "run.parquet"
    play(game, SPEC, out, threads=2, shards=3)
    assert out.read_bytes() == whole
    assert [share for _, share in started] == ["1/2", "1/2"]  # of the tuning, and of the evaluation
    assert [process.returncode for process, _ in started] == [0, 0]
    assert not list(tmp_path.glob("*.partial"))


def test_what_another_process_leaves_undone_is_played(alone, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "SCRIPT", "manybandits.none")  # it ends at once
    game, whole = alone
    play(game, SPEC, tmp_path / "run.parquet", threads=2, shards=3)
    assert (tmp_path / "run.parquet").read_bytes() == whole


def test_a_process_ends_with_the_one_that_began_it():
    code = "import time; from manybandits.harness.shares import shares_of; shares_of('1/2', 1, 2, []); time.sleep(60)"
    assert subprocess.run([sys.executable, "-c", code], stdin=subprocess.DEVNULL, check=False).returncode == 1


@pytest.mark.parametrize("share", ["2/2", "0/2", "1", "one/2"])
def test_a_share_that_is_none_is_refused(share):
    with pytest.raises(InputError, match=r"--share is .*, but the second of four processes is 1/4"):
        shares.shares_of(share, 1, 2, [])
