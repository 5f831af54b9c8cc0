"""Two runs started in one folder: the second is told who is at work, and disturbs nothing."""

from __future__ import annotations

import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from manybandits.base.exceptions import InputError
from manybandits.cli import league
from manybandits.cli import run as run_command
from tests.chain import copied, differences, run, started
from tests.faults.sentences import told

LEAGUE = ["league", "--add", "pmlb"]

HOLD = """
import sys
from manybandits.planning.running import hold
try:
    hold("run of the test")
except ValueError as error:
    sys.exit(str(error))
print("held", flush=True)
input()
"""


def holding(folder: Path) -> subprocess.Popen[str]:
    """Start a process that holds the lock of a folder until something is written to it."""
    told = {"cwd": folder, "stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-c", HOLD], **told)


def test_a_second_run_stops_and_the_first_one_ends_as_if_alone(finished, tmp_path):
    """The first run sleeps while the second starts, so that it is at work however quick it is."""
    folder = copied(finished, tmp_path / "together")
    shutil.rmtree(folder / "reports/tiny/tables")
    with started(folder) as first:
        until = time.monotonic() + 120
        while not (folder / "artifacts/running.json").exists():
            assert first.poll() is None
            assert time.monotonic() < until
            time.sleep(0.02)
        first.send_signal(signal.SIGSTOP)
        second = run(folder)
        first.send_signal(signal.SIGCONT)
        assert second.returncode == 1
        assert f"run tiny (process {first.pid} on {platform.node()}, since 20" in second.stderr
        assert "is at work in this folder: wait until it has ended" in second.stderr
        assert "Traceback" not in second.stderr
        assert first.wait() == 0
    assert differences(finished, folder) == []
    assert not (folder / "artifacts/running.json").exists()


def test_who_holds_a_folder_is_named_and_a_killed_process_holds_nothing(tmp_path):
    first = holding(tmp_path)
    assert first.stdout.readline() == "held\n"
    second = holding(tmp_path)
    assert second.wait() == 1
    assert second.stderr.read().startswith(f"run of the test (process {first.pid} on {platform.node()}, since 20")
    first.kill()
    first.wait()
    third = holding(tmp_path)
    assert third.stdout.readline() == "held\n"
    third.communicate("\n")
    assert not (tmp_path / "artifacts/running.json").exists()


def test_a_run_on_another_machine_that_did_not_say_it_ended_is_asked_about(tmp_path):
    (tmp_path / "artifacts").mkdir()
    who = {"name": "run smoke", "process": 7, "machine": "elsewhere", "since": "2026-01-01 00:00:00"}
    (tmp_path / "artifacts/running.json").write_text(json.dumps(who))
    refused = holding(tmp_path)
    assert refused.wait() == 1
    said = refused.stderr.read()
    assert said.startswith("run smoke (process 7 on elsewhere, since 2026-01-01 00:00:00) is at work")
    assert "free the folder by `manybandits repair --unlock`" in said
    command = [sys.executable, "-m", "manybandits", "repair", "--unlock"]
    subprocess.run(command, cwd=tmp_path, env=os.environ, check=True, capture_output=True)
    assert holding(tmp_path).stdout.readline() == "held\n"


def test_a_league_is_not_played_while_a_run_is_at_work(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_at_work = holding(tmp_path)
    assert run_at_work.stdout.readline() == "held\n"
    said = told(run_command, LEAGUE)
    assert said.startswith(f"run of the test (process {run_at_work.pid} on {platform.node()}, since 20")
    assert "is at work in this folder: wait until it has ended" in said
    run_at_work.communicate("\n")
    assert not (tmp_path / "artifacts/league").exists()


def test_a_league_holds_the_folder_until_it_ends_however_it_ends(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    others = []

    def join(*given, **named):
        others.append(holding(tmp_path).communicate("\n"))
        raise InputError("the arena was left")

    monkeypatch.setattr(league, "join", join)
    assert told(run_command, LEAGUE) == "the arena was left"
    assert others[0][1].startswith(f"manybandits league (process {os.getpid()} on {platform.node()}, since 20")
    assert holding(tmp_path).communicate("\n") == ("held\n", "")
