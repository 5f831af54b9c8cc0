"""Interpreted mode: kernels and parts run as plain Python, so that a debugger stops in them and coverage sees them.

It is on where one of `VARIABLES` is set in the environment, and within ``with interpreted():``. Rounds are some hundred
times slower then, and choices are the same but for near-ties: compiled code rounds a product and a sum once.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from importlib.abc import ExecutionLoader
from importlib.util import module_from_spec, spec_from_loader
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.extending import _Intrinsic, intrinsic

VARIABLES = "MANYBANDITS_INTERPRET", "NUMBA_DISABLE_JIT"
OFF = "", "0"
_nested = [any(os.environ.get(name, "") not in OFF for name in VARIABLES)]
if _nested[0]:
    np.seterr(all="ignore")  # as compiled code does, where numbers overflow or are divided by zero


def interpreting() -> bool:
    """Return whether kernels and parts are plain Python now."""
    return _nested[-1]


@contextmanager
def interpreted(wanted: bool = True) -> Iterator[None]:
    """Run kernels and parts as plain Python, in all threads, if `wanted`; else leave the mode as it is."""
    _nested.append(wanted or interpreting())
    try:
        with np.errstate(all="ignore") if interpreting() else nullcontext():
            yield
    finally:
        _nested.pop()


def compiled_by_numba(value: object) -> bool:
    """Return whether numba compiles a function itself, so that it stays compiled in interpreted mode."""
    return isinstance(value, Dispatcher)


class _Source(ExecutionLoader):
    """The source of one module, of which a debugger and a traceback show the lines."""

    def __init__(self, source: str) -> None:
        self.source = source

    def get_source(self, fullname: str) -> str:
        return self.source

    def get_filename(self, fullname: str) -> str:
        return fullname


def plain_module(name: str, source: str) -> ModuleType:
    """Return the module of a source that is generated, in which all is plain Python."""
    loader = _Source(source)
    spec = spec_from_loader(name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    for key, value in vars(module).items():
        if isinstance(value, FunctionType) and value.__module__ == name:
            setattr(module, key, as_compiled(value))
    return module


def as_compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function in which numbers overflow, and are divided by zero, without a warning, in whatever thread."""

    @functools.wraps(function)
    def called(*arguments: Any) -> Any:
        with np.errstate(all="ignore"):
            return function(*arguments)

    return called


class _Instruction(_Intrinsic):
    """An intrinsic of numba that Python can call, too."""

    plain: Callable[..., Any]

    def __call__(self, *arguments: Any) -> Any:
        return self.plain(*arguments)


def instruction(plain: Callable[..., Any]) -> Callable[[Any], Any]:
    """Decorate a function that makes code for numba, as `numba.extending.intrinsic`. plain: does the same in Python."""

    def decorate(makes_code: Any) -> Any:
        made: Any = intrinsic(makes_code)
        made.__class__, made.plain = _Instruction, plain
        return made

    return decorate
