"""What every fault must end in: one sentence, or a result."""

from __future__ import annotations

from collections.abc import Callable

from manybandits.base.exceptions import InputError
from tests.faults.conftest import LONG

LONGEST = 1000
"""The most characters of a sentence."""


def examples(long: int, short: int) -> int:
    """Return how many examples a test draws: so many in the long form, and so many in the short one."""
    return long if LONG else short


def told(run: Callable[..., object], *given: object, **named: object) -> str:
    """Return the sentence in which a call ends, "" if it works; fail if it is not one line of a bearable length."""
    try:
        run(*given, **named)
    except InputError as error:
        sentence = str(error)
    else:
        return ""
    assert sentence.strip(), "an error without a word"
    assert sentence.isprintable(), f"{sentence!r} has more than one line, or characters that do not print"
    assert len(sentence) <= LONGEST, f"{len(sentence)} characters: {sentence[:200]}"
    return sentence
