"""Kernels: the loop over rounds and a policy that is written for one replica, compiled into one function.

A kernel is an ordinary module, such as `manybandits.environments.kinds.kernels.users`, with a function `play` that
plays a block of rounds for some replicas. It imports the functions of a policy from a module of stubs, which document
what each function takes and does (`manybandits.algorithms.compiled_policy`). Its own functions are decorated with
`compiled`.

For each policy, a copy of the kernel is written to the cache folder, which imports from the policy all functions that
the policy has. This copy is compiled; the kernel in this package is never run. Functions that a policy does not have
remain stubs and are never called: the kernel gets an empty tuple in place of the arrays that they would need, and numba
removes branches that depend on the length of a tuple before it compiles.

The copy is a file because numba keeps machine code only for functions in files, and because a compiled function looks
up the functions that it calls in its own module. See `manybandits.compiling.generated_modules`.

A kernel never calls Python and releases the interpreter lock, so threads can play disjoint replicas in parallel.
"""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any, TypeVar

from numba import njit

from manybandits.compiling.generated_modules import GENERATED, compile_once, import_generated
from manybandits.compiling.interpreting import interpreting, plain_module
from manybandits.compiling.replicas import Shared

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Decorate a function of a kernel: it is compiled in the copies that are generated for policies, and only there."""
    if not function.__module__.startswith(GENERATED):
        return function
    options: dict[str, Any] = {"nogil": True, "cache": True, "error_model": "numpy", "no_cfunc_wrapper": True}
    made: Any = njit(**options)(function)
    return made


def compiled_kernel(policy: ModuleType, kernel: ModuleType, stubs: ModuleType) -> Any:
    """Return the functions of a kernel by name, such as `play`, compiled together with a policy."""
    module = kernel_module(policy, kernel, stubs)
    return module if interpreting() else _compiled(module)


@functools.cache
def _compiled(module: ModuleType) -> SimpleNamespace:
    own = {name: one for name, one in vars(module).items() if getattr(one, "__module__", "") == module.__name__}
    return SimpleNamespace(**{name: compile_once(one) for name, one in own.items()})


def kernel_module(policy: ModuleType, kernel: ModuleType, stubs: ModuleType) -> ModuleType:
    """Return the copy of a kernel that calls the functions of a policy in place of the stubs."""
    return (_interpreted if interpreting() else _generated)(policy, kernel, stubs)


def _generated(policy: ModuleType, kernel: ModuleType, stubs: ModuleType) -> ModuleType:
    stem = f"{policy.__name__.rpartition('.')[2]}_{kernel.__name__.rpartition('.')[2]}"
    return import_generated(
        stem, functools.partial(kernel_source, policy, kernel, stubs), policy.__name__, kernel.__name__, __name__
    )


@functools.cache
def _interpreted(policy: ModuleType, kernel: ModuleType, stubs: ModuleType) -> ModuleType:
    return plain_module(f"{kernel.__name__} with {policy.__name__}", kernel_source(policy, kernel, stubs))


def kernel_source(policy: ModuleType, kernel: ModuleType, stubs: ModuleType) -> str:
    """Return the source of a kernel that imports what `policy` has from `policy`, and the rest from `stubs`.

    Raises ValueError if the kernel imports nothing from `stubs`.
    """
    source = inspect.getsource(kernel)
    lines = source.splitlines()
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.ImportFrom) and statement.module == stubs.__name__:
            sources = {alias.name: policy if hasattr(policy, alias.name) else stubs for alias in statement.names}
            imports = [f"from {module.__name__} import {name}" for name, module in sources.items()]
            lines[statement.lineno - 1 : statement.end_lineno] = imports
            return "\n".join([f"# {kernel.__name__} with {policy.__name__}; safe to delete.", *lines, ""])
    raise ValueError(f"{kernel.__name__} imports nothing from {stubs.__name__}, so no policy can play it.")


def replica_bytes(states: tuple[Any, ...]) -> int:
    """Return the bytes of one replica of `states`, without what all replicas share."""
    if isinstance(states, Shared):
        return 0
    total = 0
    for field in states:
        total += replica_bytes(field) if isinstance(field, tuple) else field.nbytes // max(len(field), 1)
    return total
