"""The catalogue of algorithms: every public file in the folder of a family, found by its name."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from types import ModuleType

import manybandits.algorithms as package
from manybandits.base.exceptions import pick


def names() -> list[str]:
    """Return the names of all algorithms, sorted."""
    return sorted(_modules())


def families() -> list[str]:
    """Return the names of all families of algorithms, sorted."""
    return sorted({dotted.split(".")[-2] for dotted in _modules().values()})


def load(name: str) -> ModuleType:
    """Import the algorithm called `name`, for example ``club``; raise InputError naming the nearest one."""
    modules = _modules()
    return importlib.import_module(modules[pick(name, modules, "algorithm")])


def module_of(name: str) -> str:
    """Return the dotted module of the algorithm called `name` without importing it."""
    modules = _modules()
    return modules[pick(name, modules, "algorithm")]


def family_of(name: str) -> str:
    """Return the family of the algorithm called `name`; raise InputError naming the nearest one."""
    return module_of(name).split(".")[-2]


@functools.cache
def _modules() -> dict[str, str]:
    """Map the names of algorithms to dotted modules: every public file in the folder of a family."""
    found = {}
    for family in pkgutil.iter_modules(package.__path__):
        if family.ispkg:
            folder = importlib.import_module(f"{package.__name__}.{family.name}")
            for module in pkgutil.iter_modules(folder.__path__):
                if not module.name.startswith("_"):
                    found[module.name] = f"{folder.__name__}.{module.name}"
    return found
