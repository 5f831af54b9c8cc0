"""Plug-ins: algorithms, data sets, games and papers that are not part of this package.

A plug-in is named by its path, such as ``./mine.py``. It is imported as a module whose name depends on its code, see
`manybandits.base.sources.module_at`, and imports files beside it relatively (``from .helper import f``), so that files
of one name in two folders are never mistaken.
"""

from __future__ import annotations

import hashlib
import importlib
import keyword
import os
import sys
import traceback
from collections.abc import Collection, Mapping
from importlib.machinery import SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from manybandits.base.exceptions import InputError, pick
from manybandits.base.sources import PLUGIN, file_of, imports_of, module_at


def is_path(reference: str) -> bool:
    """Return whether a plug-in is named by its path: it ends with ``.py`` or contains a slash."""
    return reference.endswith(".py") or "/" in reference or os.sep in reference


def reference_of(module: ModuleType) -> str:
    """Return the reference to the file of a plug-in; "" for a module of a package, which is named otherwise."""
    return reference_to(file_of(module.__name__), "file") if module.__name__.startswith(PLUGIN) else ""


def is_module_file(path: Path) -> bool:
    """Return whether a file may be a module by its name."""
    return path.suffix == ".py" and path.stem.isidentifier() and not keyword.iskeyword(path.stem)


def reference_to(path: str | Path, kind: str, *folders: Path) -> str:
    """Return the reference to a file: its path relative to the current folder, such as ``./mine.py``.

    A relative path is looked up in `folders`, and then in the current folder. kind: what the file has, for messages.
    Raises InputError if there is no such file, or if its name cannot be that of a module.
    """
    places = [folder / path for folder in (*folders, Path())]
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        tried = ", ".join(dict.fromkeys(str(place.resolve()) for place in places))
        raise InputError(f"{kind} {path}: there is no such file ({tried}); give the path of a .py file.")
    if not is_module_file(found):
        raise InputError(
            f"{kind} {path}: rename the file, so that its name has letters, digits and _ only and ends with .py, such "
            "as mine.py."
        )
    relative = Path(os.path.relpath(found)).as_posix()
    return relative if relative.startswith("../") else f"./{relative}"


def short_name(reference: str, taken: Collection[str]) -> str:
    """Return the short name of a plug-in, for names of files and jobs: the stem of its path.

    If that is one of the names `taken`, a digest of the path follows. A reference that is no path is its own name.
    """
    if not is_path(reference):
        return reference
    stem = Path(reference).stem
    return f"{stem}-{hashlib.sha256(reference.encode()).hexdigest()[:8]}" if stem in taken else stem


def module_of(reference: str, known: Mapping[str, str], kind: str) -> str:
    """Return the dotted module of a reference: the path of a file, or one of the names `known`.

    Raises InputError if there is no such file, or naming the nearest of the known names.
    """
    if is_path(reference):
        return module_at(Path(reference_to(reference, kind)))
    return known[reference if reference in known else pick(reference, known, kind)]


def load(reference: str, known: Mapping[str, str], kind: str) -> ModuleType:
    """Import the module of a reference, see `module_of`; raise InputError naming the line of a file that fails."""
    dotted = module_of(reference, known, kind)
    return _import_file(dotted) if is_path(reference) else importlib.import_module(dotted)


def _import_file(dotted: str) -> ModuleType:
    """Import a module whose name is from `module_at`."""
    if dotted in sys.modules:
        return sys.modules[dotted]
    package, path = dotted.partition(".")[0], file_of(dotted)
    for start, _ in imports_of(path):
        if start not in sys.stdlib_module_names and (path.parent / f"{start}.py").is_file():
            raise InputError(
                f"{path} imports {start}, which is a file beside it: write `from .{start} import ...`, with the dot."
            )
    if package not in sys.modules:
        sys.modules[package] = ModuleType(package)
        sys.modules[package].__path__ = []
        sys.meta_path.insert(0, _Finder(package))
    try:
        return importlib.import_module(dotted)
    except InputError:
        raise
    except ModuleNotFoundError as error:
        raise InputError(f"{path} imports {error.name!r}, which is not installed: install it.") from error
    except Exception as error:
        raise InputError(f"{path} cannot be imported{_line_of(error)}: {type(error).__name__}: {error}") from error


def _line_of(error: Exception) -> str:
    """Return the place of an error in words, if it is known."""
    frames = [one for one in traceback.extract_tb(error.__traceback__) if Path(one.filename).is_file()]
    if isinstance(error, SyntaxError) or not frames:
        return ""  # the message of a syntax error has its line
    return f" (line {frames[-1].lineno} of {Path(frames[-1].filename).name})"


class _Finder:
    """Finds the modules of one package that `manybandits.base.sources.module_at` made."""

    def __init__(self, package: str) -> None:
        self.package = package

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name.partition(".")[0] != self.package:
            return None
        try:
            file = file_of(name)
        except ModuleNotFoundError:
            return None
        return spec_from_file_location(name, file, loader=_Loader(name, str(file)))


class _Loader(SourceFileLoader):
    """Loads a source file as it is now: the byte code that Python stores does not notice two edits within a second."""

    def path_stats(self, path: Any) -> Any:
        raise OSError("no byte code")
