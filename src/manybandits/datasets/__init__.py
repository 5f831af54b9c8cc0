"""Data sets: their sources, checksums and licences, and the conversion of their raw files to tidy files.

A data set is a module with a `DATASET` and a function `tidy(raw)`. Those of this package are named after their files,
with hyphens. Others are plug-ins (see `manybandits.base.plugins`): an installed package offers them in the entry-point
group `GROUP`, or they are named by the path of their file, such as ``./my_ratings.py``.
"""

from __future__ import annotations

import functools
import pkgutil
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from manybandits.base import plugins
from manybandits.base.artifacts import load_facts
from manybandits.base.exceptions import InputError, pick

if TYPE_CHECKING:
    from manybandits.datasets.base import Dataset

GROUP = "manybandits.datasets"
"""The entry-point group of data sets in installed packages."""
KIND = "data set"
PLACE = "plugin"
"""The fact of tidy files that has the path of a plug-in."""
_NOT_DATA = ("base", "checks", "fetch", "build", "own")


def names() -> list[str]:
    """Return the names of all data sets, sorted, without those that are named by their path."""
    return sorted(_known())


def load(name: str) -> ModuleType:
    """Import the module of a data set, such as ``movielens-1m`` or ``./my_ratings.py``.

    Raises InputError if there is none of this name, or naming what a file lacks to be a data set.
    """
    module = plugins.load(name, _known(), KIND)
    if name not in _modules():
        _check(module, name)
    return module


def module_of(name: str) -> str:
    """Return the dotted module of a data set without importing it."""
    return plugins.module_of(name, _known(), KIND)


def checked_name(name: str, kind: str = KIND) -> str:
    """Return the name of a data set: of a file, its path from the current folder.

    kind: what the name is, for messages. Raises InputError if there is no such data set.
    """
    return plugins.reference_to(name, kind) if plugins.is_path(name) else pick(name, names(), kind)


def short_name(name: str) -> str:
    """Return the name of a data set in names of files and folders: that of its declaration."""
    return str(load(name).DATASET.name) if plugins.is_path(name) else name


def of_folder(tidy: Path) -> Dataset:
    """Return the declaration of the data set whose tidy files are in a folder, which has its name.

    That of a plug-in is found by its path, which is one of the facts of its tidy files.
    """
    if tidy.name in _known():
        return load(tidy.name).DATASET
    for file in sorted((*tidy.glob("*.parquet"), *tidy.glob("*.npz"))):
        if reference := load_facts(file).get(PLACE):
            return load(checked_name(reference, f"data set ({tidy})")).DATASET
    return load(tidy.name).DATASET  # which names the nearest one


def _check(module: ModuleType, name: str) -> None:
    """Raise InputError unless a plug-in has a DATASET and a function tidy; a package offers it under its own name."""
    declared = getattr(getattr(module, "DATASET", None), "name", None)
    if not isinstance(declared, str) or not callable(getattr(module, "tidy", None)):
        raise InputError(f"{name} is no data set yet: give it DATASET = Dataset(...) and a function tidy(raw).")
    if declared in _modules() or (not plugins.is_path(name) and declared != name):
        raise InputError(
            f"{name}: its DATASET is named {declared!r}; give it a name of its own, that it is offered by."
        )


def _known() -> dict[str, str]:
    """Map the names of data sets to dotted modules."""
    return {**_modules(), **plugins.offered(GROUP, frozenset(_modules()))}


@functools.cache
def _modules() -> dict[str, str]:
    """Map the names of the data sets of this package to dotted modules."""
    modules = (module.name for module in pkgutil.iter_modules(__path__))
    found = [name for name in modules if not name.startswith("_") and name not in _NOT_DATA]
    return {name.replace("_", "-"): f"{__name__}.{name}" for name in found}
