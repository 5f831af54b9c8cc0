"""Errors that a user can act on: one sentence with what was found, where, and the cure."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable, Iterable


class InputError(ValueError):
    """Something the user gave is wrong. The message names the file, key or value and the cure."""


def nearest(word: str, choices: Iterable[str]) -> str:
    """Return a hint that names the choice nearest to `word`, or all of them when none is near.

    >>> nearest("clbu", ["club", "sclub"])
    "did you mean 'club'?"
    """
    choices = sorted(choices)
    close = difflib.get_close_matches(word, choices, n=1, cutoff=0.5)
    if close:
        return f"did you mean {close[0]!r}?"
    return "choose one of " + ", ".join(choices) + "." if choices else "there is none to choose."


def pick(word: str, choices: Iterable[str], kind: str) -> str:
    """Return `word` if it is one of `choices`; raise InputError naming the nearest one otherwise."""
    choices = list(choices)
    if word not in choices:
        raise InputError(f"unknown {kind} {word!r}: {nearest(word, choices)}")
    return word


def run_script(main: Callable[[list[str] | None], None], argv: list[str] | None = None) -> None:
    """Run a script's `main`; an InputError becomes one line on stderr and exit status 2."""
    try:
        main(argv)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
