"""Jobs that freeze games and play them: the modules and arguments that follow from an experiment of a paper."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterable, Mapping
from types import ModuleType

import numpy as np
from msgspec import Struct

from manybandits import datasets
from manybandits.algorithms import catalogue
from manybandits.base.combinations import check_combinations, combinations
from manybandits.base.exceptions import InputError, in_words, nearest, pick
from manybandits.base.protocols import PAPER, RELEASED
from manybandits.base.sources import digest
from manybandits.environments import catalogue as games
from manybandits.harness.arguments import code_of, expand_grid, parse_seeds
from manybandits.harness.spec import PlaySpec
from manybandits.papers.experiment import Entry, Games
from manybandits.papers.settings import Settings, Value
from manybandits.planning.configuration import Configuration

FILE_NAME, LONGEST = re.compile(r"(?=\w)[\w.+=,-]+", re.ASCII), 200
"""What may be the name of a game or a play, of which the names of files are made."""


class Environment(Struct, frozen=True, forbid_unknown_fields=True):
    """A game to freeze, made from one data set, several or none."""

    name: str
    module: str  # of a plug-in, the path of its file
    arguments: tuple[str, ...]  # of the module's script
    datasets: tuple[str, ...]
    protocol: str

    @property
    def role(self) -> str:
        """Its data as experiments name them, such as ``mnist+notmnist``; "" if it is generated."""
        return self.arguments[self.arguments.index("--role") + 1] if "--role" in self.arguments else ""

    @property
    def keys(self) -> list[str]:
        """What ``per_data`` of a configuration may call it: its data, alone and with each of its settings."""
        pairs = zip(self.arguments[::2], self.arguments[1::2], strict=True)
        return [self.role, *(f"{self.role} {flag.removeprefix('--')}={value}" for flag, value in pairs)]


class Play(Struct, frozen=True, forbid_unknown_fields=True):
    """A run table to make: one game, one algorithm, all grid points and seeds."""

    name: str  # paper/game/algorithm, followed by -option-value for each option that is fixed
    environment: Environment
    batched: bool  # whether the algorithm is written for all replicas at once, as neural ones are
    spec: PlaySpec

    @property
    def paper(self) -> str:
        return self.name.split("/")[0]

    @property
    def module(self) -> str:
        return catalogue.module_of(self.spec.algorithm)

    @property
    def code(self) -> tuple[str, ...]:
        """The modules that are run."""
        return code_of(self.module, games.module_of(self.environment.module), self.batched)

    @property
    def digest(self) -> str:
        """Digest of the sources of these modules and of all that they import."""
        return digest(*self.code)

    def arguments(self) -> list[str]:
        """Return the command-line arguments of the algorithm's script."""
        return ["--spec", self.spec.to_json()]


def file_name(parts: Iterable[object], where: str) -> str:
    """Return the name of a game or a play: its parts, joined by hyphens.

    Raises InputError if it cannot name a file. Parts come from files of papers: titles, settings and options.
    """
    name = "-".join(str(part).replace(" ", "-") for part in parts)
    if not FILE_NAME.fullmatch(name):
        raise InputError(
            f"{where}: files would be named {name!r:.300}; use letters, digits, spaces and . + = , _ - alone "
            "in `as` and in the values of settings and options."
        )
    return name


def check_length(name: str, where: str) -> None:
    """Raise InputError if a name is too long for a file. Plays of readings are no files, and may have longer names."""
    if len(name) > LONGEST:
        raise InputError(
            f"{where}: files would be named {name[:60]}...{name[-60:]}, which is longer than {LONGEST} characters: "
            "use fewer of them in `as` and in the values of settings and options."
        )


