"""Commands of pages: their words, and a check of those that cannot be run here."""

from __future__ import annotations

import contextlib
import io
import re
import runpy
import shlex
import sys
import tomllib
import warnings
from pathlib import Path
from unittest.mock import patch

from packaging.requirements import Requirement
from snakemake.cli import get_argument_parser

from manybandits import cli

ROOT = Path(__file__).resolve().parents[2]
ASSIGNMENT = re.compile(r"[A-Z_]+=")


def words_of(line: str) -> list[str]:
    """Return the words of a command without its comment; raise ValueError for what would need a shell."""
    words = shlex.split(line, comments=True)
    if special := {"|", ">", ">>", "<", "&&", ";", "&"} & set(words):
        raise ValueError(f"{line!r} needs a shell for {special.pop()!r}: write it otherwise.")
    return words


def without_variables(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """Return the words of a command without the variables that are set before it, and these by name."""
    count = next(place for place, word in enumerate(words) if not ASSIGNMENT.match(word))
    return words[count:], dict(word.split("=", 1) for word in words[:count])


def check_command(line: str) -> str:
    """Parse a command without running it, and return ""; raise ValueError if it could not run anywhere."""
    words, _ = without_variables(words_of(line))
    told = io.StringIO()
    try:
        with contextlib.redirect_stderr(told), contextlib.redirect_stdout(told):
            _parse(words)
    except (SystemExit, AssertionError) as error:
        raise ValueError(f"{line!r} is not valid: {told.getvalue()}{error}") from error
    return ""


def _parse(words: list[str]) -> None:
    """Parse the words of a command; raise SystemExit or AssertionError if they are wrong."""
    match words:
        case ["manybandits" | ".venv/bin/manybandits", "play", _, *arguments]:
            known = _flags_of_script("manybandits.harness.command_line", "club")
            _check_flags(arguments, known | {"--game", "--set-game"})
        case ["manybandits" | ".venv/bin/manybandits", *arguments]:
            cli.build_parser().parse_args(arguments)
        case ["snakemake" | ".venv/bin/snakemake", *arguments]:
            get_argument_parser().parse_args(arguments)
        case ["make", *arguments]:
            targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
            unknown = {word for word in arguments if not ASSIGNMENT.match(word)} - set(targets)
            assert not unknown, unknown
        case ["pip", "install", *requirements]:
            for requirement in requirements:
                _parse_requirement(requirement)
        case ["python" | ".venv/bin/python", "-m", module, *arguments]:
            _check_flags(arguments, _flags_of_script(module))
        case ["docker" | "apptainer", "build", *arguments]:
            missing = [word for word in arguments if word.startswith("envs/") and not (ROOT / word).exists()]
            assert all(word.endswith(".sif") for word in missing), missing
        case ["docker", "run", *_] | ["export", *_]:
            pass
        case _:
            raise AssertionError("nothing is known about this program")


def _flags_of_script(module: str, *before: str) -> set[str]:
    """Return the options in the help of a module that runs as a script."""
    told = io.StringIO()
    with (
        patch.object(sys, "argv", [module, *before, "--help"]),
        contextlib.redirect_stdout(told),
        contextlib.suppress(SystemExit),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore", RuntimeWarning)  # of a module that was imported before it is run
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    return set(re.findall(r"--[a-z-]+", told.getvalue()))


def _check_flags(arguments: list[str], known: set[str]) -> None:
    """Raise AssertionError if an argument is an option that is not known."""
    unknown = {word for word in arguments if word.startswith("--")} - known
    assert not unknown, unknown


def _parse_requirement(text: str) -> None:
    """Check a requirement: the extras of this project exist."""
    name, _, extras = text.partition("[")
    if "manybandits" not in name:
        Requirement(text)
        return
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    given = {extra for extra in extras.removesuffix("]").split(",") if extra}
    assert given <= project["optional-dependencies"].keys(), given
