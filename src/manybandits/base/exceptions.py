"""Errors that a user can fix: one sentence that says what was found, where, and what to do about it."""

from __future__ import annotations

import difflib
import errno
import sys
from collections.abc import Callable, Iterable

LONGEST = 1000
"""The most characters of the message of an InputError, which may echo a value of any length."""


class InputError(ValueError):
    """Something that the user gave is wrong. The message names the file, key or value and how to fix it."""

    def __str__(self) -> str:
        """Return the message as one line that can be printed, of at most `LONGEST` characters."""
        return in_one_line(super().__str__())


def in_one_line(text: str, longest: int = LONGEST) -> str:
    """Return a text without line breaks and characters that do not print, and without its middle if it is too long.

    >>> in_one_line("what was found: " + "x" * 5000 + "; what to do.", 40)
    'what was found: xxxxxxxxxx … what to do.'
    """
    printed = "".join(
        one if one.isprintable() else one.encode("unicode_escape").decode() for one in " ".join(text.splitlines())
    )
    if len(printed) <= longest:
        return printed
    head = (2 * longest) // 3
    return f"{printed[:head]} … {printed[head + 3 - longest :]}"


def nearest(word: str, choices: Iterable[str]) -> str:
    """Return a hint that names the choice most similar to `word`, or that begins with it; all choices if there is none.

    Of similar choices those with the same letters in another order come first, and then those with the same first
    letter, which is seldom mistyped.

    >>> nearest("clob", ["club", "sclb"])
    "did you mean 'club'?"
    """
    choices = sorted(choices)
    close = difflib.get_close_matches(word, choices)
    close.sort(key=lambda one: (sorted(one) != sorted(word), one[:1] != word[:1]))
    close = close or [one for one in choices if word and one.startswith(word)]
    if close:
        return f"did you mean {close[0]!r}?"
    return "choose one of " + ", ".join(choices) + "." if choices else "there are none to choose from."


class Uncomputable(ArithmeticError):
    """Rounding errors are all that is left of a regression on contexts; see `manybandits.numerics.collinear`."""


def pick(word: str, choices: Iterable[str], kind: str) -> str:
    """Return `word` if it is one of `choices`; raise InputError naming the most similar one otherwise.

    kind: what `word` is the name of, for the message.
    """
    choices = list(choices)
    if word not in choices:
        raise InputError(f"unknown {kind} {word!r}: {nearest(word, choices)}")
    return word


CURES = {
    errno.ENOSPC: "free space on that disk, and run again",
    errno.EDQUOT: "free some of your quota on that disk, and run again",
    errno.EFBIG: "allow larger files (ulimit -f), and run again",
    errno.EROFS: "work in a folder on a disk that can be written",
    errno.EACCES: "work in a folder where you may read and write, or change its permissions",
    errno.EPERM: "work in a folder where you may read and write, or change its permissions",
    errno.EMFILE: "allow more open files (ulimit -n), and run again",
    errno.EIO: "check that disk, and run again",
}
"""What to do about an error of the operating system."""
NO_MEMORY = "can't allocate memory", "out of memory"
"""What torch says, on the processor and on a GPU, where others raise MemoryError."""


def run_script(main: Callable[[list[str] | None], None], argv: list[str] | None = None) -> None:
    """Run the `main` of a script; an error that a user can mend becomes one line on stderr and exit status 2.

    These are InputError, errors of the operating system, such as a full disk, and a lack of memory.
    """
    try:
        main(argv)
    except BrokenPipeError:
        raise
    except (InputError, OSError, MemoryError, RuntimeError) as error:
        if not (said := in_words(error)):
            raise
        print(f"error: {said}", file=sys.stderr)
        sys.exit(2)


def in_words(error: Exception) -> str:
    """Return an error as a sentence with its cure; "" if it is none that a user can mend."""
    if isinstance(error, InputError):
        return str(error)
    if isinstance(error, MemoryError) or any(words in str(error) for words in NO_MEMORY):
        said = " ".join(str(error).split()).rstrip(".")
        return (
            f"memory ran out{said and f' ({said})'}: play a smaller game, give --memory or memory a smaller number, or "
            "run fewer jobs at once."
        )
    if isinstance(error, OSError):
        said = f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error)
        return f"{said}: {CURES.get(error.errno or 0, 'check that file or address, and run again')}."
    return ""