def environments_of(given: Games, default: str, config: Configuration, where: str) -> list[Environment]:
    """Return the games to freeze: one per data set and combination of the settings under `with`.

    default: the game to use if none is named. Data without dislikes have no public game: in it only these pay.
    """
    game = games.checked_name(given.game or default, f"game ({where})")
    protocol = RELEASED if game in games.RELEASED else PAPER
    script, recipe_script = games.script_of(game), games.GAMES["m-cnb"]
    played = combinations_of(given.with_, where)
    for combination in played:
        check_settings(game, combination, where)
    environments = []
    for role in given.data or ("",):
        families = role.split("+") if role else []
        for family in families:
            if family not in config.data.use:
                raise InputError(f"{where} needs data for {family!r}: add the key to data.use in the configuration.")
        used = tuple(config.data.use[family] for family in families)
        if not has_game(game, used):
            continue
        roles = ("--role", role) if role else ()
        recipe = ("--game", game) if script == recipe_script else ()
        short = [datasets.short_name(name) for name in used]
        parts = (game, protocol, *short) if recipe else (games.short_name(game), *short)
        for combination in played:
            tail = [f"{name}-{value}" for name, value in combination.items()]
            flags = [text for name, value in combination.items() for text in (f"--{name}", str(value))]
            environments.append(
                Environment(
                    name=file_name((*parts, *tail), where),
                    module=script,
                    arguments=(*recipe, *roles, *flags),
                    datasets=used,
                    protocol=protocol,
                )
            )
    return environments


def has_game(game: str, used: Iterable[str]) -> bool:
    """Return whether data sets, by name, can be played in a game: in the public ones only dislikes pay."""
    return game not in games.RELEASED or all(datasets.load(name).DATASET.dislikes for name in used)


def combinations_of(given: Mapping[str, Value | list[Value]], where: str) -> list[dict[str, Value]]:
    """Return the combinations of the settings under `with`; raise InputError naming the experiment and the setting."""
    try:
        return combinations(given)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def check_settings(game: str, given: Mapping[str, Value], where: str) -> None:
    """Raise InputError naming a setting that a game does not have, or whose value is of the wrong type or range."""
    module = games.load_module(games.script_of(game))
    for name, value in given.items():
        default = module.SETTINGS[pick(name, module.SETTINGS, f"setting of {game} ({where})")]
        if isinstance(default, str) != isinstance(value, str):
            raise InputError(f"{where}: {name} is {value!r}, but a value such as {default!r} is needed.")
        if isinstance(default, int) and not isinstance(value, int):
            raise InputError(f"{where}: {name} is {value!r}: give a whole number, such as {default!r}.")
        if isinstance(value, float) and not math.isfinite(value):
            raise InputError(f"{where}: {name} is {value!r}: give a finite number.")
    if given and hasattr(module, "check"):
        try:
            with np.errstate(over="raise", invalid="raise"):
                module.check({**module.SETTINGS, **given})
        except (InputError, MemoryError) as error:
            raise InputError(f"{where}: {in_words(error)}") from error
        except ArithmeticError as error:
            settings = ", ".join(f"{name} {value}" for name, value in given.items())
            raise InputError(f"{where}: no game has {settings}: {error}; give smaller numbers.") from error


def play_of(
    entry: Entry, paper: str, environment: Environment, settings: Settings, where: str, horizon: int | None = None
) -> Play:
    """Return the play of an algorithm on a game.

    entry: the name of an algorithm, or a mapping from it to options: each has a value, or a list of values to tune. The
    key ``as`` names a play that differs from another one of the same algorithm only in its lists.
    horizon: the rounds, if they are not those of the settings; they are then part of the name, not of the title.
    """
    horizon = horizon or settings.horizon
    name = name_of(entry)
    algorithm, short = catalogue.load(name), catalogue.short_name(name)
    grid, words = grid_and_words(entry, settings.grid, where)
    lengths = [] if horizon == settings.horizon else [f"horizon {horizon}"]
    rounds = settings.tuning_rounds
    try:
        spec = PlaySpec(
            algorithm=name,
            game=environment.name,
            title=", ".join((algorithm.TITLE, *words)),
            grid=grid,
            seeds=tuple(parse_seeds(settings.seeds, "seeds")),
            tuning_seeds=tuple(parse_seeds(settings.tuning_seeds, "tuning_seeds")),
            tuning=settings.tuning,
            # A run that is no longer than its tuning is tuned on all of its rounds.
            tuning_rounds=rounds if rounds and rounds < horizon else None,
            horizon=horizon,
        )
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    return Play(
        name=f"{paper}/{environment.name}/{file_name([short, *words, *lengths], where)}",
        environment=environment,
        batched=hasattr(algorithm, "Policy"),
        spec=spec,
    )


