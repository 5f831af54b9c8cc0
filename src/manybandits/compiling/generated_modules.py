"""Generated modules in the cache folder, beside which numba keeps machine code for later processes.

numba stores the machine code of a function beside its source file. It does not notice edits of the modules that this
file imports, and it stores nothing for a function without a file. Each compiled function is therefore in a small file
of its own in the cache folder. The name of the file ends with a digest of all sources that the function is compiled
from. The folder is safe to delete.

Neither does numba notice a damaged file. The SHA-256 of all files of a module is therefore kept beside it, and what is
not as it was written is made again.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from filelock import FileLock
from numba import typeof

from manybandits.base.artifacts import cache_folder, check_writable, load_json, save_json, save_text, sha256
from manybandits.base.exceptions import InputError
from manybandits.base.sources import digest

GENERATED = "manybandits_"
"""Prefix of the names of generated modules."""


def import_generated(stem: str, text: Callable[[], str], *sources: str) -> ModuleType:
    """Import a generated module from the cache folder; write it first if it does not exist yet, or is damaged.

    stem: first part of its name; text: function that returns its source; sources: dotted names of the modules that it
    depends on, whose imports count as well.
    """
    path = kernels_folder(cache_folder()) / f"{GENERATED}{stem}_{digest(*sources)}.py"
    if path.stem in sys.modules:
        return sys.modules[path.stem]
    with _locked(path):
        if _sums(path) != _kept_sums(path):
            for file in _files(path):
                file.unlink()
        if not path.exists():
            save_text(path, text())
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module  # numba looks a cached function's module up by its name
        spec.loader.exec_module(module)
        _keep_sums(path)
    return module


def compile_once(function: Any) -> Callable[..., Any]:
    """Return a compiled function of a generated module that only one process compiles, while the others wait.

    Without this, jobs that run in parallel would all compile it, and a later process would take what numba has stored
    for damaged. Where numba compiles nothing (NUMBA_DISABLE_JIT), the function is returned as it is.
    """
    if not hasattr(function, "overloads"):
        plain: Callable[..., Any] = function
        return plain
    compiled = 0

    @functools.wraps(function)
    def called(*arguments: Any) -> Any:
        nonlocal compiled
        if not compiled:
            entry_of(function, *arguments)
            compiled = 1
        result = function(*arguments)
        if len(function.overloads) > compiled:  # compiled for arguments of other types, too
            path = _source_of(function)
            with _locked(path):
                _keep_sums(path)
            compiled = len(function.overloads)
        return result

    return called


def entry_of(function: Any, *arguments: object) -> Callable[..., Any]:
    """Compile a function of a generated module for arguments of these types, and return what then takes them alone."""
    path = _source_of(function)
    with _locked(path):
        entry: Callable[..., Any] = function.compile(tuple(map(typeof, arguments)))
        _keep_sums(path)
    return entry


@functools.cache
def kernels_folder(cache: Path) -> Path:
    """Return the folder of generated modules; where the cache cannot be written, one for this process alone."""
    folder = cache / "kernels"
    try:
        check_writable(folder / "any")
    except OSError as error:
        sys.stderr.write(
            f"{folder} cannot be written ({error.strerror}), so that every process compiles again: set "
            "MANYBANDITS_CACHE to a folder that can.\n"
        )
        temporary = tempfile.TemporaryDirectory(prefix="manybandits-")
        _TEMPORARY.append(temporary)
        return Path(temporary.name)
    return folder


_TEMPORARY: list[tempfile.TemporaryDirectory[str]] = []
"""Folders that are deleted when this process ends."""


def _source_of(function: Any) -> Path:
    return Path(function.py_func.__code__.co_filename)


def _locked(path: Path) -> FileLock:
    return FileLock(path.with_name(f"{path.name}.lock"))


def _files(path: Path) -> list[Path]:
    """Return the files of a generated module: its source, and what Python and numba have compiled."""
    compiled = (path.parent / "__pycache__").glob(f"{path.stem}.*")
    return [file for file in (path, *sorted(compiled)) if file.exists()]


def _sums(path: Path) -> dict[str, str]:
    return {file.name: sha256(file) for file in _files(path)}


def _kept_sums(path: Path) -> dict[str, str]:
    """Return the SHA-256 of each file of a module when it was last written; empty if that is not known."""
    with contextlib.suppress(InputError):
        return load_json(path.with_suffix(".json"))
    return {}


def _keep_sums(path: Path) -> None:
    if (sums := _sums(path)) != _kept_sums(path):
        save_json(path.with_suffix(".json"), sums)
