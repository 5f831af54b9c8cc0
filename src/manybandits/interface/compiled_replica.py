"""One replica of a compiled policy, which decides and learns once at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np

from manybandits.algorithms import compiled_policy
from manybandits.algorithms.contract import Problem
from manybandits.base import seeds as streams
from manybandits.compiling.generated_modules import entry_of
from manybandits.compiling.interpreting import interpreting
from manybandits.compiling.kernels import kernel_module
from manybandits.compiling.progress import announce_compilation
from manybandits.harness.compiled import start_replicas
from manybandits.interface import one_round


class CompiledReplica:
    """The state of a replica, and what it does in a round.

    problem, options, seed: of the replica; the arguments of `choose` and `learn` are those of
    `manybandits.interface.one_round`, whose functions they are, without the state.

    Attributes
    ----------
    choose(t, user, items, contexts) -> the arm, or -1 if a context is not finite.
    learn(t, user, item, context, reward) -> False, without learning, if a number is not finite.
    diverged : an array that is true once its networks have diverged, or None if it has none.
    limited : whether it can learn from `problem.horizon` observations at most.
    """

    def __init__(self, module: ModuleType, problem: Problem, options: Mapping[str, Any], seed: int) -> None:
        def start(horizon: int) -> Any:
            random = streams.words(np.array([seed]), "policy")
            return start_replicas(module, problem._replace(horizon=horizon), [options], random)

        self.state = start(problem.horizon)
        longer = dict(_fields(start(problem.horizon + 1)))
        same = (np.array_equal(array, longer[name], equal_nan=True) for name, array in _fields(self.state))
        self.limited = not all(same)
        items, contexts = np.arange(problem.arms, dtype=np.int32), np.zeros((1, problem.dimension))
        made = kernel_module(module, one_round, compiled_policy)
        with announce_compilation(module.TITLE):
            choose = _entry(made.choose_one, self.state, 1, 0, items, contexts)
            learn = _entry(made.learn_one, self.state, 1, 0, 0, contexts[0], 0.0)
        self.diverged: np.ndarray | None = getattr(self.state, "diverged", None)
        self.choose: Callable[..., int] = partial(choose, self.state)
        self.learn: Callable[..., bool] = partial(learn, self.state)

    def arrays(self) -> dict[str, np.ndarray]:
        """Return all that it remembers, by name."""
        return dict(_fields(self.state))

    def set(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Let it remember what `arrays` returned."""
        for name, field in _fields(self.state):
            field[...] = arrays[name]


def _entry(function: Any, *arguments: object) -> Callable[..., Any]:
    """Return a compiled function for arguments of these types, without the search for its types at every call.

    The arguments of a call must have these types; what may differ is whether an array can be written to.
    """
    if interpreting():
        plain: Callable[..., Any] = function
        return plain
    return entry_of(function, *arguments)


def _fields(state: Any, start: str = "", seen: set[int] | None = None) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the arrays of a stacked state with their names, such as ``users.gram``; each once."""
    seen = set() if seen is None else seen
    if id(state) in seen:
        return
    seen.add(id(state))
    for name, field in zip(state._fields, state, strict=True):
        if isinstance(field, tuple):
            yield from _fields(field, f"{start}{name}.", seen)
        else:
            yield f"{start}{name}", field
