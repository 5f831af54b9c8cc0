"""Too little memory: a sentence with the bytes, and a worker that is killed for it loses nothing."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from manybandits.base.exceptions import in_words
from manybandits.cli import main
from manybandits.planning.failures import why
from tests.faults.test_disks import play


def test_a_play_without_enough_memory_says_so_in_one_line(tmp_path):
    game = ["--set-game", "items=10000000", "dimension=100"]
    done = play(*game, "--out", str(tmp_path / "run.parquet"), limit="-v 3000000")
    assert done.returncode == 2, done.stderr
    assert re.match(r"error: memory ran out \(.*\): play a smaller game", done.stderr.splitlines()[-1])
    assert "Traceback" not in done.stderr


def test_a_game_that_no_machine_can_hold_is_refused_with_its_size(tmp_path):
    command = [sys.executable, "-m", "manybandits", "play", "club", "--game", "synthetic", "--horizon", "10"]
    arguments = ["--set-game", "users=1000000", "--out", str(tmp_path / "run.parquet")]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "GiB" in done.stderr
    assert "play a smaller game" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_lack_of_memory_on_a_gpu_is_a_sentence_and_other_errors_are_not():
    assert in_words(RuntimeError("CUDA out of memory. Tried to allocate 2 GiB.")).startswith("memory ran out (CUDA")
    assert in_words(RuntimeError("a bug")) == ""


def test_a_job_that_was_killed_is_told_from_one_that_failed(tmp_path):
    killed, failed = tmp_path / "killed.log", tmp_path / "failed.log"
    killed.write_text("")
    failed.write_text("Compiling...\nerror: x.npz is damaged: delete it.\n")
    said = why([("play", str(killed), []), ("play", str(failed), []), ("figure", str(failed), [])])
    assert said.splitlines() == [
        "3 jobs failed:",
        "  figure, play: x.npz is damaged: delete it.",
        f"  play: it was killed, perhaps because memory ran out: run again, with fewer --cores ({killed} is empty).",
    ]


@pytest.mark.parametrize("number", ["0", "-1", "1.5", "many", "²", "٣"])
def test_a_number_of_threads_that_is_none_is_refused(number, tmp_path):
    done = play("--threads", number, "--out", str(tmp_path / "run.parquet"))
    assert done.returncode == 2
    assert "is not a whole number from 1" in done.stderr


@pytest.mark.parametrize("option", ["--horizon", "--tuning-rounds"])
@pytest.mark.parametrize("number", ["٣", "²", "1.5", ""])
def test_a_number_of_rounds_in_other_digits_is_refused(option, number, tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["play", "random", "--game", "synthetic", option, number, "--out", str(tmp_path / "run.parquet")])
    assert f"{number!r} is not a whole number" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("setting", ["arms=0", "arms=-1", "dimension=0", "users=0"])
def test_a_game_of_nothing_is_refused(setting, tmp_path):
    done = play("--set-game", setting, "--out", str(tmp_path / "run.parquet"))
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert not Path(tmp_path / "run.parquet").exists()
