"""Kernels: a policy that is written for one replica, and a loop over rounds, compiled into one function.

A kernel is an ordinary module, such as `manybandits.environments.kinds.kernels.users`, with a function that plays a
block of rounds for some replicas. What it asks of a policy it imports from a module of stand-ins, which say what each
function takes and does (`manybandits.algorithms.compiled_policy`). Its functions are marked `compiled`.

For each policy the kernel is written to a file in the cache folder, with one difference: what the policy has of these
functions is imported from the policy. That copy is compiled. The rest stays the stand-in, which is never called: a
kernel gets an empty tuple for the arrays that it would need, and numba leaves out a branch that depends on the length
of a tuple before it compiles. The kernel itself, as it is in this package, is never run.

The file is needed because numba can keep machine code of functions in files only, and because it calls another function
by what its name means in the module. See `manybandits.compiling.generated_modules`.

A kernel enters Python nowhere and releases the interpreter lock, so threads play disjoint replicas side by side.
"""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeVar

from numba import njit

from manybandits.compiling.generated_modules import GENERATED, compile_once, import_generated
from manybandits.compiling.replicas import Shared

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile a function of a kernel for numba's cache, in the copy that is written for a policy and nowhere else."""
    if not function.__module__.startswith(GENERATED):
        return function
    options: dict[str, Any] = {"nogil": True, "cache": True, "error_model": "numpy", "no_cfunc_wrapper": True}
    made: Any = njit(**options)(function)
    return made


@functools.cache
def compiled_kernel(policy: ModuleType, kernel: ModuleType, stubs: ModuleType) -> Callable[..., None]:
    """Return the function `play` of a kernel, compiled with a policy."""
    return compile_once(kernel_module(policy, kernel, stubs).play)


def kernel_module(policy: ModuleType, kernel: ModuleType, stubs: ModuleType) -> ModuleType:
    """Return the copy of a kernel in which the functions of a policy are in the place of stand-ins."""
    stem = f"{policy.__name__.rpartition('.')[2]}_{kernel.__name__.rpartition('.')[2]}"
    return import_generated(
        stem, functools.partial(kernel_source, policy, kernel, stubs), policy.__name__, kernel.__name__, __name__
    )


def kernel_source(policy: ModuleType, kernel: ModuleType, stubs: ModuleType) -> str:
    """Return the source of a kernel, in which what `policy` has is imported from there, and not from `stubs`."""
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
    """Return the memory that one replica of `states` takes, beside what all replicas share."""
    if isinstance(states, Shared):
        return 0
    total = 0
    for field in states:
        total += replica_bytes(field) if isinstance(field, tuple) else field.nbytes // max(len(field), 1)
    return total
