"""Games to play: ``mb.games``. A game is frozen: its rounds depend on it and on the seed alone.

``synthetic``, ``agents`` and ``instances`` make a game from settings, which are checked; ``movielens``, ``mnist`` and
all other families of `manybandits.interface.data` make one of public data, and `openml` of a table there. Their
parameters are the settings of their modules, so that ``mb.games.synthetic(users=20)`` has the rounds of
``--game synthetic --set-game users=20``. `from_ratings`, `from_rows` and `from_log` make a game from a table of one's
own, a frame or a file; `load` reads one from a file, such as those that ``manybandits game`` writes.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import re
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pandas as pd

from manybandits import datasets
from manybandits.base.exceptions import InputError, pick
from manybandits.datasets.own.tables import OwnTable, Source, from_frame
from manybandits.environments import own
from manybandits.environments.catalogue import WITHOUT_DATA, load_module, script_of
from manybandits.environments.game_file import load_game
from manybandits.environments.kinds.game import Game as Game
from manybandits.environments.recipes import RECIPES
from manybandits.interface import data

PLAYED_AS = {
    "ratings": tuple(RECIPES),
    "graph": (*RECIPES, "exploration"),
    "images": ("classification",),
    "rows": ("classification",),
    "log": ("replay",),
    "tags": ("lastfm-agents",),
}
"""The games of each kind of data, first the default."""

if TYPE_CHECKING:  # what `__getattr__` makes, for editors and type checkers, which would take any name else

    class PublicGame(Protocol):
        def __call__(self, edition: str = ..., **settings: Any) -> Game: ...

    class MadeGame(Protocol):
        def __call__(self, **settings: Any) -> Game: ...

    agents: MadeGame
    instances: MadeGame
    synthetic: MadeGame
    adult: PublicGame
    amazon_fashion: PublicGame
    article: PublicGame
    astroph: PublicGame
    cifar10: PublicGame
    embedded: PublicGame
    emnist_letters: PublicGame
    facebook: PublicGame
    fashion_mnist: PublicGame
    lastfm: PublicGame
    magic: PublicGame
    mnist: PublicGame
    movielens: PublicGame
    mushroom: PublicGame
    news: PublicGame
    notmnist: PublicGame
    shuttle: PublicGame
    yelp: PublicGame


def __dir__() -> list[str]:
    """Return the public names, for completion."""
    return ["Game", "from_log", "from_ratings", "from_rows", "load", "openml", *WITHOUT_DATA, *data.families()]


def _made(name: str) -> Callable[..., Game]:
    """Return the function that makes a game from settings alone, or from a family of public data, by its name."""
    editions = {} if name in WITHOUT_DATA else data.editions(name)
    kinds = PLAYED_AS[datasets.load(next(iter(editions.values()))).DATASET.kind] if editions else (name,)
    kinds += ("adult-instances",) if name == "adult" else ()
    modules = [load_module(script_of(kind)) for kind in kinds]
    parameters = {"edition": next(iter(editions))} if editions else {}
    parameters |= {"game": kinds[0]} if len(kinds) > 1 else {}
    parameters |= {setting: value for module in modules for setting, value in module.SETTINGS.items()}

    def make(*values: Any, **given: Any) -> Game:
        for one in given:
            pick(one, parameters, f"argument of mb.games.{name}")
        given = inspect.signature(make).bind(*values, **given).arguments
        kind = pick(given.pop("game", kinds[0]), kinds, f"game of {name}")
        if not editions:
            return _frozen(kind, given, kind, [])
        tidy = data.tidy_folder(data.set_of(name, given.pop("edition", parameters["edition"])))
        flags = ["--tidy", str(tidy), "--role", datasets.load(tidy.name).DATASET.family]
        other = "" if kind == kinds[0] else f"-{kind}"
        return _frozen(kind, given, f"{tidy.name}{other}", [*flags, *(["--game", kind] if kind in RECIPES else [])])

    says = (f"{inspect.cleandoc(module.__doc__ or '')}\n\n{_help(module)}" for module in dict.fromkeys(modules))
    return data.named(make, name, "\n\n".join(says), **parameters)


if not TYPE_CHECKING:
    __getattr__ = _made


def openml(number: int, **settings: Any) -> Game:
    """Return a classification game from a table of OpenML by its number, such as 61; settings: as `from_rows` takes."""
    return from_rows(data.openml(number), **{"name": f"openml-{number}", **settings})


def load(path: str | Path) -> Game:
    """Return the game in a file (.npz); raise InputError naming the file if it is missing, damaged or not a game."""
    return load_game(Path(path))


def from_ratings(
    table: pd.DataFrame | str | Path,
    *,
    name: str = "ratings",
    user: str = "user",
    item: str = "item",
    rating: str = "rating",
    timestamp: str | None = None,
    **settings: Any,
) -> Game:
    """Return a recommendation game from a table of ratings.

    Parameters
    ----------
    table : a frame of pandas, polars or pyarrow, or a file, CSV or Parquet.
    name : of the game, if the table is a frame; otherwise it is that of the file.
    user, item, rating, timestamp : the columns; without a timestamp a user rates an item once.
    **settings : users, items, liked_above, disliked_below, game and settings of
        `manybandits.environments.own.ratings`.

    Raises InputError naming the row and column, or the setting, that is wrong.
    """
    columns = {"user": str(user), "item": str(item), "rating": str(rating), "timestamp": timestamp}
    return _own(table, name, lambda path, out: own.ratings(path, out, columns, **settings))


def from_rows(
    table: pd.DataFrame | str | Path, *, name: str = "classification", label: str = "label", **settings: Any
) -> Game:
    """Return a classification game from a table of features and a label; the arm of the right class pays.

    table, name : as in `from_ratings`; label : the column of classes; settings : drop, columns to leave out, and user,
    arms, serve, words and numbers of `manybandits.environments.classification`. For arrays X, (N, d), and y, (N,), give
    ``pandas.DataFrame(X).add_prefix("x").assign(label=y)``. Raises InputError as `from_ratings` does.
    """
    return _own(table, name, lambda path, out: own.classification(path, out, str(label), **settings))


def from_log(
    table: pd.DataFrame | str | Path,
    *,
    name: str = "log",
    arm: str = "arm",
    reward: str = "reward",
    propensity: str = "propensity",
    arm_features: str | Path | None = None,
    drop: Sequence[str] = (),
    **settings: str,
) -> Game:
    """Return a replay game from a log of contexts, the arms that were shown, and their rewards.

    table, name : as in `from_ratings`; arm, reward : columns; propensity : the column with the probability with which
    the arm was shown, or "uniform"; arm_features : a file with one row per arm; drop : columns to leave out; settings :
    order, learn and estimate of `manybandits.environments.replay`. Raises InputError as `from_ratings` does.
    """
    columns = {"arm": str(arm), "reward": str(reward), "propensity": str(propensity)}
    features = None if arm_features is None else Path(arm_features)
    how: dict[str, Any] = {"drop": drop, "arm_features": features, **settings}
    return _own(table, name, lambda path, out: own.log(path, out, columns, **how))


ratings, classification, log = from_ratings, from_rows, from_log  # former names, which scripts may still call


def _own(table: Any, name: str, freeze: Callable[[Source, Path], Mapping[str, Any]]) -> Game:
    """Return the game that a function of a table and of the game's file freezes; warn of what is odd about it."""
    with tempfile.TemporaryDirectory() as folder:
        source = source_of(table, name)
        out = Path(folder, f"{source.name if isinstance(source, OwnTable) else source.stem}.npz")
        for sentence in own.remarks(freeze(source, out)):
            warnings.warn(sentence, stacklevel=3)
        return load_game(out)


