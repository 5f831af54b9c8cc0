"""Algorithm files run as scripts: what they do, print and refuse is what the script of the harness does."""

import subprocess
import sys

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
