"""The refusals of modules, and which of them calls have reached."""

from __future__ import annotations

import ast
import traceback
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

import pytest


def refusals(module: ModuleType) -> dict[int, int]:
    """Return the statements of a module that refuse something: their first lines, and their last."""
    tree = ast.parse(Path(module.__file__ or "").read_text())
    found = {}
    for node in ast.walk(tree):
        raised = (
            isinstance(node, ast.Raise) and node.exc is not None and ast.unparse(node.exc).startswith("InputError(")
        )
        refused = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "refuse"
        if raised or refused:
            found[node.lineno] = node.end_lineno or node.lineno
    return found


def passed(error: pytest.ExceptionInfo[BaseException]) -> set[tuple[str, int]]:
    """Return the files and lines that an error passed through."""
    return {(step.filename, step.lineno or 0) for step in traceback.extract_tb(error.tb)}


def lacking(modules: Iterable[ModuleType], reached: set[tuple[str, int]]) -> list[str]:
    """Return the refusals of modules that no line reached is part of, as file:line and their statement."""
    return [
        f"{Path(module.__file__ or '').name}:{first} "
        + " ".join(" ".join(Path(module.__file__ or "").read_text().splitlines()[first - 1 : last]).split())
        for module in modules
        for first, last in refusals(module).items()
        if not any((module.__file__, line) in reached for line in range(first, last + 1))
    ]
