"""Errors that a user can fix: one sentence that says what was found, where, and what to do about it."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable, Iterable


class InputError(ValueError):
    """Something that the user gave is wrong. The message names the file, key or value and how to fix it."""


def nearest(word: str, choices: Iterable[str]) -> str:
    """Return a hint that names the choice most similar to `word`, or all choices when none is similar.

    >>> nearest("clbu", ["club", "sclub"])
    "did you mean 'club'?"
    """
    choices = sorted(choices)
    close = difflib.get_close_matches(word, choices, n=1, cutoff=0.5)
    if close:
        return f"did you mean {close[0]!r}?"
    return "choose one of " + ", ".join(choices) + "." if choices else "there are none to choose from."


def pick(word: str, choices: Iterable[str], kind: str) -> str:
    """Return `word` if it is one of `choices`; raise InputError naming the most similar one otherwise.

    kind: what `word` is the name of, for the message.
    """
    choices = list(choices)
    if word not in choices:
        raise InputError(f"unknown {kind} {word!r}: {nearest(word, choices)}")
    return word


def run_script(main: Callable[[list[str] | None], None], argv: list[str] | None = None) -> None:
    """Run the `main` of a script; an InputError becomes one line on stderr and exit status 2."""
    try:
        main(argv)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
