"""Two forms of a thing: one for contexts that are written out, one for references to them.

Functions: which one is meant is decided by the type of the first argument, when a kernel is compiled.

A policy calls ``observe(ridge, ...)`` and is compiled once for the ridge regressions that write contexts out and once
for those that do not, without a test left in its code::

    @also(long_ridge.observe)
    @njit
    def observe(ridge, learner, x, reward): ...

Types: the state of a policy names that of contexts written out, and `NAMED` tells what stands there otherwise.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from numba.extending import overload

NAMED: dict[type, type] = {}
"""What stands in a state where contexts are named, in place of what its hints say: each module adds its own."""


def also(other: Any) -> Callable[[Any], Any]:
    """Return a decorator that adds the form `other` to a compiled function.

    `other`: a compiled function of the same parameters, annotated with the type of the first. It is taken where the
    first argument is of that type, and the decorated function elsewhere.
    """

    first = next(iter(inspect.signature(other.py_func).parameters))

    @functools.cache
    def kind() -> type:
        found: type = inspect.get_annotations(other.py_func, eval_str=True)[first]
        return found

    def decorate(function: Any) -> Any:
        @functools.wraps(function.py_func)
        def either(*arguments: Any) -> Any:
            return (other if isinstance(arguments[0], kind()) else function)(*arguments)

        def compiled(*arguments: Any) -> Any:
            return (other if getattr(arguments[0], "instance_class", None) is kind() else function).py_func

        # Not strict: the two forms differ in the annotation of their first parameter.
        options: Any = dict(function.targetoptions)
        overload(either, jit_options=options, strict=False)(compiled)
        return either

    return decorate