def name_of(entry: Entry) -> str:
    """Return the name of the algorithm in an entry of a list of algorithms."""
    return entry if isinstance(entry, str) else next(iter(entry))


def label_and_options(entry: Entry) -> tuple[list[str], dict[str, Value | list[Value]]]:
    """Return the ``as`` of an entry of a list of algorithms, if it has one, and its options."""
    given = {} if isinstance(entry, str) else dict(entry[name_of(entry)])
    return ([str(given.pop("as"))] if "as" in given else []), given


def grid_and_words(
    entry: Entry, common: Mapping[str, list[Value]], where: str
) -> tuple[dict[str, list[Value]], list[str]]:
    """Return the grid of an entry of a list of algorithms, and the words after the algorithm's title in that of a run.

    These are its ``as``, and the options that are fixed at a value other than their default. common: see `grid_of`.
    """
    label, given = label_and_options(entry)
    grid, fixed = grid_of(catalogue.load(name_of(entry)), given, common, where)
    return grid, label + [f"{option} {value}" for option, value in fixed.items()]


def run_title(entry: Entry, where: str) -> str:
    """Return the title of the runs of an entry of a list of algorithms."""
    return ", ".join((catalogue.load(name_of(entry)).TITLE, *grid_and_words(entry, {}, where)[1]))


def grid_of(
    algorithm: ModuleType, given: Mapping[str, Value | list[Value]], common: Mapping[str, list[Value]], where: str
) -> tuple[dict[str, list[Value]], dict[str, Value]]:
    """Return the grid of a play, and the options that are fixed at a value other than their default.

    given: the options of this play; common: the grid for all algorithms, of which only the options it has are used.
    """
    for option in common:
        if not _is_option(option):
            hint = nearest(option, {option for name in catalogue.names() for option in _options(name)})
            raise InputError(f"{where}: no algorithm has the option {option!r} of the grid; {hint}")
    defaults = {option.name: option.default for option in algorithm.OPTIONS}
    grid = {option: values for option, values in common.items() if option in defaults}
    own = {option: value if isinstance(value, list) else [value] for option, value in given.items()}
    _check_grid(algorithm, grid | own, where)
    # Options fixed at their default are not part of the name, so that figures share the play.
    named = {option: value for option, value in given.items() if value != defaults[option]}
    fixed = {option: value for option, value in named.items() if not isinstance(value, list)}
    return grid | {option: own[option] for option in named}, fixed


def _check_grid(algorithm: ModuleType, grid: Mapping[str, list[Value]], where: str) -> None:
    """Raise InputError for a grid that no play takes. Each value is checked once, not in each of its combinations."""
    known = {option.name: option for option in algorithm.OPTIONS}
    for name, values in grid.items():
        if name not in known or not values:
            expand_grid(algorithm, {name: values}, where)  # raises
        for value in values:
            known[name].check(value, where)
    try:
        check_combinations(grid)
    except InputError as error:
        raise InputError(f"{where}: {error}") from error


@functools.cache
def _is_option(option: str) -> bool:
    """Return whether an algorithm of the package has an option; True also if one that may have it cannot be imported.

    Algorithms are imported until one has it, so that a grid of linear ones needs no package that only networks need.
    """
    try:
        return any(option in _options(name) for name in sorted(catalogue.names(), key=_is_neural))
    except ModuleNotFoundError:  # an extra of the package is not installed
        return True


def _is_neural(name: str) -> bool:
    return catalogue.family_of(name) == "neural"


def _options(name: str) -> frozenset[str]:
    """Return the names of the options of an algorithm."""
    return frozenset(option.name for option in catalogue.load(name).OPTIONS)
