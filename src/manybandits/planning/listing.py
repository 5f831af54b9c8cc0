"""The targets of a configuration, and the experiments that it leaves out, as its plan has them."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

from manybandits.base.artifacts import cache_folder
from manybandits.base.exceptions import InputError, pick
from manybandits.planning.configuration import configurations, load_configuration
from manybandits.planning.plan_cache import load_plan
from manybandits.planning.preferences import chosen


class Target(NamedTuple):
    """What Snakemake can make by this name: a figure with its table, or all those of a paper."""

    name: str
    title: str
    left_out: str  # why it cannot be made with this configuration; "" if it can


def list_targets(root: Path, overlays: list[Path]) -> list[Target]:
    """Return the targets of ``config.yaml`` with overlays, sorted by name."""
    plan = load_plan(chosen(load_configuration(root, overlays), Path()), root, cache_folder())
    found = [Target(name, one.title, "") for name, one in plan.made.items()]
    found += [Target(one.name, one.title, one.reason) for one in plan.omissions]
    counts = {paper: len(plan.targets[paper]) for paper in plan.papers if paper in plan.targets}
    found += [Target(paper, f"all of {paper}: {count} figures and tables", "") for paper, count in counts.items()]
    return sorted(found)


def is_name(target: str) -> bool:
    """Return whether what Snakemake is asked to make is named as a target is, and not a file."""
    return not {"/", "."} & set(target)


def check_target(target: str, name: str, left_out: Mapping[str, str], known: Collection[str], root: Path) -> None:
    """Raise InputError if a run has no such target, with the reason, the configuration that has it, or the nearest.

    name: of the run; left_out: the experiments that it leaves out, with the reasons; known: its targets.
    """
    if target in known:
        return
    if target in left_out:
        raise InputError(f"{target} is left out of this configuration: {left_out[target]}.")
    for run, overlays in configurations(root).items():
        if run != name and _has(root, overlays, target):
            file = overlays[0].relative_to(root) if overlays else "config.yaml alone"
            raise InputError(f"the run {name} has no target {target!r}: make it with the run {run}, which is {file}.")
    pick(target, known, "target of this configuration")


def _has(root: Path, overlays: list[Path], target: str) -> bool:
    """Return whether a configuration has a target; False if something is wrong with it, which its own run says."""
    with contextlib.suppress(InputError):
        if load_configuration(root, overlays).get("experiments") == []:
            return False  # of set-ups, whose plan takes seconds
        return any(one.name == target and not one.left_out for one in list_targets(root, overlays))
    return False
