"""Generated modules in the cache folder, beside which numba keeps machine code for later processes.

numba stores the machine code of a function beside its source file. It does not notice edits of the modules that this
file imports, and it stores nothing for a function without a file. Each compiled function is therefore in a small file
of its own in the cache folder. The name of the file ends with a digest of all sources that the function is compiled
from. The folder is safe to delete.
"""

from __future__ import annotations

import functools
import importlib.util
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from filelock import FileLock
from numba import typeof

from manybandits.base.artifacts import cache_folder, save_text
from manybandits.base.sources import digest

GENERATED = "manybandits_"
"""Prefix of the names of generated modules."""


def import_generated(stem: str, text: Callable[[], str], *sources: str) -> ModuleType:
    """Import a generated module from the cache folder; write it first if it does not exist yet.

    stem: first part of its name; text: function that returns its source; sources: dotted names of the modules that it
    depends on, whose imports count as well.
    """
    path = cache_folder() / "kernels" / f"{GENERATED}{stem}_{digest(*sources)}.py"
    if path.stem in sys.modules:
        return sys.modules[path.stem]
    if not path.exists():
        save_text(path, text())
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # numba looks a cached function's module up by its name
    spec.loader.exec_module(module)
    return module


def compile_once(function: Any) -> Callable[..., Any]:
    """Return a compiled function of a generated module that only one process compiles, while the others wait.

    Without this, jobs that run in parallel would all compile it.
    """
    done = False

    @functools.wraps(function)
    def called(*arguments: Any) -> Any:
        nonlocal done
        if not done:
            with FileLock(f"{function.py_func.__code__.co_filename}.lock"):
                function.compile(tuple(typeof(argument) for argument in arguments))
            done = True
        return function(*arguments)

    return called
