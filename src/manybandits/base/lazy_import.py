"""Lazy import of a large package: its code runs when the first of its attributes is used, not when it is imported.

A plan reads the options of neural algorithms, and a list their titles; neither makes a network.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

_LAZY: set[str] = set()
"""The packages whose next import is lazy."""


def import_lazily(name: str) -> None:
    """Make ``import name`` lazy from now on. A package that is missing, or imported already, is left as it is."""
    if name not in sys.modules:
        _LAZY.add(name)
        if _FINDER not in sys.meta_path:
            sys.meta_path.insert(0, _FINDER)


class _Finder(MetaPathFinder, Loader):
    """Finds lazy packages. They are in `sys.modules` once something imports them: scipy looks for torch there."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        there = fullname in _LAZY and PathFinder.find_spec(fullname) is not None
        return ModuleSpec(fullname, self) if there else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Lazy(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Run nothing yet; what Python itself asks about a new module is over."""
        module.__dict__["_awaited"] = True


class _Lazy(ModuleType):
    """A package that is imported once an attribute is missed.

    The loader of this kind in `importlib.util` would import it at once: ``import`` reads ``__spec__`` in Python 3.11.
    """

    def __getattr__(self, attribute: str) -> object:
        if "_awaited" not in self.__dict__:
            raise AttributeError(attribute)
        _LAZY.discard(self.__name__)
        if isinstance(sys.modules.get(self.__name__), _Lazy):
            del sys.modules[self.__name__]
        module = importlib.import_module(self.__name__)
        self.__dict__.update(module.__dict__)
        return getattr(module, attribute)


_FINDER = _Finder()
