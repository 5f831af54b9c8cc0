"""From a configuration and the paper files to the jobs of a run: which data, games, plays and figures.

Everything a user can write is checked here, before any job runs: the configuration and the paper files
against their schemas (``workflow/schemas``), and the names and values in them against what there is.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema

from manybandits import datasets, regress
from manybandits.algorithms import policy
from manybandits.claims.claim import Claim, read_claims
from manybandits.core.configuration import combinations, overlay, read_yaml
from manybandits.core.errors import InputError, nearest, pick, run_script
from manybandits.core.sources import digest
from manybandits.environments.recommendation import RECIPES
from manybandits.play import BATCHED, TUNING, expand_grid, parse_seeds

GAMES = {
    **{game: "manybandits.environments.recommendation" for game, _ in RECIPES},
    "classification": "manybandits.environments.classification",
    "instances": "manybandits.environments.instances",
    "adult-instances": "manybandits.environments.adult_instances",
    "agents": "manybandits.environments.agents",
    "lastfm-agents": "manybandits.environments.lastfm_agents",
    "replay": "manybandits.environments.replay",
    "exploration": "manybandits.environments.exploration",
}
"""Which module freezes a game that a paper file names."""
NONE = "none"
"""Stands in data.use where no data set can be had: experiments that need one are left out, and named."""


@dataclass(frozen=True)
class Environment:
    """A game to freeze, from one data set, from several or from none."""

    name: str
    module: str
    arguments: tuple[str, ...]  # for the module as a script
    datasets: tuple[str, ...]
    protocol: str


@dataclass(frozen=True)
class Play:
    """A run table to make: one environment, one algorithm, all grid points and seeds."""

    name: str  # paper/environment/algorithm, or paper/environment/algorithm-option-value where an option is fixed
    title: str
    environment: Environment
    algorithm: str
    variant: str
    grid: dict[str, list[Any]]
    horizon: int
    seeds: str
    tuning_seeds: str
    tuning: str
    tuning_rounds: int | None

    @property
    def module(self) -> str:
        return policy.module_of(self.algorithm)

    def load(self) -> ModuleType:
        """Import the algorithm."""
        return policy.load(self.algorithm)

    @property
    def digest(self) -> str:
        """Digest of the sources that this play depends on."""
        harness = ["manybandits.play"]
        if hasattr(self.load(), "Policy"):
            harness.append(BATCHED)
        return digest(self.module, *harness)

    def arguments(self) -> list[str]:
        """Return the command-line arguments that describe the play, for the algorithm's script."""
        grid = [f"{name}={','.join(map(str, values))}" for name, values in self.grid.items()]
        rounds = ["--tuning-rounds", str(self.tuning_rounds)] if self.tuning_rounds else []
        return [
            *("--title", self.title, "--variant", self.variant, "--horizon", str(self.horizon)),
            *("--tuning", self.tuning, "--seeds", self.seeds, "--tuning-seeds", self.tuning_seeds),
            *rounds,
            *(["--set", *grid] if grid else []),
        ]


@dataclass(frozen=True)
class Regression:
    """A table of errors of estimators to make, over some sweeps; nothing is played for it."""

    name: str  # paper/experiment, with the settings of which the experiment lists several
    settings: dict[str, Any]
    sweeps: dict[str, list[float]]
    seeds: str
    tuning_seeds: str

    def arguments(self) -> list[str]:
        """Return the command-line arguments that describe it, for `manybandits.regress`."""
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
    figures: list[Figure] = field(default_factory=list)
    measurements: list[Measurement] = field(default_factory=list)
    omissions: list[Omission] = field(default_factory=list)

    @property
    def plays(self) -> dict[str, Play]:
        return {play.name: play for figure in self.figures for play in figure.plays}

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
            pick(family, policy.families(), "family of algorithms (families)")
    known = sorted(path.stem for path in (root / "workflow/papers").glob("*.yaml"))
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
    for figure in plan.figures:
        for play in figure.plays:
            other = plan.plays[play.name]
            if replace(play, environment=other.environment) != other:
                raise InputError(
                    f"{figure.name} plays {play.title} on {play.environment.name} with another grid or other settings "
                    "than another experiment: a run has one name, so give both the same."
                )
    return plan


