"""Data sets: their sources, checksums and licences, and the conversion of their raw files to tidy files.

A data set is a module of this package with a `DATASET` and a function `tidy(raw)`. Its name is that of the file, with
hyphens. To add a data set, add its file.
"""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType

from manybandits.base.exceptions import pick

_NOT_DATA = ("base", "fetch", "build", "own")


def names() -> list[str]:
    """Return the names of all data sets, sorted."""
    modules = (module.name for module in pkgutil.iter_modules(__path__))
    return sorted(name.replace("_", "-") for name in modules if not name.startswith("_") and name not in _NOT_DATA)


def load(name: str) -> ModuleType:
    """Import the module of a data set, such as ``movielens-1m``; raise InputError where there is none of this name."""
    return importlib.import_module(f"{__name__}.{pick(name, names(), 'data set').replace('-', '_')}")
