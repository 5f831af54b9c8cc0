"""Fetching, before a run, what it needs of the data sets that its configuration lists: one of each list."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from manybandits import datasets
from manybandits.base.artifacts import save_json
from manybandits.base.exceptions import InputError
from manybandits.base.printing import remark
from manybandits.datasets.build import build
from manybandits.datasets.fetch import fetch
from manybandits.planning.configuration import load_configuration
from manybandits.planning.plan import WHOLE, Plan
from manybandits.planning.plan_cache import load_plan
from manybandits.planning.preferences import FAILED, NONE, RAW, chosen, failures, is_here, preferences
from manybandits.planning.running import held


def settle(content: Mapping[str, Any], root: Path, folder: Path, targets: Collection[str]) -> Plan:
    """Fetch the data sets that a run needs of those that its configuration lists, and return its plan.

    A data set that cannot be had is passed over, and said. What only other targets need is not fetched. root: the
    folder that holds ``workflow``; folder: the one that holds ``artifacts``; targets: what is to be made, among which
    may be other words of a command line. Raises InputError, before anything is
    written, if committed results of this name are on other data, and if no data set of a list can be had.
    """
    plan, lists, tried = load_plan(content, root, folder), preferences(content), dict[str, str]()
    _check_committed(content, root, folder)
    _forget_lost(lists, folder)
    while True:
        use = chosen(content, folder)["data"]["use"]
        needed = {name for name in _data_of(plan, targets) if not is_here(name, folder)}
        waiting = {family: use[family] for family in lists if use[family] in needed}
        if not waiting:
            _tell(lists, use, folder)
            return plan
        for family, name in waiting.items():
            if name in tried:
                reasons = "; ".join(f"{one}: {tried[one]}" for one in lists[family] if one in tried)
                raise InputError(f"data.use.{family}: none of its data sets can be had. {reasons}")
        with held("downloads", folder / "artifacts"):
            for name in sorted({*waiting.values()}):
                try:
                    _get(name, folder / RAW, content["data"].get("mirror"))
                except InputError as error:
                    tried[name] = str(error)
                    save_json(folder / FAILED, {**failures(folder), name: str(error)})
        plan = load_plan(content, root, folder)


def _get(name: str, raw: Path, mirror: str | None) -> None:
    """Fetch a data set; one without a published checksum is read as well, because only its counts tell what it is."""
    source = datasets.load(name)
    if not any(file.unverified for file in source.DATASET.files):
        fetch(source.DATASET, raw, mirror)
        return
    with tempfile.TemporaryDirectory() as elsewhere:
        build(source, raw, Path(elsewhere), mirror)


def _forget_lost(lists: Mapping[str, list[str]], folder: Path) -> None:
    """Forget why data sets could not be had where all of a list failed, so that they are tried again."""
    failed = failures(folder)
    lost = {name for named in lists.values() if all(name in failed for name in named) for name in named}
    if lost:
        save_json(folder / FAILED, {name: reason for name, reason in failed.items() if name not in lost})


def _data_of(plan: Plan, targets: Collection[str]) -> set[str]:
    """Return the data sets that targets need: all of a run, unless they are figures, tables or papers of it alone."""
    environments, made = list(plan.environments.values()), plan.made_for(targets)
    if made and not set(WHOLE) & set(targets):
        environments = [environment for one in made.values() for environment in one.environments]
    return {name for environment in environments for name in environment.datasets}


def _tell(lists: Mapping[str, list[str]], use: Mapping[str, str], folder: Path) -> None:
    """Say which data sets take the place of preferred ones, and why."""
    failed, others = failures(folder), {family: named for family, named in lists.items() if use[family] != named[0]}
    for family, named in others.items():
        said = "its experiments are left out" if use[family] == NONE else f"{use[family]} is played"
        reasons = "; ".join(f"{name}: {failed.get(name, '')}" for name in named[: named.index(use[family])])
        remark(f"data.use.{family}: {said}. {reasons}")
    if others:
        remark(f"Delete {folder / FAILED} to try again what could not be had.")


def _check_committed(content: Mapping[str, Any], root: Path, folder: Path) -> None:
    """Raise InputError if a configuration has the name of committed results, which are on other data."""
    here = chosen(content, folder)
    name, use = here.get("name"), here["data"]["use"]
    if not any((folder / "reports" / str(name) / part).is_dir() for part in ("runs", "readings")):
        return
    for overlays in ([], *([path] for path in sorted((root / "configs").glob("*.yaml")))):
        usual = chosen(load_configuration(root, overlays), folder)
        if usual["name"] == name:
            for family, data_set in usual["data"]["use"].items():
                if use.get(family, data_set) != data_set:
                    raise InputError(
                        f"reports/{name} holds results on {data_set}, and data.use.{family} is {use[family]}: give "
                        "this run a name of its own, such as name: mine."
                    )
