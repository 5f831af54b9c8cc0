"""Games to play: ``mb.games``. A game is frozen: its rounds depend on it and on the seed alone.

`synthetic`, `agents` and `instances` make a game from settings, which are checked; `from_ratings`, `from_rows`
and `from_log` make one from a table of one's own, a frame or a file; `load` reads one from a file, such as those that
``manybandits game`` writes. The same settings give the same rounds as on the command line:
``mb.games.synthetic(users=20)`` is ``--game synthetic --set-game users=20``.
"""

from __future__ import annotations

import contextlib
import importlib
import re
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from manybandits.base.exceptions import InputError
from manybandits.datasets.own.tables import OwnTable, Source, from_frame
from manybandits.environments import own
from manybandits.environments.catalogue import GAMES
from manybandits.environments.game_file import load_game
from manybandits.environments.kinds.game import Game

__all__ = ["Game", "agents", "from_log", "from_ratings", "from_rows", "instances", "load", "synthetic"]


def __dir__() -> list[str]:
    """Return the public names, for completion."""
    return __all__


def synthetic(
    users: int = 50,
    clusters: int = 5,
    items: int = 1000,
    dimension: int = 10,
    noise: float = 0.1,
    separation: float = 0.0,
    seed: int = 0,
    arms: int = 10,
) -> Game:
    """Return a game of clustered linear users, one of whom is served per round.

    Parameters
    ----------
    users, clusters : the number of users, and of the clusters, of equal size, that share a preference vector.
    items, dimension : the number of items, unit vectors with `dimension` entries.
    noise : standard deviation of the noise of rewards.
    separation : minimum distance of the vectors of two clusters.
    seed : seed with which users and items are drawn; seeds of rounds are those of `manybandits.play`.
    arms : items offered per round.

    Raises InputError if a value is not allowed. Source: `manybandits.environments.synthetic`.
    """
    return _frozen("synthetic", locals())


def agents(
    population: str = "clusters",
    agents: int = 50,
    clusters: int = 5,
    z: float = 0.0,
    sizes: str = "shares",
    separation: float = 0.0,
    sigma: float = 0.1,
    noise: float = 1.0,
    arms: int = 25,
    dimension: int = 15,
    contexts: str = "gaussian",
    longest: float = 0.0,
    delta: float = 0.4,
    exponent: float = 0.2,
) -> Game:
    """Return a game of agents that all act on the same arms in every round.

    Parameters
    ----------
    population : "clusters" of agents with one vector each, or agents around a "mean".
    agents, clusters : their numbers, N and L.
    z : cluster l has size proportional to l^-z.
    sizes : "shares", N times the share of a cluster, rounded; "one-first", an agent each and the rest by shares;
        "drawn", every agent draws its cluster.
    separation : distance of the vectors of all pairs of clusters; 0 for uniform vectors.
    sigma : variance of the agents around their mean.
    noise : standard deviation of the noise of rewards.
    arms, dimension : arms per round, and entries of a context.
    contexts : "gaussian", N(0, I/d), or "sphere", uniform vectors of length 1.
    longest : with a mean, the longest possible vector of an agent; 0 for normal vectors.
    delta, exponent : those of the policies, for the conditions of the theorems; they do not change the game.

    Raises InputError if a value is not allowed. Source: `manybandits.environments.agents`.
    """
    return _frozen("agents", locals())


def instances(
    instances: int = 20,
    dimension: int = 50,
    arms: int = 2,
    structure: str = "sparse",
    sparsity: int = 3,
    alpha: float = 1.0,
    alignment: str = "random",
    difference: float = 0.5,
    shift: float = 0.5,
    correlation: float = 0.0,
    noise: float = 0.5,
    arrivals: str = "balanced",
    counts: str = "all",
) -> Game:
    """Return a game in which an individual per round arrives at one of similar instances, such as hospitals.

    Parameters
    ----------
    instances, dimension, arms : N, the entries d of a context, which is the same for all arms, and the arms K.
    structure, sparsity, alpha : how an instance differs from the shared vectors: in `sparsity` components ("sparse");
        instance j from the first one in j^alpha components ("network"); all of them in N^alpha ("ball").
    alignment : which components differ: "random", "disjoint" or "aligned".
    difference : size of a difference.
    shift : instances multiply contexts by factors from 1 - shift to 1.
    correlation : of neighbouring components of a context.
    noise : standard deviation of the noise of rewards.
    arrivals : "balanced", "poor" (the first instance is rare), or one probability per instance, "0.5,0.3,0.2".
    counts : whether regret is counted at "all" instances or at the "first" one only.

    Raises InputError if a value is not allowed. Source: `manybandits.environments.instances`.
    """
    return _frozen("instances", locals())


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


def _own(table: Any, name: str, freeze: Callable[[Source, Path], Mapping[str, Any]]) -> Game:
    """Return the game that a function of a table and of the game's file freezes; warn of what is odd about it."""
    with in_python(), tempfile.TemporaryDirectory() as folder:
        source = source_of(table, name)
        out = Path(folder, f"{source.name if isinstance(source, OwnTable) else source.stem}.npz")
        for sentence in own.remarks(freeze(source, out)):
            warnings.warn(sentence, stacklevel=3)
        return load_game(out)


@contextlib.contextmanager
def in_python() -> Iterator[None]:
    """Let the messages of a block name arguments as Python does: ``user="COLUMN"`` in place of ``--user COLUMN``."""
    try:
        yield
    except InputError as error:
        raise InputError(re.sub(r"--([a-z]+(?:-[a-z]+)*)(?: (\w+(?:\.\d+)?))?", _argument, str(error))) from error


def _argument(option: re.Match[str]) -> str:
    """Return an option of the command line, with its value if it has one, as an argument of Python."""
    name, value = option[1].replace("-", "_"), option[2] or ""
    if value.replace(".", "").isdigit() or value == "NUMBER":
        return f"{name}={value}"
    if name == "drop" and value:
        return f"{name}=[{value!r}]"
    return f'{name}="{value}"' if value in ("COLUMN", "uniform") else f"{name} {value}".rstrip()


def source_of(table: Any, name: str) -> Source:
    """Return a file or a frame as the readers of tables take it. name: of what is made of a frame."""
    return Path(table) if isinstance(table, str | Path) else from_frame(_frame(table), _file_name(name))


def _frame(table: Any) -> pd.DataFrame:
    """Return a frame of pandas, or one of a library that can turn its own into one, such as polars and pyarrow."""
    frame = table.to_pandas() if hasattr(table, "to_pandas") else table
    if isinstance(frame, pd.DataFrame):
        return frame
    raise InputError(
        f"the table is of type {type(table).__name__}: give a frame, such as pandas.DataFrame(values, columns=[...]), "
        "or the path of a file."
    )


def _file_name(name: str) -> str:
    """Return a name that can be that of a file; raise InputError if it cannot."""
    if not re.fullmatch(r"\w[\w.+=,-]*", name):
        raise InputError(
            f"name is {name!r}, of which a file would be named: use letters, digits and . + = , _ - alone."
        )
    return name


def _frozen(kind: str, settings: dict[str, Any]) -> Game:
    """Return a game made from settings: name -> value. Its name has those that are not the default."""
    module = importlib.import_module(GAMES[kind])
    checked = {name: _checked(name, settings[name], default) for name, default in module.SETTINGS.items()}
    module.check(dict(checked))
    changed = [f"{name}-{value}" for name, value in checked.items() if value != module.SETTINGS[name]]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "-".join((kind, *changed)) + ".npz")
        module.freeze(path, **checked)
        return load_game(path)


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