def _add_paper(plan: Plan, paper: str, config: Mapping[str, Any], root: Path) -> list[str]:
    """Add what a paper file holds to a plan; return the names of its experiments."""
    path = root / "workflow/papers" / f"{paper}.yaml"
    content = read_yaml(path)
    validate(content, root / "workflow/schemas/paper.schema.yaml", str(path))
    for claim in read_claims(content, paper, str(path)):
        plan.claims.setdefault(f"{paper}_{claim.experiment}", []).append(claim)
    wanted, families = config.get("experiments", "all"), config.get("families", "all")
    for key, experiment in content["experiments"].items():
        name = f"{paper}_{key}"
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
            for family in role.split("+"):
                if config["data"]["use"].get(family) == NONE:
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
        for environment in _environments(whole, content, config, protocol, where):
            plays += [
                _play(entry, paper, environment, settings, where)
                for entry in whole["algorithms"]
                if config.get("families", "all") == "all" or _family(entry) in config["families"]
            ]
    suffix = "" if protocol == "paper" else f"_{protocol}"
    title = f"{content['short']}, {experiment['place']}: {experiment['title']}"
    given = experiment.get("figure", {"kind": "regret"})
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
    settings = {**content["settings"], **experiment.get("settings", {}), **config.get("settings", {})}
    given, sweeps = experiment.get("with", {}), experiment["regression"]
    listed = [name for name, values in given.items() if isinstance(values, list)]
    regressions = []
    for combination in combinations(given):
        try:
            regress.Point.of(combination)
            regress.points_of(combination, sweeps)
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
        kind=experiment.get("figure", {"kind": "errors"})["kind"],
        arguments=(),
        table=experiment.get("table", "errors"),
        regressions=tuple(regressions),
    )


def _family(entry: str | Mapping[str, Any]) -> str:
    """Return the family, a folder of `manybandits.algorithms`, of an entry of a list of algorithms."""
    name = entry if isinstance(entry, str) else next(iter(entry))
    return policy.module_of(name).split(".")[-2]


def _environments(
    experiment: Mapping[str, Any],
    content: Mapping[str, Any],
    config: Mapping[str, Any],
    protocol: str,
    where: str,
) -> list[Environment]:
    """Return the games of an experiment: every data set with every combination of what it lists under `with`."""
    game = pick(experiment.get("game", content.get("game", "")), GAMES, f"game ({where})")
    played = combinations(experiment.get("with", {}))
    for combination in played:
        check_settings(game, combination, where)
    environments = []
    for role in experiment.get("data", [None]):
        families = role.split("+") if role else []
        for family in families:
            if family not in config["data"]["use"]:
                raise InputError(f"{where} needs data for {family!r}: add a line to data.use in the configuration.")
        used = tuple(config["data"]["use"][family] for family in families)
        dislikes = all(datasets.load(name).DATASET.dislikes for name in used)
        if protocol == "released" and (not dislikes or GAMES[game] != GAMES["m-cnb"]):
            continue  # what pays in the released game is what a user dislikes
        roles = ("--role", role) if role else ()
        recipe = ("--game", game, "--protocol", protocol) if GAMES[game] == GAMES["m-cnb"] else ()
        parts = (game, protocol, *used) if recipe else (game, *used)
        for combination in played:
            tail = [f"{name}-{value}" for name, value in combination.items()]
            flags = [text for name, value in combination.items() for text in (f"--{name}", str(value))]
            environments.append(
                Environment(
                    name="-".join((*parts, *tail)),
                    module=GAMES[game],
                    arguments=(*recipe, *roles, *flags),
                    datasets=used,
                    protocol=protocol,
                )
            )
    return environments