def source_of(table: Any, name: str) -> Source:
    """Return a file or a frame as the readers of tables take it: a frame of pandas, or one that can be turned into one.

    name: of what is made of a frame, of which a file is named.
    """
    if isinstance(table, str | Path):
        return Path(table)
    frame = table.to_pandas() if hasattr(table, "to_pandas") else table  # as polars and pyarrow have it
    if not isinstance(frame, pd.DataFrame):
        raise InputError(
            f"the table is of type {type(table).__name__}: give a frame, such as pandas.DataFrame(values, "
            "columns=[...]), or the path of a file."
        )
    if not re.fullmatch(r"\w[\w.+=,-]*", name):
        raise InputError(
            f"name is {name!r}, of which a file would be named: use letters, digits and . + = , _ - alone."
        )
    return from_frame(frame, name)


def _frozen(kind: str, given: dict[str, Any], stem: str, flags: list[str]) -> Game:
    """Return a game made from settings, name -> value, by the command line of its module with more flags.

    stem: the name of the game, before the settings that are not the default.
    """
    module = load_module(script_of(kind))
    known = module.SETTINGS
    checked = {
        name: _checked(name, value, known[pick(name, known, f"setting of {kind}")]) for name, value in given.items()
    }
    if hasattr(module, "check"):
        module.check({**known, **checked})
    changed = [(name, value) for name in known if (value := checked.get(name, known[name])) != known[name]]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "-".join((stem, *(f"{name}-{value}" for name, value in changed))) + ".npz")
        module.main([*flags, *(f"--{name}={value}" for name, value in changed), "--out", str(path)])
        return load_game(path)


def _help(module: ModuleType) -> str:
    """Return what the command line of a module says of its settings."""
    with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.suppress(SystemExit):
        module.main(["--help"])
    return said.getvalue().partition("options:\n")[2]


def _checked(name: str, value: object, default: object) -> object:
    """Return a setting with the type of its default; raise InputError if it has another one."""
    plain = value.item() if isinstance(value, np.generic) else value
    if isinstance(default, str):
        if isinstance(plain, str):
            return plain
        raise InputError(f"{name} is {value!r}; give a word, such as {default!r}.")
    if isinstance(plain, bool) or not isinstance(plain, int | float) or not np.isfinite(plain):
        raise InputError(f"{name} is {value!r}; give a number, such as {default!r}.")
    if isinstance(default, int):
        if plain != int(plain) or plain < 0:
            raise InputError(f"{name} is {value!r}; give a whole number that is not below 0, such as {default!r}.")
        return int(plain)
    return float(plain)
