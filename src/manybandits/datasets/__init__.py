"""Data sets: where each is, its checksum and licence, and how its raw files become tidy ones.

A data set is a module of this package with a `DATASET` and a function `tidy(raw)`; its name is the file's,
with hyphens. Adding a data set is adding its file.
"""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType

from manybandits.base.exceptions import pick

_NOT_DATA = ("base", "fetch", "build")


def names() -> list[str]:
    """Return the names of all data sets, sorted."""
    modules = (module.name for module in pkgutil.iter_modules(__path__))
    return sorted(name.replace("_", "-") for name in modules if not name.startswith("_") and name not in _NOT_DATA)


def load(name: str) -> ModuleType:
    """Import the data set called `name`, for example ``movielens-1m``; raise InputError naming the nearest."""
    return importlib.import_module(f"{__name__}.{pick(name, names(), 'data set').replace('-', '_')}")
