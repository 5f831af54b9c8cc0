"""Algorithm files run as scripts: what they do, print and refuse is what the script of the harness does."""

import os
import subprocess
import sys

import pytest

from manybandits.harness.play_options import all_cores

FILE = ["manybandits.algorithms.linear.club"]
HARNESS = ["manybandits.harness.command_line", "club"]


def started(*arguments: str) -> tuple[int, str, str]:
    """Return the exit status, the output and the errors of a module that is run as a script."""
    done = subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def test_an_algorithm_file_does_the_same_as_the_script_of_the_harness():
    arguments = ["--environment", "absent.npz", "--out", "run.parquet"]
    assert started(*FILE, *arguments) == started(*HARNESS, *arguments)


def test_the_script_of_the_harness_names_itself_and_refuses_an_unknown_algorithm():
    assert started("manybandits.harness.command_line", "--help")[1].startswith(
        "usage: python -m manybandits.harness.command_line"
    )
    assert started("manybandits.harness.command_line", "clubb")[::2] == (
        2,
        "error: unknown algorithm 'clubb': did you mean 'club'?\n",
    )


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system binds no process to cores")
def test_all_cores_are_those_that_the_process_may_use():
    allowed = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(allowed)})
        assert all_cores() == 1
    finally:
        os.sched_setaffinity(0, allowed)
    assert all_cores() == len(allowed)
