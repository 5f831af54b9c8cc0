"""Digests of source code, so that a change of an algorithm reruns that algorithm and nothing else.

Neither Snakemake nor numba's cache notices an edit of an imported module. A digest over a module and all of
`manybandits` that it imports, however deep, tells both.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.util
from pathlib import Path

PACKAGE = __name__.split(".", maxsplit=1)[0]


def digest(*modules: str) -> str:
    """Return 16 hexadecimal digits over the sources of `modules` and what they import from this package."""
    found: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting.extend(_imports(module))
    text = b"".join(name.encode() + _path(name).read_bytes() for name in sorted(found))
    return hashlib.sha256(text).hexdigest()[:16]


@functools.cache
def _path(module: str) -> Path:
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"no source file for module {module!r}")
    return Path(spec.origin)


@functools.cache
def _imports(module: str) -> frozenset[str]:
    """Return the modules of this package that the source of `module` imports, wherever in the file."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(_path(module).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names if _is_module(node.module, alias.name))
    return frozenset(name for name in found if name.split(".")[0] == PACKAGE)


def _is_module(package: str, name: str) -> bool:
    if package.split(".")[0] != PACKAGE:
        return False
    folder = _path(package).parent
    return _path(package).name == "__init__.py" and ((folder / f"{name}.py").exists() or (folder / name).is_dir())
