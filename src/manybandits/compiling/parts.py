"""The decorator `part`: functions that are compiled together with the kernel that calls them.

When a compiled function calls another one, numba also prepares the callee for calls from Python: it generates wrappers
for Python and C, optimises the callee together with all functions that it calls, and generates machine code, again at
every level of calls. The kernel of a policy calls about forty functions, none of which is called from Python, so most
of this work is wasted. A part is translated to LLVM's intermediate representation only; the kernel links all of its
parts and is optimised once. For versions of numba that `manybandits.compiling.linking` does not know, a part is an
ordinary compiled function: the same numbers, after a longer wait.

    @part
    def dot(a, b): ...

When Python calls a part, it is compiled on its own, once, and kept in the cache of kernels. Division by zero returns
infinity or NaN and raises no error. A part is inlined wherever it is called, unless it has ``inlined=False``: that is
for long functions that run rarely, which would make each of their callers long.

A part may have other implementations for other types of arguments, as ridge regression has for contexts that are
references. The type of the first argument selects the implementation while a kernel is compiled, so the machine code
contains no test for it::

    @part(overloads={BlockRidge: block_ridge.observe})
    def observe(ridge, learner, x, reward): ...
"""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numba
from numba import njit
from numba.extending import overload

from manybandits.compiling.generated_modules import compile_once, import_generated
from manybandits.compiling.interpreting import interpreting

FAST = {"contract", "reassoc"}
"""What is allowed in fused loops, for `fastmath`: numbers are added up in another order, and a product and a sum are
rounded once."""
LINKED: dict[str, Any] = {}
"""How numba compiles parts that compiled code calls; empty: as it compiles all functions."""
if numba.__version__.startswith("0.68."):  # other versions have another inside
    from manybandits.compiling.linking import PartCompiler

    LINKED = {"pipeline_class": PartCompiler, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def part(
    function: Any = None, *, inlined: bool = True, fast: bool = False, overloads: Mapping[type, Any] | None = None
) -> Any:
    """Decorate a function that kernels, other parts and Python can call.

    inlined: whether its code is inserted wherever it is called; fast: whether its sums are `FAST`; overloads: the parts
    that are called in its place if the first argument is a NamedTuple of a given type.
    """
    if function is None:
        return functools.partial(part, inlined=inlined, fast=fast, overloads=overloads)
    others = overloads or {}
    options: dict[str, Any] = {"error_model": "numpy", "forceinline": inlined, "fastmath": FAST if fast else False}

    @functools.cache
    def alone() -> Any:
        return _alone(function)

    @functools.wraps(function)
    def called(*arguments: Any) -> Any:
        return (others.get(type(arguments[0])) or (function if interpreting() else alone()))(*arguments)

    called.py_func, called.options = function, options  # pyrefly: ignore[missing-attribute]
    _offer(called, called, lambda first: first not in others)
    for kind, other in others.items():
        _offer(called, other, functools.partial(operator.is_, kind))
    return called


def _offer(called: Any, form: Any, fits: Callable[[Any], bool]) -> None:
    """Register one implementation of a part for compiled calls whose first argument has a type that `fits`."""

    def chosen(*arguments: Any) -> Callable[..., Any] | None:
        first = arguments[0] if arguments else None
        return form.py_func if fits(getattr(first, "instance_class", None)) else None

    # Not strict: implementations differ in the annotation of their first parameter.
    overload(called, jit_options=form.options | LINKED, strict=False)(chosen)


ALONE = '''"""A part as Python calls it; made by manybandits.compiling.parts, safe to delete."""

from numba import njit

from {module} import {name} as part


@njit(nogil=True, cache=True, error_model="numpy", no_cfunc_wrapper=True)
def {name}({parameters}):
    return part({parameters})
'''


def _alone(function: Any) -> Callable[..., Any]:
    """Return a part as a compiled function for Python, cached on disk if the part belongs to this package."""
    module, name = function.__module__, function.__qualname__
    if module.split(".")[0] != __name__.split(".")[0]:
        return njit(nogil=True, error_model="numpy")(function)
    text = ALONE.format(module=module, name=name, parameters=", ".join(inspect.signature(function).parameters))
    return compile_once(
        getattr(import_generated(f"{module.rpartition('.')[2]}_{name}", lambda: text, module, __name__), name)
    )
