"""Digests of source code, so that a change of an algorithm reruns that algorithm and nothing else.

Neither Snakemake nor numba's cache notices an edit of an imported module. Both are therefore given a digest of a module
together with all modules of its package, and of this one, that it imports, directly or indirectly. The digest follows
what the code means: it is taken over syntax trees, without what cannot change the result of a job:

* comments, docstrings, and the annotations of functions and variables; those in the body of a class count, because they
  define the fields of a NamedTuple or a dataclass;
* code that runs only when a module is started as a script (``if __name__ == "__main__":``) or never
  (``if TYPE_CHECKING:``), with the imports that are made there;
* the version number.

The ``__init__`` of a package counts where something is imported from it that is not itself a module.

Reading all sources takes half a second, so what was read is kept in the cache folder, by the SHA-256 of each file.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import importlib.util
import json
import platform
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from manybandits.base.artifacts import cache_folder, save_text
from manybandits.base.exceptions import InputError

PLUGIN = "plugin_"
"""Prefix of the names of the packages that `module_at` makes."""
_FOLDERS: dict[str, Path] = {}
"""The folders of these packages; of two with the same code, the one that was named last."""
NEVER_READ = {"ctx", "kind", "type_comment"}
"""Fields of syntax trees that have no influence on what the code does."""


@functools.cache
def digest(*modules: str) -> str:
    """Return 16 hexadecimal digits over the code of `modules` and of all modules that they import.

    modules: dotted names.
    """
    known = len(_known())
    meanings = [f"{name} {_source(name)['meaning']}" for name in sorted(modules_of(*modules))]
    if len(_known()) > known:
        with contextlib.suppress(OSError):  # a cache that cannot be written costs time and nothing else
            save_text(_cache(), json.dumps(_known()))
    return hashlib.sha256("\n".join(meanings).encode()).hexdigest()[:16]


def docstring_digest(*modules: str) -> str:
    """Return 16 hexadecimal digits over the docstrings of `modules`, for pages that show these docstrings."""
    return hashlib.sha256("\n".join(_source(name)["docstring"] for name in modules).encode()).hexdigest()[:16]


def digest_of_files(paths: Iterable[Path]) -> str:
    """Return 16 hexadecimal digits over the names and contents of files that no module imports, such as templates."""
    return hashlib.sha256(b"".join(path.name.encode() + path.read_bytes() for path in sorted(paths))).hexdigest()[:16]


def digest_of_texts(*texts: str) -> str:
    """Return 16 hexadecimal digits over some texts and their order."""
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


@functools.cache
def modules_of(*modules: str) -> frozenset[str]:
    """Return `modules` and the modules of their packages that they import, directly or indirectly."""
    found: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting.extend(_imports(module))
    return frozenset(found)


def module_at(path: Path) -> str:
    """Return the dotted name of the module in a file that belongs to no package.

    The name depends on the code of the file and of the files beside it that it imports, and on no path. Files of one
    name with different code are therefore different modules, and so is a file before and after an edit.
    """
    path = path.resolve()
    found: set[Path] = set()
    waiting = [path]
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            waiting.extend(one for one in _beside(file) if one.is_relative_to(path.parent))
    meanings = [f"{file.relative_to(path.parent)} {_read(file)['meaning']}" for file in sorted(found)]
    package = PLUGIN + hashlib.sha256("\n".join(meanings).encode()).hexdigest()[:16]
    _FOLDERS[package] = path.parent
    return f"{package}.{path.stem}"


def imports_of(file: Path) -> list[tuple[str, str]]:
    """Return the imports in a file: pairs of a module, relative as written, and the name that is imported, or ""."""
    return [(start, name) for start, name in _read(file)["imports"]]


def file_of(module: str) -> Path:
    """Return the source file of a module; raise ModuleNotFoundError where it has none."""
    path = _find(module)
    if path is None:
        raise ModuleNotFoundError(f"no source file for module {module!r}", name=module)
    return path


def _beside(file: Path) -> list[Path]:
    """Return the files that a file imports relatively (``from .helper import f``, ``from . import helper``)."""
    found = []
    for start, name in imports_of(file):
        parts = start.lstrip(".").split(".") if start.strip(".") else []
        if start.startswith("."):
            folder = file.parents[len(start) - len(start.lstrip(".")) - 1]
            found += [one for one in (_in(folder, [*parts, name]), _in(folder, parts)) if one]
    return found


def _in(folder: Path, parts: list[str]) -> Path | None:
    """Return the source file of a module or package below a folder, or None where there is none."""
    place = folder.joinpath(*parts)
    for path in (place / "__init__.py", place.with_name(f"{place.name}.py")) if parts else ():
        if path.is_file():
            return path
    return None


@functools.cache
def _imports(module: str) -> frozenset[str]:
    """Return the modules that `module` imports from its own top-level package or this one, anywhere in the file."""
    tops = {module.split(".")[0], __name__.split(".")[0]}
    package = module if file_of(module).name == "__init__.py" else module.rpartition(".")[0]
    found = set()
    for start, name in _source(module)["imports"]:
        resolved = importlib.util.resolve_name(start, package)
        if resolved.split(".")[0] in tops:
            found.add(f"{resolved}.{name}" if name and _find(f"{resolved}.{name}") else resolved)
    return frozenset(found)


@functools.cache
def _source(module: str) -> dict[str, Any]:
    """Return what `_read` returns about the source file of a module."""
    return _read(file_of(module))


def _read(file: Path) -> dict[str, Any]:
    """Return the digest of the code in a file, that of its docstring, and its imports.

    An import is a pair of a module and the name that is imported from it, "" where the module itself is imported.
    """
    content, known = file.read_bytes(), _known()
    key = hashlib.sha256(content).hexdigest()
    if key not in known:
        reading, tree = _Reading(), _parsed(content, file)
        known[key] = {
            "meaning": hashlib.sha256(reading.text(tree).encode()).hexdigest(),
            "imports": sorted(reading.imports),
            "docstring": hashlib.sha256((ast.get_docstring(tree) or "").encode()).hexdigest(),
        }
    return known[key]


def _parsed(content: bytes, file: Path) -> ast.Module:
    """Return the syntax tree of a source; raise InputError naming the line that is no Python."""
    try:
        return ast.parse(content)
    except (SyntaxError, ValueError) as error:
        line = f", line {error.lineno}" if isinstance(error, SyntaxError) else ""
        raise InputError(f"{file}{line} is no valid Python: {getattr(error, 'msg', error)}.") from error


class _Reading:
    """Writes syntax trees as text and collects their imports."""

    def __init__(self) -> None:
        self.imports: set[tuple[str, str]] = set()

    def text(self, node: Any, in_class: bool = False) -> str:
        """Return the text of a syntax tree, of a list of them, or of a value. in_class: whether it is in a class."""
        if isinstance(node, list):
            return f"[{','.join(self.text(one, in_class) for one in node if not _is_idle(one))}]"
        if not isinstance(node, ast.AST):
            return repr(node)
        if isinstance(node, ast.AnnAssign) and node.value and not in_class:
            node = ast.Assign(targets=[node.target], value=node.value)
        if isinstance(node, ast.Import):
            self.imports.update((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            self.imports.update(("." * node.level + (node.module or ""), alias.name) for alias in node.names)
        fields = [f"{name}={self.text(value, isinstance(node, ast.ClassDef))}" for name, value in _fields(node)]
        return f"{type(node).__name__}({','.join(fields)})"


def _fields(node: ast.AST) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a syntax tree that count; empty ones do not, because later Pythons add some."""
    # pyrefly: ignore[bad-argument-type]
    unread = {ast.arg: "annotation", ast.FunctionDef: "returns", ast.AsyncFunctionDef: "returns"}.get(type(node))
    for name, value in ast.iter_fields(node):
        if value is not None and value != [] and name != unread and name not in NEVER_READ:
            yield name, value


