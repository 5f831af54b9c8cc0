"""Lazy import of a large package: its code runs when the first of its attributes is used, not when it is imported.

A plan reads the options of neural algorithms, and a list their titles; neither makes a network.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from types import ModuleType


def import_lazily(name: str) -> None:
    """Make the next ``import name`` lazy. A package that is missing, or imported already, is left as it is."""
    spec = None if name in sys.modules else importlib.util.find_spec(name)
    if spec is not None:
        sys.modules[name] = module = _Lazy(name)
        module.__spec__ = spec


class _Lazy(ModuleType):
    """A package that is imported once an attribute is missed.

    The loader of this kind in `importlib.util` would import it at once: ``import`` reads ``__spec__`` in Python 3.11.
    """

    def __getattr__(self, attribute: str) -> object:
        if isinstance(sys.modules.get(self.__name__), _Lazy):
            del sys.modules[self.__name__]
        module = importlib.import_module(self.__name__)
        self.__dict__.update(module.__dict__)
        return getattr(module, attribute)
