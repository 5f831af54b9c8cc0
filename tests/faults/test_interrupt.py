"""Ctrl-C stops a play after the rounds that it is in, and says so at once."""

import signal
import subprocess
import sys

from manybandits.environments import synthetic

ROUNDS = "50000000"
"""More than could be played before the limit of this test."""


def test_one_ctrl_c_stops_a_long_play_and_leaves_no_table(tmp_path):
    game, out = tmp_path / "game.npz", tmp_path / "run.parquet"
    synthetic.main(["--users", "5", "--out", str(game)])
    given = ["random", "--environment", str(game), "--horizon", ROUNDS, "--seeds", "0-3", "--out", str(out)]
    play = subprocess.Popen(
        [sys.executable, "-c", STARTED, *given], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert play.stdout.readline() == "playing\n"
    play.send_signal(signal.SIGINT)
    _, said = play.communicate(timeout=60)
    assert "Stopping; press Ctrl-C again to stop at once." in said
    assert play.returncode == -signal.SIGINT
    assert not out.exists()


STARTED = """
import signal
import sys
from manybandits.environments.kinds import batch
from manybandits.harness.command_line import main
from manybandits.base.exceptions import run_script

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have started the tests without it
blocks = batch.Batch.blocks


def announced(self, *given):
    for number, block in enumerate(blocks(self, *given)):
        if number == 3:
            print("playing", flush=True)
        yield block


batch.Batch.blocks = announced
run_script(lambda _: main("random", sys.argv[2:]))
"""
