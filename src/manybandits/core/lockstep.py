"""Replicas in lockstep: turn a policy written for one replica into a kernel that plays many.

A compiled policy is a module with a `State` (a NamedTuple of arrays, replica axis first) and two numba
functions written for one replica, as its paper writes them::

    choose(state, t, user, items, contexts) -> arm      contexts: (K, d), items: (K,)
    learn(state, t, user, item, context, reward)        context: (d,), t = 1, 2, ...
    count_clusters(state) -> int                        only if the algorithm has clusters

The kernel runs a block of rounds of some replicas without entering Python, and releases the interpreter
lock, so threads play disjoint replicas side by side. Where marks[b] is the number of a checkpoint, not -1, it
counts clusters after round b of the block. numba can neither take a slice of a NamedTuple nor cache a closure,
and its cache misses edits of imported modules. All three are answered by writing the kernel out as a small
module of its own, named after a digest of every source it is compiled from.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_type_hints

import platformdirs
from numba import njit, types
from numba.extending import intrinsic

from manybandits.core.artifacts import save_text
from manybandits.core.sources import digest

KERNEL = '''"""The kernel of {policy}; made by manybandits.core.lockstep, safe to delete."""

import numpy as np
from numba import njit

from manybandits.core.lockstep import borrow, inlined
{imports}
{functions}


@njit(inline="always")
def replica(states, r):
    return {replica}

@njit(nogil=True, cache=True, error_model="numpy")
def play(
    states, first, last, done, stream, users, items, raters, rewards, item_table, user_table, marks, chosen, clusters
):
    rounds, arms = items.shape[1:]
    item_width = item_table.shape[1]
    contexts = np.empty((arms, item_width + user_table.shape[1]))
    for r in range(first, last):
        state = replica(states, r)
        s = stream[r]
        for b in range(rounds):
            for k in range(arms):
                for i in range(item_width):
                    contexts[k, i] = item_table[items[s, b, k], i]
                for i in range(user_table.shape[1]):
                    contexts[k, item_width + i] = user_table[raters[s, b, k], i]
            t = done + b + 1
            arm = choose(state, t, users[s, b], items[s, b], contexts)
            chosen[r, b] = arm
            learn(state, t, users[s, b], items[s, b, arm], contexts[arm], rewards[s, b, arm])
            {count}
'''

COUNT = """if marks[b] >= 0:
                clusters[r, marks[b]] = count_clusters(state)"""


@intrinsic
def borrow(typing: Any, array: Any) -> Any:
    """Return a compiled view of an array that counts no references to its memory, which the caller keeps alive.

    A policy hands dozens of arrays from function to function, and numba counts every hand-over with an atomic
    instruction. Together with `inlined`, which lets the compiler see that there is nothing to count, this
    doubles the rounds per second.
    """

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if not isinstance(array, types.Array):
            return arguments[0]
        view = context.make_array(array)(context, builder, arguments[0])
        view.meminfo = view.meminfo.type(None)
        view.parent = view.parent.type(None)
        return view._getvalue()

    return array(array), build


def inlined(function: Any) -> Any:
    """Return a compiled function of a policy as one that becomes part of the kernel's own code.

    So do the functions it calls, except those decorated with ``@njit(forceinline=False)``: the long ones that
    run now and then, which would multiply the time that compiling takes.
    """
    return njit(function.py_func, forceinline=True, error_model="numpy")


@functools.cache
def kernel(policy: str) -> Callable[..., None]:
    """Return the compiled kernel of the policy module named `policy` (dotted)."""
    path = _cache() / f"manybandits_{policy.rpartition('.')[2]}_{digest(policy, __name__)}.py"
    if not path.exists():
        save_text(path, _source(policy))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # numba looks a cached kernel's module up by its name
    spec.loader.exec_module(module)
    return module.play


def _cache() -> Path:
    """Return the folder of compiled kernels: ``MANYBANDITS_CACHE``, else the user's cache folder."""
    return Path(os.environ.get("MANYBANDITS_CACHE") or platformdirs.user_cache_path("manybandits")) / "kernels"


def _source(policy: str) -> str:
    module = importlib.import_module(policy)
    kinds: set[type] = set()
    replica = _replica(module.State, "states", kinds)
    imports = "\n".join(sorted(f"from {kind.__module__} import {kind.__name__}" for kind in kinds))
    names = [name for name in ("choose", "learn", "count_clusters") if hasattr(module, name)]
    imports += f"\nfrom {policy} import {', '.join(names)}"
    functions = "\n".join(f"{name} = inlined({name})" for name in names)
    count = COUNT if "count_clusters" in names else ""
    return KERNEL.format(policy=policy, functions=functions, imports=imports, replica=replica, count=count)


def _replica(state: type, path: str, kinds: set[type]) -> str:
    """Write the expression that takes replica r out of `path`, field by field; collect the types it needs."""
    kinds.add(state)
    fields = []
    for name, hint in get_type_hints(state).items():
        nested = isinstance(hint, type) and issubclass(hint, tuple)
        fields.append(_replica(hint, f"{path}.{name}", kinds) if nested else f"borrow({path}.{name}[r])")
    return f"{state.__name__}({', '.join(fields)})"


def replica_bytes(states: tuple[Any, ...]) -> int:
    """Return the memory that one replica of `states` takes."""
    total = 0
    for field in states:
        total += replica_bytes(field) if isinstance(field, tuple) else field.nbytes // max(len(field), 1)
    return total
