"""Plain twins: each algorithm for one replica in ordinary Python, which reads like its source.

A twin is named ``plain/club``, after its file, which has the name of the fast form. Files that begin with ``_`` are
shared. A comment names the line of the source that a statement is, and in twins of public code, such as ``club_2022``,
the commit as well. See `manybandits.algorithms.plain._twin` for what twins share, and `manybandits.harness.twins` for
how they are played.
"""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path
from typing import TYPE_CHECKING

from manybandits.base.exceptions import pick
from manybandits.base.sources import digest_of_files

if TYPE_CHECKING:
    from manybandits.algorithms.plain._twin import Twin

PREFIX = "plain/"
KIND = "plain twin"
FOLDER = Path(__file__).parent


def names() -> list[str]:
    """Return the names of all twins, sorted."""
    files = (one.name for one in pkgutil.iter_modules(__path__))
    return sorted(PREFIX + name for name in files if not name.startswith("_"))


def is_twin(name: str) -> bool:
    """Return whether a name is meant to be that of a twin."""
    return name.startswith(PREFIX)


def checked_name(name: str) -> str:
    """Return the name of a twin; raise InputError naming the nearest one if there is none."""
    return pick(name, names(), KIND)


def load(name: str) -> type[Twin]:
    """Return the class of a twin, such as ``plain/club``; raise InputError naming the nearest one."""
    from manybandits.algorithms.plain._twin import Twin  # which plays of fast forms must not import

    module = importlib.import_module(f"{__name__}.{checked_name(name).removeprefix(PREFIX)}")
    (found,) = (
        one
        for one in vars(module).values()
        if isinstance(one, type) and issubclass(one, Twin) and one.__module__ == module.__name__
    )
    return found


def source(algorithm: str) -> str:
    """Return the text of the twin of an algorithm, such as ``club``; "" if it has none."""
    file = FOLDER / f"{algorithm}.py"
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def digest() -> str:
    """Return 16 hexadecimal digits over all twins."""
    return digest_of_files(FOLDER.glob("*.py"))
