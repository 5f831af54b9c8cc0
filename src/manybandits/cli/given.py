"""Checks of what a user gives: names of algorithms, files to read, and files to write, before anything is played."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from manybandits.algorithms import catalogue
from manybandits.base.artifacts import check_writable
from manybandits.base.exceptions import InputError

DRAWN = (".png", ".svg", ".csv")
"""The endings of the files of a figure."""


def algorithm_of(name: str, kind: str = catalogue.KIND) -> str:
    """Return the name of an algorithm; raise InputError naming the nearest one, or the file that was probably meant."""
    if name not in catalogue.names() and Path(f"{name}.py").is_file():
        raise InputError(f"unknown {kind} {name!r}: for the file in this folder, write {name}.py.")
    return catalogue.checked_name(name, kind)


def check_read(paths: Iterable[Path], ending: str, what: str) -> None:
    """Raise InputError unless files have the ending of what they should be."""
    for path in paths:
        if path.suffix != ending:
            raise InputError(f"{path} is no {what}: give a file that ends with {ending}.")


def check_written(path: Path, ending: str = "") -> None:
    """Raise InputError unless a file can be written: its ending, and its folder, which is made if it must be.

    ending: of the file; "" if `path` is the stem of the files of a figure.
    """
    if ending and path.suffix != ending:
        raise InputError(f"--out {path}: give a name that ends with {ending}.")
    if not ending and path.suffix in DRAWN:
        raise InputError(f"--out {path}: give the name without {path.suffix}; {', '.join(DRAWN)} are all written.")
    try:
        check_writable(path if ending else Path(f"{path}{DRAWN[0]}"))
    except OSError as error:
        raise InputError(
            f"{path} cannot be written ({error.strerror}): give a place in a folder where you may write."
        ) from error


def assigned(texts: Iterable[str], option: str = "--set-game", example: str = "users=20") -> dict[str, str]:
    """Return texts such as ``agents=20``, name -> value; raise InputError if one has another form."""
    found = {}
    for text in texts:
        name, equals, found[name] = text.partition("=")
        if not (name and equals and found[name]):
            raise InputError(f"{option} {text!r} sets nothing: write for example {option} {example}.")
    return found


def drawn(stem: Path) -> list[str]:
    """Return the files of a figure."""
    return [f"{stem}{ending}" for ending in DRAWN]
