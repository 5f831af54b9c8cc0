"""The lines of an algorithm's source, each with the file and line of its place in the code."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

import manybandits
from manybandits.algorithms import catalogue
from manybandits.algorithms.line_map import line_maps_of
from manybandits.base.exceptions import InputError

ROOT = Path(manybandits.__file__).parent


def lines_of(name: str) -> list[dict[str, Any]]:
    """Return what became of each line of an algorithm's source, one entry per algorithm box or section of it.

    Raises InputError if the algorithm has no line map, or if a map names code or an option that does not exist.
    """
    options = {option.name for option in catalogue.load(name).OPTIONS}
    parts = []
    for owner, read in line_maps_of(name):
        module = catalogue.load(owner)
        for part in read.parts:
            lines = []
            for line in part.map:
                if line.option and line.option not in options:
                    raise InputError(f"line map of {owner}, {part.place}: {name} has no option {line.option!r}.")
                facts = {field: value for field, value in msgspec.structs.asdict(line).items() if value not in ("", ())}
                lines.append(facts | {"code": [location(one, module) for one in line.code]})
            parts.append({"place": part.place, "source": read.source, "lines": lines})
    return parts


def location(name: str, module: ModuleType) -> str:
    """Return "name (file:line)" of a name in a module, or of "module:name" in another module of the package.

    Raises InputError if there is no such name.
    """
    dotted, colon, inner = name.rpartition(":")
    if colon:
        try:
            module = importlib.import_module(f"manybandits.{dotted}")
        except ModuleNotFoundError:
            raise InputError(f"line map of {module.__name__}: there is no module {dotted!r}.") from None
    found: Any = module
    for part in inner.split("."):
        # A NamedTuple's or class's declared field counts, although the class has no such attribute.
        found = getattr(found, part, getattr(found, "__annotations__", {}).get(part))
        if found is None:
            raise InputError(f"{module.__name__} has no {inner!r}, which a line map names.")
    file = Path(str(module.__file__))
    line = _line_in(_syntax_of(file), inner.split("."))
    if not line:  # an inherited method
        file, line = Path(inspect.getfile(found)), inspect.getsourcelines(found)[1]
    return f"{inner} ({file.relative_to(ROOT)}:{line})"


@functools.cache
def _syntax_of(file: Path) -> ast.Module:
    """Return the syntax tree of a file, of which a line map names many places."""
    return ast.parse(file.read_text(encoding="utf-8"))


def _line_in(body: ast.AST, names: list[str]) -> int:
    """Return the line where a module or class defines, assigns or imports names[0], and so on inwards; 0 if nowhere."""
    for node in ast.iter_child_nodes(body):
        if names[0] in _names_of(node):
            return node.lineno if len(names) == 1 else _line_in(node, names[1:])  # type: ignore[attr-defined]
    return 0


def _names_of(node: ast.AST) -> set[str]:
    """Return the names that a statement binds."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.ImportFrom):
        return {one.asname or one.name for one in node.names}
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return {one.id for one in targets if isinstance(one, ast.Name)}
