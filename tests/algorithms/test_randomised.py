"""Which algorithms draw random numbers for more than to break ties (VERDICTS, section 3: n of replays)."""

from __future__ import annotations

import ast
import importlib.util
from functools import cache
from pathlib import Path

from manybandits.algorithms import catalogue

DRAWS = ("manybandits.numerics.draws", "manybandits.numerics.samplers", "manybandits.base.seeds")
FIRST_GRAPH = "manybandits.algorithms.linear._graph.first_graph"
"""The one function of its module that draws."""
APART = ("manybandits.algorithms.linear._optimism", "manybandits.algorithms.linear._graph")
"""Modules that are not followed: the first draws to break ties alone, of the second `FIRST_GRAPH` is looked for."""


@cache
def imported(module: str) -> frozenset[str]:
    """Return the modules of this package that a module imports, also from a package by name, and `FIRST_GRAPH`."""
    spec = importlib.util.find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    found = set()
    for node in ast.walk(ast.parse(Path(spec.origin).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("manybandits"):
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(name for name in found if name and (name == FIRST_GRAPH or _is_module(name)))


def _is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def draws(module: str) -> bool:
    """Return whether a module, or one of algorithms that it imports, draws random numbers for more than ties."""
    seen, waiting = set(), [module]
    while waiting:
        one = waiting.pop()
        if one in seen or one in APART:
            continue
        seen.add(one)
        if imported(one) & {*DRAWS, FIRST_GRAPH}:
            return True
        waiting += [name for name in imported(one) if name.startswith("manybandits.algorithms.")]
    return False


def test_an_algorithm_is_marked_as_randomised_if_and_only_if_it_draws_for_more_than_ties():
    compiled = [name for name in catalogue.names() if not hasattr(catalogue.load(name), "Policy")]
    wrong = {
        name: draws(catalogue.module_of(name))
        for name in compiled
        if draws(catalogue.module_of(name)) != getattr(catalogue.load(name), "RANDOMISED", False)
    }
    assert wrong == {}


def test_lnucb_ta_and_linucb_break_ties_alone_and_thompson_sampling_draws():
    assert [draws(catalogue.module_of(name)) for name in ("lnucb_ta", "linucb", "beta_thompson", "linthompson")] == [
        False,
        False,
        True,
        True,
    ]