def check_settings(game: str, given: Mapping[str, Any], where: str) -> None:
    """Raise InputError naming the first setting that a game does not have, or a value that it cannot have."""
    module = importlib.import_module(GAMES[game])
    for name, value in given.items():
        default = module.SETTINGS[pick(name, module.SETTINGS, f"setting of {game} ({where})")]
        if isinstance(default, str) != isinstance(value, str):
            raise InputError(f"{where}: {name} is {value!r}, but a value such as {default!r} is needed.")
    if given:
        module.check({**module.SETTINGS, **given})


def _play(
    entry: str | Mapping[str, Mapping[str, Any]],
    paper: str,
    environment: Environment,
    settings: Mapping[str, Any],
    where: str,
) -> Play:
    """Return a play.

    entry: the name of an algorithm, or a mapping from it to options: a value, or a list to tune. Its key ``as`` tells
    it apart from another play of the algorithm that differs in its lists only.
    """
    name, given = (entry, {}) if isinstance(entry, str) else next(iter(entry.items()))
    label = [str(given["as"])] if "as" in given else []
    given = {option: value for option, value in given.items() if option != "as"}
    algorithm = policy.load(name)
    known = {option.name for option in algorithm.OPTIONS}
    # A paper's grid is for all its algorithms; the references take of it what they know.
    grid = {option: values for option, values in settings["grid"].items() if option in known}
    for option in settings["grid"]:
        if option not in _options():
            hint = nearest(option, _options())
            raise InputError(f"{where}: no algorithm has the option {option!r} of the grid; {hint}")
    whole = grid | {option: value if isinstance(value, list) else [value] for option, value in given.items()}
    expand_grid(algorithm, whole, where)
    # What is fixed at its default is not named, so that figures share the play.
    defaults = {option.name: option.default for option in algorithm.OPTIONS}
    given = {option: value for option, value in given.items() if value != defaults[option]}
    grid |= {option: whole[option] for option in given}
    for key in ("seeds", "tuning_seeds"):
        parse_seeds(settings[key])
    variant = environment.protocol if algorithm.RELEASED else "paper"
    words = label + [f"{option} {value}" for option, value in given.items() if not isinstance(value, list)]
    return Play(
        name="-".join((f"{paper}/{environment.name}/{name}", *(word.replace(" ", "-") for word in words))),
        title=", ".join((algorithm.TITLE, *words)),
        environment=environment,
        algorithm=name,
        variant=variant,
        grid=policy.known_to(variant, algorithm, grid),
        horizon=settings["horizon"],
        seeds=settings["seeds"],
        tuning_seeds=settings["tuning_seeds"],
        tuning=pick(settings["tuning"], TUNING, f"tuning rule ({where})"),
        # A run that is made shorter than its tuning is tuned on all of its rounds.
        tuning_rounds=rounds if (rounds := settings.get("tuning_rounds")) and rounds < settings["horizon"] else None,
    )


@functools.cache
def _options() -> frozenset[str]:
    """Return the names of the options of all algorithms."""
    return frozenset(option.name for name in policy.names() for option in policy.load(name).OPTIONS)


def validate(content: Mapping[str, Any], schema_path: Path, where: str) -> None:
    """Check `content` against a schema; raise InputError naming the key, the nearest valid one or the type."""
    validator = jsonschema.Draft202012Validator(read_yaml(schema_path))
    errors = sorted(validator.iter_errors(content), key=lambda error: [str(part) for part in error.absolute_path])
    if not errors:
        return
    error = errors[0]
    place = ".".join(str(part) for part in error.absolute_path)
    inside = f" in {place!r}" if place else ""
    if error.validator == "additionalProperties":
        allowed = error.schema.get("properties", {})
        key = next(key for key in error.instance if key not in allowed)
        raise InputError(f"{where}: unknown key {key!r}{inside}; {nearest(str(key), allowed)}")
    if error.validator == "required":
        missing = next(key for key in error.validator_value if key not in error.instance)
        raise InputError(f"{where}: the key {missing!r} is missing{inside}; add it.")
    if error.validator == "enum":
        raise InputError(
            f"{where}: {place!r} is {error.instance!r}; {nearest(str(error.instance), error.validator_value)}"
        )
    expected = error.schema.get("description", error.message)
    raise InputError(f"{where}: {place!r} is {error.instance!r}; expected {expected}.")


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
