"""The catalogue of algorithms: the files of this package, and any file by its path.

An algorithm of this package is a public file in the folder of a family, found by its name. Others are plug-ins (see
`manybandits.base.plugins`): the path of a file, such as ``./mine.py``, stands wherever the name of an algorithm does.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from types import ModuleType

import manybandits.algorithms as package
from manybandits.algorithms.requirements import check_contract
from manybandits.base import plugins
from manybandits.base.exceptions import pick

PLUGINS = "plug-ins"
"""The family of all algorithms that are not part of this package."""
KIND = "algorithm"
TWINS = "plain"
"""The folder of plain twins, which no play uses."""


def names() -> list[str]:
    """Return the names of all algorithms, sorted, without those that are named by their path."""
    return sorted(_modules())


def families() -> list[str]:
    """Return the names of all families of algorithms, sorted."""
    return sorted({*(dotted.split(".")[-2] for dotted in _modules().values()), PLUGINS})


def load(name: str) -> ModuleType:
    """Import the algorithm called `name`, for example ``club``, or in the file ``./mine.py``.

    Raises InputError naming the nearest name, or what the file lacks to be an algorithm.
    """
    module = load_unchecked(name)
    if plugins.is_path(name):
        check_contract(module, name)
    return module


def load_unchecked(name: str) -> ModuleType:
    """Import the algorithm called `name`, whatever it lacks."""
    return plugins.load(name, _modules(), KIND)


def module_of(name: str) -> str:
    """Return the dotted module of the algorithm called `name` without importing it."""
    return plugins.module_of(name, _modules(), KIND)


def family_of(name: str) -> str:
    """Return the family of the algorithm called `name`; raise InputError naming the nearest one."""
    dotted = module_of(name)
    return PLUGINS if plugins.is_path(name) else dotted.split(".")[-2]


def checked_name(name: str, kind: str = KIND) -> str:
    """Return the name of an algorithm as run tables store it: of a file, its path from the current folder.

    kind: what the name is, for messages. Raises InputError if there is no such algorithm.
    """
    return plugins.reference_to(name, kind) if plugins.is_path(name) else pick(name, names(), kind)


def short_name(name: str) -> str:
    """Return the name of an algorithm in names of files and jobs: of a file, its stem."""
    return plugins.short_name(name, names())


@functools.cache
def _modules() -> dict[str, str]:
    """Map the names of the algorithms of this package to dotted modules."""
    found = {}
    for family in pkgutil.iter_modules(package.__path__):
        if family.ispkg and family.name != TWINS:
            folder = importlib.import_module(f"{package.__name__}.{family.name}")
            for module in pkgutil.iter_modules(folder.__path__):
                if not module.name.startswith("_"):
                    found[module.name] = f"{folder.__name__}.{module.name}"
    return found
