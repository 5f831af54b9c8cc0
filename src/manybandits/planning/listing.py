"""The targets of a configuration, and the experiments that it leaves out, without planning what is played.

A plan has the same ones, but takes seconds, because it reads the options of every algorithm.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from manybandits.base.exceptions import InputError, pick
from manybandits.papers.experiment import Experiment, Panel
from manybandits.papers.files import Paper, folder_of, names, read_paper
from manybandits.planning.configuration import Configuration, checked, configurations, load_configuration
from manybandits.planning.figures import missing_data, title_of
from manybandits.planning.jobs import has_game, name_of


class Target(NamedTuple):
    """What Snakemake can make by this name: a figure with its table, or all those of a paper."""

    name: str
    title: str
    left_out: str  # why it cannot be made with this configuration; "" if it can


def list_targets(root: Path, overlays: list[Path]) -> list[Target]:
    """Return the targets of ``config.yaml`` with overlays, sorted by name."""
    config = checked(load_configuration(root, overlays), names(root))
    found = []
    for given in config.papers:
        paper = read_paper(folder_of(root, given))
        own = list(_targets(paper, config.for_paper(paper.name)))
        count = sum(not one.left_out for one in own)
        found += own
        found += [Target(paper.name, f"all of {paper.name}: {count} figures and tables", "")] if count else []
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
        return any(one.name == target and not one.left_out for one in list_targets(root, overlays))
    return False


def _targets(paper: Paper, config: Configuration) -> Iterator[Target]:
    """Yield the targets of the experiments of a paper that a configuration wants."""
    for key, experiment in paper.experiments.items():
        name, title = f"{paper.name}_{key}", title_of(paper, experiment)
        if not config.wants(name):
            continue
        if reason := missing_data(experiment, config):
            yield Target(name, title, reason)
            continue
        if _is_made(paper, experiment, config):
            yield Target(name, title, "")


def _is_made(paper: Paper, experiment: Experiment, config: Configuration) -> bool:
    """Return whether anything of an experiment is made with a configuration."""
    if experiment.measurement or experiment.regression is not None:
        return config.families == "all"
    return any(_plays(part, paper, config) for part in experiment.parts)


def _plays(part: Panel, paper: Paper, config: Configuration) -> bool:
    """Return whether anything of a panel is played; some data have no public game."""
    if not any(config.plays(name_of(entry)) for entry in part.algorithms):
        return False
    families = [[family for family in role.split("+") if family] for role in part.data or ("",)]
    return any(has_game(part.game or paper.game, [config.data.use[name] for name in names]) for names in families)
