"""Fused loops: functions that only Python calls, compiled for fast sums in place of a batched torch operation.

What a loop calls are parts that are as fast (`manybandits.compiling.parts`). numba's cache does not notice an edit of
the modules whose functions a loop inlines, so the module of the loop is copied to the cache folder and compiled there;
see `manybandits.compiling.generated_modules`.
"""

from __future__ import annotations

import functools
import inspect
import sys
import threading
from collections.abc import Callable
from typing import Any

from numba import njit

from manybandits.compiling.generated_modules import GENERATED, compile_once, import_generated
from manybandits.compiling.parts import FAST

COPYING = threading.Lock()
"""Threads may call a loop for the first time side by side; one of them copies its module."""


def fused_loop(function: Any) -> Callable[..., Any]:
    """Decorate a function of this package that is compiled when it is first called, without the interpreter lock."""
    module, name = function.__module__, function.__name__
    if module.startswith(GENERATED):
        options: dict[str, Any] = {"nogil": True, "cache": True, "error_model": "numpy"}
        made: Callable[..., Any] = njit(fastmath=FAST, **options)(function)
        return made

    @functools.cache
    def compiled() -> Callable[..., Any]:
        with COPYING:
            copy = import_generated(module.rpartition(".")[2], lambda: inspect.getsource(sys.modules[module]), module)
        return compile_once(getattr(copy, name))

    @functools.wraps(function)
    def called(*arguments: Any) -> Any:
        return compiled()(*arguments)

    return called
