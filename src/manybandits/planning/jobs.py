"""Games to freeze and plays of them, as jobs: from an experiment in a paper file to modules and their arguments."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from manybandits import datasets
from manybandits.algorithms import catalogue, contract
from manybandits.base.configuration import combinations
from manybandits.base.exceptions import InputError, nearest, pick
from manybandits.base.sources import digest
from manybandits.environments.catalogue import GAMES
from manybandits.harness.settings import BATCHED, TUNING, expand_grid, parse_seeds

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
    batched: bool  # whether it is a neural algorithm, written for all replicas at once
    variant: str
    grid: dict[str, list[Any]]
    horizon: int
    seeds: str
    tuning_seeds: str
    tuning: str
    tuning_rounds: int | None

    @property
    def module(self) -> str:
        return catalogue.module_of(self.algorithm)

    @property
    def code(self) -> tuple[str, ...]:
        """The modules that it runs, with all that they import. That of the game knows how its kind is played."""
        played = self.module, "manybandits.harness.play", self.environment.module
        return (*played, BATCHED) if self.batched else played

    @property
    def digest(self) -> str:
        """Digest of the sources that this play depends on."""
        return digest(*self.code)

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


def environments_of(
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


def lacking(role: str, config: Mapping[str, Any]) -> list[str]:
    """Return the families of data that a role needs, one or some joined by +, for which the configuration has none."""
    return [family for family in role.split("+") if config["data"]["use"].get(family) == NONE]


def is_played(entry: str | Mapping[str, Any], config: Mapping[str, Any]) -> bool:
    """Say whether the configuration plays an entry of a list of algorithms: its name, and its family, a folder.

    Raises InputError naming the nearest one where there is no such algorithm, played or not.
    """
    name = entry if isinstance(entry, str) else next(iter(entry))
    families, named, family = config.get("families", "all"), config.get("algorithms", "all"), catalogue.family_of(name)
    return (families == "all" or family in families) and (named == "all" or name in named)


def check_settings(game: str, given: Mapping[str, Any], where: str) -> None:
    """Raise InputError naming the first setting that a game does not have, or a value that it cannot have."""
    module = importlib.import_module(GAMES[game])
    for name, value in given.items():
        default = module.SETTINGS[pick(name, module.SETTINGS, f"setting of {game} ({where})")]
        if isinstance(default, str) != isinstance(value, str):
            raise InputError(f"{where}: {name} is {value!r}, but a value such as {default!r} is needed.")
    if given:
        module.check({**module.SETTINGS, **given})


def play_of(
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
    algorithm = catalogue.load(name)
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
        batched=hasattr(algorithm, "Policy"),
        variant=variant,
        grid=contract.known_to(variant, algorithm, grid),
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
    return frozenset(option.name for name in catalogue.names() for option in catalogue.load(name).OPTIONS)
