"""A play of millions of rounds whose process is killed goes on from its last snapshot, in little memory."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from manybandits.environments import synthetic
from manybandits.harness.spec import PlaySpec

LONG = PlaySpec(algorithm="linucb_one", seeds=(0, 1), horizon=500_000)
MOST_MEMORY = 4 * 2**30
"""Bytes that a play of ten million rounds may take; what it takes does not depend on the number of rounds."""
CHILD = """
import re, sys
from pathlib import Path
from manybandits.harness.play import play
from manybandits.harness.snapshots import Snapshots
from manybandits.harness.spec import PlaySpec
import msgspec
Snapshots.__init__.__defaults__ = (float(sys.argv[4]), "")
play(Path(sys.argv[1]), msgspec.json.decode(sys.argv[2], type=PlaySpec), Path(sys.argv[3]))
status = Path("/proc/self/status").read_text()
print(int(re.search(r"VmHWM:\\s+(\\d+) kB", status)[1]) * 1024)
"""
"""Plays a game; its arguments are the file of the game, the play, the table to write and the seconds of a snapshot."""


def start(game: Path, out: Path, every: float) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", CHILD, str(game), LONG.to_json(), str(out), str(every)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_a_play_that_was_killed_ends_with_the_bytes_of_one_that_was_not(tmp_path):
    game = tmp_path / "game.npz"
    synthetic.freeze(game)
    whole, broken = tmp_path / "whole.parquet", tmp_path / "broken.parquet"
    with start(game, whole, 300.0) as unbroken:
        memory = int(unbroken.communicate()[0])
    assert memory < MOST_MEMORY

    with start(game, broken, 0.1) as killed:
        kept = tmp_path / "broken.parquet.partial"
        while not list(kept.glob("*.npz")):
            assert killed.poll() is None, "the play ended before its first snapshot"
            time.sleep(0.01)
        os.kill(killed.pid, signal.SIGKILL)
    assert killed.returncode == -signal.SIGKILL
    assert not broken.exists()

    with start(game, broken, 300.0) as resumed:
        resumed.communicate()
    assert broken.read_bytes() == whole.read_bytes()
    assert not kept.exists()
