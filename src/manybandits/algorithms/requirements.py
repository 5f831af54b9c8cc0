"""What an algorithm file lacks of the contract (`manybandits.algorithms.contract`), in sentences."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from manybandits.algorithms import compiled_policy
from manybandits.algorithms.contract import Option
from manybandits.base.exceptions import InputError

WORDS = {
    "TITLE": "its name in figures, such as 'LinUCB'",
    "REFERENCE": "the paper that it is from, or 'ours'",
}
START = ("problem", "options", "random")
"""The parameters of `start`."""
TWIN = {"choose": 4, "learn": 5}
"""The methods of a twin, with the number of their parameters: those of the compiled functions, without the state."""


def check_contract(module: ModuleType, name: str) -> None:
    """Raise InputError with what a module lacks first to be an algorithm. name: how the user names the algorithm."""
    if found := problems_of(module):
        more = f"; `manybandits check {name}` lists {len(found) - 1} more" if len(found) > 1 else ""
        raise InputError(f"{name} is no algorithm yet: {found[0]}{more}.")


def problems_of(module: ModuleType) -> list[str]:
    """Return what a module lacks to be an algorithm, one clause each; empty if nothing."""
    return [*_declared(module), *(_neural(module) if hasattr(module, "Policy") else _compiled(module))]


def _declared(module: ModuleType) -> Iterator[str]:
    """Yield what is wrong with the declarations that all algorithms have."""
    for name, meaning in WORDS.items():
        if not isinstance(getattr(module, name, None), str):
            yield f"give it {name}, a text: {meaning}"
    options = getattr(module, "OPTIONS", None)
    if not isinstance(options, tuple) or not all(isinstance(option, Option) for option in options):
        yield "give it OPTIONS, a tuple of its options (Option), or ()"
        return
    for option in options:
        try:
            option.check(option.default, "OPTIONS")
        except InputError as error:
            yield f"give a default that is allowed: {error}"
    known = {option.name for option in options}
    for name, values in getattr(module, "TUNE", {}).items():
        if name not in known:
            yield f"TUNE has values of {name!r}, which is not one of its OPTIONS"
        elif not isinstance(values, list) or len(values) < 2:
            yield f"TUNE[{name!r}] is {values!r}: give a list of two values or more"


def _neural(module: ModuleType) -> Iterator[str]:
    """Yield what is wrong with an algorithm that is written for R replicas at once."""
    if not callable(module.Policy):
        yield "make Policy a class, or a function that returns its instance"
    for name in ("select", "learn", "dead_units") if isinstance(module.Policy, type) else ():
        if not callable(getattr(module.Policy, name, None)):
            yield f"give its class Policy a method {name}"


def _compiled(module: ModuleType) -> Iterator[str]:
    """Yield what is wrong with an algorithm that is written for one replica and compiled."""
    state = getattr(module, "State", None)
    if not (isinstance(state, type) and issubclass(state, tuple) and hasattr(state, "_fields")):
        yield "give it State, a NamedTuple of all that it remembers (or a class Policy, if it is neural)"
    yield from _parameters(module, "start", START, needed=True)
    together = hasattr(module, "choose_all") or hasattr(module, "learn_all")
    needed = ("choose_all", "learn_all") if together else ("choose", "learn")
    for name in _stubs():
        yield from _parameters(module, name, _names(getattr(compiled_policy, name)), name in needed, part=True)
    if (twin := getattr(module, "TWIN", None)) is not None:
        for name, count in TWIN.items():
            if len(_names(getattr(twin, name, None))) != count + 1:
                words = ", ".join(_names(getattr(compiled_policy, name))[1:])
                yield f"give its TWIN a method {name}(self, {words})"


def _stubs() -> list[str]:
    """Return the names of the functions of a compiled policy."""
    return [name for name, one in vars(compiled_policy).items() if inspect.isfunction(one)]


def _parameters(
    module: ModuleType, name: str, expected: tuple[str, ...], needed: bool = False, part: bool = False
) -> Iterator[str]:
    """Yield what is wrong with a function. expected: its parameters, of which only the number counts."""
    function, form = getattr(module, name, None), f"{name}({', '.join(expected)})"
    if not callable(function):
        if needed:
            yield f"give it a function {form}{', decorated with @part' if part else ''}"
    elif part and not hasattr(function, "py_func"):
        yield f"decorate {name} with @part (from manybandits.compiling.parts), so that it is compiled"
    elif len(_names(function)) != len(expected):
        yield f"{name} takes ({', '.join(_names(function))}), but is called as {form}"


def _names(function: Any) -> tuple[str, ...]:
    """Return the names of the parameters of a function; none if it is no function."""
    return tuple(inspect.signature(function).parameters) if callable(function) else ()
