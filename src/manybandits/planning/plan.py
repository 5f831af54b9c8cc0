"""From a configuration and the paper files to the jobs of a run: which data, games, plays and figures.

Everything a user can write is checked here, before any job runs: the configuration and the paper files
against their schemas (``workflow/schemas``), and the names and values in them against what there is.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from manybandits import datasets
from manybandits.algorithms import catalogue
from manybandits.base.configuration import combinations, overlay, read_yaml
from manybandits.base.exceptions import InputError, pick, run_script
from manybandits.base.schemas import validate
from manybandits.harness.settings import parse_seeds
from manybandits.papers.claim import Claim, read_claims
from manybandits.papers.files import PLACE, figure_of, load, names
from manybandits.papers.scale import Scale, read_scale
from manybandits.planning.jobs import NONE, Environment, Play, environments_of, is_played, lacking, play_of
from manybandits.planning.league import Arena, make_arenas


@dataclass(frozen=True)
class Regression:
    """A table of errors of estimators to make, over some sweeps; nothing is played for it."""

    name: str  # paper/experiment, with the settings of which the experiment lists several
    settings: dict[str, Any]
    sweeps: dict[str, list[float]]
    seeds: str
    tuning_seeds: str

    def arguments(self) -> list[str]:
        """Return the command-line arguments that describe it, for `manybandits.estimators.comparison`."""
        settings = [f"{name}={value}" for name, value in self.settings.items()]
        sweeps = [("--sweep", f"{name}={','.join(map(str, values))}") for name, values in self.sweeps.items()]
        return [
            *(["--set", *settings] if settings else []),
            *(text for sweep in sweeps for text in sweep),
            *("--seeds", *map(str, parse_seeds(self.seeds))),
            *("--tuning-seeds", *map(str, parse_seeds(self.tuning_seeds))),
        ]


@dataclass(frozen=True)
class Figure:
    """A figure, and the table of its numbers: some environments, all their plays; or some regressions."""

    paper: str
    name: str  # paper_experiment_protocol, a target that a user can name
    experiment: str
    protocol: str
    title: str
    kind: str  # the module of `manybandits.figures` that draws it
    arguments: tuple[str, ...]  # for that module as a script
    table: str  # the module of `manybandits.tables` that makes its table
    plays: tuple[Play, ...] = ()
    regressions: tuple[Regression, ...] = ()

    @property
    def made_from(self) -> list[str]:
        """The tables that it is made from, in the folder of the run."""
        runs = [f"runs/{play.name}.parquet" for play in self.plays]
        return runs + [f"regressions/{regression.name}.parquet" for regression in self.regressions]


@dataclass(frozen=True)
class Measurement:
    """A table of seconds that a script of ``benchmarks`` measures; nothing is played for it."""

    paper: str
    name: str  # paper_experiment, a target that a user can name
    experiment: str
    title: str
    script: str
    protocol: str = "paper"


@dataclass(frozen=True)
class Omission:
    """An experiment that is not testable here, and why."""

    name: str
    title: str
    reason: str


@dataclass
class Plan:
    """All jobs of a run, and what is left out of it."""

    name: str
    papers: list[str] = field(default_factory=list)
    claims: dict[str, list[Claim]] = field(default_factory=dict)  # paper_experiment -> what the paper says of it
    scales: dict[str, Scale] = field(default_factory=dict)  # paper_experiment -> at which scale, on which data
    figures: list[Figure] = field(default_factory=list)
    measurements: list[Measurement] = field(default_factory=list)
    omissions: list[Omission] = field(default_factory=list)
    arenas: list[Arena] = field(default_factory=list)  # of the league; none where it is not played

    @property
    def plays(self) -> dict[str, Play]:
        made: list[Figure | Arena] = [*self.figures, *self.arenas]
        return {play.name: play for one in made for play in one.plays}

    @property
    def regressions(self) -> dict[str, Regression]:
        return {one.name: one for figure in self.figures for one in figure.regressions}

    @property
    def environments(self) -> dict[str, Environment]:
        return {play.environment.name: play.environment for play in self.plays.values()}

    @property
    def judged(self) -> dict[str, Figure | Measurement]:
        """What a claim speaks of, by name."""
        made: list[Figure | Measurement] = [*self.figures, *self.measurements]
        return {one.name: one for one in made if f"{one.paper}_{one.experiment}" in self.claims}

    @property
    def targets(self) -> dict[str, list[Figure | Measurement]]:
        """Map every name that a user can give to the figures and measurements that it stands for."""
        made: list[Figure | Measurement] = [*self.figures, *self.measurements]
        targets = {one.name: [one] for one in made}
        for one in made:
            targets.setdefault(one.paper, []).append(one)
        return targets


def make_plan(config: Mapping[str, Any], root: Path) -> Plan:
    """Return the plan of a checked configuration. root: the folder that holds ``workflow``."""
    validate(config, root / "workflow/schemas/config.schema.yaml", "the configuration")
    for role, dataset in config["data"]["use"].items():
        pick(dataset, [*datasets.names(), NONE], f"data set (data.use.{role})")
    own = config.get("per_paper", {})
    for given in (config, *own.values()):
        for family in [] if given.get("families", "all") == "all" else given["families"]:
            pick(family, catalogue.families(), "family of algorithms (families)")
        for name in [] if given.get("algorithms", "all") == "all" else given["algorithms"]:
            pick(name, catalogue.names(), "algorithm (algorithms)")
    known = names(root)
    for paper in own:
        pick(paper, known, "paper (per_paper)")
    plan = Plan(config["name"], list(config["papers"]))
    available: list[str] = []
    for paper in config["papers"]:
        pick(paper, known, "paper (papers)")
        available += _add_paper(plan, paper, overlay(config, own.get(paper, {})), root)
    wanted = config.get("experiments", "all")
    for name in [] if wanted == "all" else wanted:
        pick(name, available, "experiment (experiments)")
    plays = plan.plays
    for figure in plan.figures:
        for play in figure.plays:
            other = plays[play.name]
            if replace(play, environment=other.environment) != other:
                raise InputError(
                    f"{figure.name} plays {play.title} on {play.environment.name} with another grid or other settings "
                    "than another experiment: a run has one name, so give both the same."
                )
    plan.arenas = make_arenas(config, root) if config["league"] else []
    return plan


def _add_paper(plan: Plan, paper: str, config: Mapping[str, Any], root: Path) -> list[str]:
    """Add what a paper file holds to a plan; return the names of its experiments."""
    path, content = root / PLACE / paper, load(root, paper)
    validate(content, root / "workflow/schemas/paper.schema.yaml", str(path))
    for claim in read_claims(content, paper, str(path)):
        plan.claims.setdefault(f"{paper}_{claim.experiment}", []).append(claim)
    wanted, families = config.get("experiments", "all"), config.get("families", "all")
    for key, experiment in content["experiments"].items():
        name = f"{paper}_{key}"
        plan.scales[name] = read_scale(content, key)
        script = f"benchmarks/{experiment.get('benchmark', '')}.py"
        if "benchmark" in experiment and not (root / script).exists():
            raise InputError(f"{path}, experiment {key}: there is no {script}; name a file of benchmarks.")
        if wanted != "all" and name not in wanted:
            continue
        title = f"{content['short']}, {experiment['place']}: {experiment['title']}"
        if reason := _why_not(experiment, config):
            if wanted != "all":
                raise InputError(f"{name} (experiments) is not testable here: {reason}.")
            plan.omissions.append(Omission(name, title, reason))
        elif "regression" in experiment:
            if families == "all" and "paper" in config["protocols"]:
                plan.figures.append(_regression_figure(paper, key, experiment, content, config, path))
        elif "benchmark" not in experiment:
            figures = [
                _figure(paper, key, experiment, content, config, protocol, path)
                for protocol in config["protocols"]
                if protocol in experiment.get("protocols", config["protocols"])
            ]
            plan.figures += [figure for figure in figures if figure.plays]
        elif families == "all":
            plan.measurements.append(Measurement(paper, name, key, title, script))
    return [f"{paper}_{key}" for key in content["experiments"]]


def _why_not(experiment: Mapping[str, Any], config: Mapping[str, Any]) -> str:
    """Say for which family of data that an experiment needs there is none, "" where all are there."""
    for panel in experiment.get("panels", [{}]):
        for role in overlay(experiment, panel).get("data", []):
            for family in lacking(role, config):
                known = [datasets.load(name).DATASET for name in datasets.names()]
                cures = [f"{one.name} would do ({one.licence})" for one in known if one.family == family]
                return "; ".join([f"data.use.{family} is {NONE}", *cures])
    return ""


def _figure(
    paper: str,
    key: str,
    experiment: Mapping[str, Any],
    content: Mapping[str, Any],
    config: Mapping[str, Any],
    protocol: str,
    path: Path,
) -> Figure:
    where = f"{path}, experiment {key}"
    plays = []
    for panel in experiment.get("panels", [{}]):
        whole = overlay(experiment, panel)
        settings = {**content["settings"], **whole.get("settings", {}), **config.get("settings", {})}
        for environment in environments_of(whole, content, config, protocol, where):
            plays += [
                play_of(entry, paper, environment, settings, where)
                for entry in whole["algorithms"]
                if is_played(entry, config)
            ]
    suffix = "" if protocol == "paper" else f"_{protocol}"
    title = f"{content['short']}, {experiment['place']}: {experiment['title']}"
    given = figure_of(experiment)
    options = [text for name, value in given.items() if name != "kind" for text in (f"--{name}", str(value))]
    return Figure(
        paper=paper,
        name=f"{paper}_{key}{suffix}",
        experiment=key,
        protocol=protocol,
        title=title if not suffix else f"{title} ({protocol})",
        kind=given["kind"],
        arguments=("--band", experiment["band"], *options),
        table=experiment.get("table", "regret"),
        plays=tuple(plays),
    )


def _regression_figure(
    paper: str,
    key: str,
    experiment: Mapping[str, Any],
    content: Mapping[str, Any],
    config: Mapping[str, Any],
    path: Path,
) -> Figure:
    """Return the figure of an experiment in which nothing is played: a regression for each setting under `with`."""
    from manybandits.estimators import comparison  # compiles, which reading a plan does not need

    settings = {**content["settings"], **experiment.get("settings", {}), **config.get("settings", {})}
    given, sweeps = experiment.get("with", {}), experiment["regression"]
    listed = [name for name, values in given.items() if isinstance(values, list)]
    regressions = []
    for combination in combinations(given):
        try:
            comparison.Point.of(combination)
            comparison.points_of(combination, sweeps)
        except InputError as error:
            raise InputError(f"{path}, experiment {key}: {error}") from None
        name = "-".join((f"{paper}/{key}", *(f"{name}-{combination[name]}" for name in listed)))
        regressions.append(Regression(name, combination, sweeps, settings["seeds"], settings["tuning_seeds"]))
    return Figure(
        paper=paper,
        name=f"{paper}_{key}",
        experiment=key,
        protocol="paper",
        title=f"{content['short']}, {experiment['place']}: {experiment['title']}",
        kind=figure_of(experiment)["kind"],
        arguments=(),
        table=experiment.get("table", "estimation_errors"),
        regressions=tuple(regressions),
    )


def main(argv: list[str] | None = None) -> None:
    """List the targets that a user can name, with what they stand for."""
    parser = argparse.ArgumentParser(description="List the targets of a configuration.")
    parser.add_argument("--config", type=Path, nargs="*", default=[], help="files that overlay config.yaml")
    root = Path.cwd()
    config = read_yaml(root / "config.yaml")
    for path in parser.parse_args(argv).config:
        config = overlay(config, read_yaml(path))
    plan = make_plan(config, root)
    width = max(len(name) for name in (*plan.targets, *(one.name for one in plan.omissions)))
    for target, figures in sorted(plan.targets.items()):
        title = figures[0].title if figures[0].name == target else f"all of {target}: {len(figures)} figures and tables"
        sys.stdout.write(f"{target:<{width}}  {title}\n")
    for one in plan.omissions:
        sys.stdout.write(f"{one.name:<{width}}  not testable here: {one.title}; {one.reason}\n")


if __name__ == "__main__":
    run_script(main)
