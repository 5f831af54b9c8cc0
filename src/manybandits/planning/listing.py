"""The targets of a configuration, and the experiments that it leaves out, without planning what is played.

A plan has the same ones, but takes seconds, because it reads the options of every algorithm.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from manybandits.papers.experiment import Experiment, Panel
from manybandits.papers.files import Paper, folder_of, names, read_paper
from manybandits.planning.configuration import Configuration, checked, load_configuration
from manybandits.planning.figures import missing_data, title_of
from manybandits.planning.jobs import environments_of, name_of


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


def _targets(paper: Paper, config: Configuration) -> Iterator[Target]:
    """Yield the targets of the experiments of a paper that a configuration wants."""
    for key, experiment in paper.experiments.items():
        name, title = f"{paper.name}_{key}", title_of(paper, experiment)
        if not config.wants(name):
            continue
        if reason := missing_data(experiment, config):
            yield Target(name, title, reason)
            continue
        for protocol in _protocols(paper, experiment, config):
            alone = protocol == "paper"
            yield Target(name if alone else f"{name}_{protocol}", title if alone else f"{title} ({protocol})", "")


def _protocols(paper: Paper, experiment: Experiment, config: Configuration) -> list[str]:
    """Return the protocols under which an experiment is made with a configuration; none if nothing of it is played."""
    if experiment.measurement or experiment.regression is not None:
        wanted = config.families == "all" and (bool(experiment.measurement) or "paper" in config.protocols)
        return ["paper"] if wanted else []
    protocols = [one for one in config.protocols if one in (experiment.protocols or config.protocols)]
    return [one for one in protocols if any(_plays(part, paper, config, one) for part in experiment.parts)]


def _plays(part: Panel, paper: Paper, config: Configuration, protocol: str) -> bool:
    """Return whether anything of a panel is played: only games of recommendation are released ones, too."""
    if not any(config.plays(name_of(entry)) for entry in part.algorithms):
        return False
    return protocol == "paper" or bool(environments_of(part, paper.game, config, protocol, paper.folder))
