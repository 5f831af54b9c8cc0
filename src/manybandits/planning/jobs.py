"""Games to freeze and plays of them, as jobs: from an experiment in a paper file to modules and their arguments."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Mapping
from types import ModuleType

from msgspec import Struct

from manybandits import datasets
from manybandits.algorithms import catalogue, contract
from manybandits.base.configuration import combinations
from manybandits.base.exceptions import InputError, nearest, pick
from manybandits.base.sources import digest
from manybandits.environments.catalogue import GAMES
from manybandits.harness.settings import NEURAL_HARNESS, expand_grid, parse_seeds
from manybandits.harness.spec import PlaySpec
from manybandits.papers.experiment import Entry, Games
from manybandits.papers.settings import Settings, Value
from manybandits.planning.configuration import Configuration


class Environment(Struct, frozen=True, forbid_unknown_fields=True):
    """A game to freeze, from one data set, from several or from none."""

    name: str
    module: str
    arguments: tuple[str, ...]  # for the module as a script
    datasets: tuple[str, ...]
    protocol: str


class Play(Struct, frozen=True, forbid_unknown_fields=True):
    """A run table to make: one environment, one algorithm, all grid points and seeds."""

    name: str  # paper/environment/algorithm, or paper/environment/algorithm-option-value where an option is fixed
    environment: Environment
    batched: bool  # whether it is a neural algorithm, written for all replicas at once
    spec: PlaySpec

    @property
    def module(self) -> str:
        return catalogue.module_of(self.spec.algorithm)

    @property
    def code(self) -> tuple[str, ...]:
        """The modules that it runs, with all that they import. That of the game knows how its kind is played."""
        played = self.module, "manybandits.harness.play", self.environment.module
        return (*played, NEURAL_HARNESS) if self.batched else played

    @property
    def digest(self) -> str:
        """Digest of the sources that this play depends on."""
        return digest(*self.code)

    def arguments(self) -> list[str]:
        """Return the command-line arguments that describe the play, for the algorithm's script."""
        return ["--spec", self.spec.to_json()]


def environments_of(games: Games, default: str, config: Configuration, protocol: str, where: str) -> list[Environment]:
    """Return some games: every data set with every combination of what is listed under `with`.

    default: the game that is played where none is named.
    """
    game = pick(games.game or default, GAMES, f"game ({where})")
    played = combinations(games.with_)
    for combination in played:
        check_settings(game, combination, where)
    environments = []
    for role in games.data or ("",):
        families = role.split("+") if role else []
        for family in families:
            if family not in config.data.use:
                raise InputError(f"{where} needs data for {family!r}: add a line to data.use in the configuration.")
        used = tuple(config.data.use[family] for family in families)
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


def check_settings(game: str, given: Mapping[str, Value], where: str) -> None:
    """Raise InputError naming the first setting that a game does not have, or a value that it cannot have."""
    module = importlib.import_module(GAMES[game])
    for name, value in given.items():
        default = module.SETTINGS[pick(name, module.SETTINGS, f"setting of {game} ({where})")]
        if isinstance(default, str) != isinstance(value, str):
            raise InputError(f"{where}: {name} is {value!r}, but a value such as {default!r} is needed.")
    if given:
        module.check({**module.SETTINGS, **given})


def play_of(entry: Entry, paper: str, environment: Environment, settings: Settings, where: str) -> Play:
    """Return a play.

    entry: the name of an algorithm, or a mapping from it to options: a value, or a list to tune. Its key ``as`` tells
    it apart from another play of the algorithm that differs in its lists only.
    """
    name, given = name_of(entry), {} if isinstance(entry, str) else dict(entry[name_of(entry)])
    label = [str(given.pop("as"))] if "as" in given else []
    algorithm = catalogue.load(name)
    grid, fixed = grid_of(algorithm, given, settings.grid, where)
    variant = environment.protocol if algorithm.RELEASED else "paper"
    words = label + [f"{option} {value}" for option, value in fixed.items()]
    rounds = settings.tuning_rounds
    try:
        spec = PlaySpec(
            algorithm=name,
            game=environment.name,
            title=", ".join((algorithm.TITLE, *words)),
            protocol=variant,
            grid=contract.known_to(variant, algorithm, grid),
            seeds=tuple(parse_seeds(settings.seeds, "seeds")),
            tuning_seeds=tuple(parse_seeds(settings.tuning_seeds, "tuning_seeds")),
            tuning=settings.tuning,
            # A run that is made shorter than its tuning is tuned on all of its rounds.
            tuning_rounds=rounds if rounds and rounds < settings.horizon else None,
            horizon=settings.horizon,
        )
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    return Play(
        name="-".join((f"{paper}/{environment.name}/{name}", *(word.replace(" ", "-") for word in words))),
        environment=environment,
        batched=hasattr(algorithm, "Policy"),
        spec=spec,
    )


def name_of(entry: Entry) -> str:
    """Return the algorithm that an entry of a list names."""
    return entry if isinstance(entry, str) else next(iter(entry))


def grid_of(
    algorithm: ModuleType, given: Mapping[str, Value | list[Value]], common: Mapping[str, list[Value]], where: str
) -> tuple[dict[str, list[Value]], dict[str, Value]]:
    """Return the grid of a play, and the options that are fixed to another value than their default.

    given: what is said of the algorithm; common: the grid for all algorithms, of which it takes what it knows.
    """
    for option in common:
        if option not in _options():
            hint = nearest(option, _options())
            raise InputError(f"{where}: no algorithm has the option {option!r} of the grid; {hint}")
    defaults = {option.name: option.default for option in algorithm.OPTIONS}
    grid = {option: values for option, values in common.items() if option in defaults}
    own = {option: value if isinstance(value, list) else [value] for option, value in given.items()}
    expand_grid(algorithm, grid | own, where)
    # What is fixed at its default is not named, so that figures share the play.
    named = {option: value for option, value in given.items() if value != defaults[option]}
    fixed = {option: value for option, value in named.items() if not isinstance(value, list)}
    return grid | {option: own[option] for option in named}, fixed


@functools.cache
def _options() -> frozenset[str]:
    """Return the names of the options of all algorithms."""
    return frozenset(option.name for name in catalogue.names() for option in catalogue.load(name).OPTIONS)