def _is_idle(node: Any) -> bool:
    """Return whether a statement changes nothing when a job runs."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Assign):
        return _is_name(node.targets[0], "__version__")
    if isinstance(node, ast.If) and not node.orelse:
        started = isinstance(node.test, ast.Compare) and _is_name(node.test.left, "__name__")
        return started or _is_name(node.test, "TYPE_CHECKING")
    return False


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


@functools.cache
def _known() -> dict[str, dict[str, Any]]:
    """Return the cached results of `_source`, by the SHA-256 of the source file."""
    try:
        found: dict[str, dict[str, Any]] = json.loads(_cache().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found


@functools.cache
def _cache() -> Path:
    """Return the cache file of `_known`: one for each version of this module and of Python."""
    version = hashlib.sha256(Path(__file__).read_bytes() + platform.python_version().encode()).hexdigest()[:16]
    return cache_folder() / f"sources-{version}.json"


def _find(module: str) -> Path | None:
    """Return the source file of a module, or None where it has none, without importing its packages."""
    top, *below = module.split(".")
    return _in(_FOLDERS[top], below) if top in _FOLDERS else _find_installed(module)


@functools.cache
def _find_installed(module: str) -> Path | None:
    """Return the same of a module that can be imported by its name."""
    top, *below = module.split(".")
    start = _start(top)
    if not below:
        return start
    if start is None or start.name != "__init__.py":
        return None
    return _in(start.parent, below)


def _start(top: str) -> Path | None:
    """Return the source file of a top-level module or package."""
    spec = importlib.util.find_spec(top)
    return Path(spec.origin) if spec and spec.origin else None
