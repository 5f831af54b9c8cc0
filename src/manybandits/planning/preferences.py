"""Which data set a run plays where its configuration names several, in order of preference: the first that can be had.

A data set can be had if its raw files are here, or as long as no run has failed to fetch them. What failed is kept with
the reason, so that a run that goes on plays what it began with, whatever the network does; deleting the file `FAILED`
lets the next run try again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from manybandits import datasets
from manybandits.base.artifacts import load_json
from manybandits.base.configuration import overlay
from manybandits.base.exceptions import InputError

NONE = "none"
"""The value in ``data.use`` of an unavailable data set. Experiments that need it are left out, and listed."""
RAW = Path("artifacts/data/raw")
FAILED = RAW / "unavailable.json"
"""Data sets that could not be had, each with the reason."""
LONGEST_NAME = 64


def preferences(content: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the families of data of which a configuration names several data sets, with these.

    Raises InputError naming a family whose list is empty or has something else than data sets.
    """
    data = content.get("data")
    use = data.get("use") if isinstance(data, Mapping) else None
    lists = {family: named for family, named in use.items() if isinstance(named, list)} if isinstance(use, dict) else {}
    for family, named in lists.items():
        kind = f"data set (data.use.{family})"
        if not named or not all(isinstance(name, str) for name in named):
            raise InputError(f"data.use.{family} is {named!r}: name at least one data set, the preferred one first.")
        lists[family] = [name if name == NONE else datasets.checked_name(name, kind) for name in named]
    return lists


def chosen(content: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return a configuration with one data set for each family of data, the first of its list that can be had.

    Where that is not the preferred one, the run is on other data and has another name, so that it never replaces the
    results on the preferred ones. folder: the one that holds ``artifacts``.
    """
    failed, use, other = failures(folder), {}, {}
    for family, named in preferences(content).items():
        use[family] = next((name for name in named if name not in failed or is_here(name, folder)), named[0])
        if use[family] != named[0]:
            other[family] = named[0]
    if not use:
        return dict(content)
    name = content.get("name")
    if other and isinstance(name, str):
        name = _other_name(name, {family: use[family] for family in sorted(other)})
    return overlay(content, {"name": name, "data": {"use": use, "in_place_of": other}})


def _other_name(name: str, use: Mapping[str, str]) -> str:
    """Return the name of a run that plays other data than those of its configuration. use: family -> data set."""
    words = [f"without-{family}" if one == NONE else datasets.short_name(one) for family, one in use.items()]
    said = "-".join([name, *words])
    digest = hashlib.sha256(said.encode()).hexdigest()[:8]
    return said if len(said) <= LONGEST_NAME else f"{name}-on-other-data-{digest}"


def is_here(name: str, folder: Path) -> bool:
    """Return whether all raw files of a data set, in one of their forms, are in the folder of raw files."""
    dataset = datasets.load(name).DATASET
    raw = folder / RAW / dataset.name
    return not dataset.forms or any(all((raw / file.name).is_file() for file in files) for files in dataset.forms)


def failures(folder: Path) -> dict[str, str]:
    """Return the data sets that could not be had, with the reasons."""
    path = folder / FAILED
    try:
        return {str(name): str(reason) for name, reason in load_json(path).items()} if path.is_file() else {}
    except InputError as error:
        raise InputError(f"{path} cannot be read: delete it, so that what could not be had is tried again.") from error
