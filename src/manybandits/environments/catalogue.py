"""Catalogue of games: the module of each game, by the name that paper files and the command line use.

Games that are not of this package are plug-ins (see `manybandits.base.plugins`), named by the path of their file, such
as ``./my_game.py``. Such a module has

* ``SETTINGS``: its settings with their defaults, and, if it likes, ``check(settings)``, which raises InputError;
* ``main(argv)``: freezes the game, with a flag per setting and ``--out``; it ends with `save_plugin`;
* ``game(name, facts, arrays)``: returns the frozen game as one of the kinds in `manybandits.environments.kinds`.
"""

from __future__ import annotations

import importlib
from collections.abc import Collection, Mapping
from pathlib import Path
from types import FunctionType, ModuleType

import numpy as np

from manybandits.base import plugins
from manybandits.base.artifacts import Provenance, save_arrays
from manybandits.base.exceptions import InputError, pick
from manybandits.base.sources import file_of

GAMES = {
    "m-cnb": "manybandits.environments.recommendation",
    "meta-ban": "manybandits.environments.recommendation",
    "item-50": "manybandits.environments.recommendation",
    "both-100": "manybandits.environments.recommendation",
    "classification": "manybandits.environments.classification",
    "instances": "manybandits.environments.instances",
    "adult-instances": "manybandits.environments.adult_instances",
    "agents": "manybandits.environments.agents",
    "lastfm-agents": "manybandits.environments.lastfm_agents",
    "replay": "manybandits.environments.replay",
    "exploration": "manybandits.environments.exploration",
    "synthetic": "manybandits.environments.synthetic",
}
"""The module that freezes each game of this package. Its `SETTINGS` are the settings with their defaults; `check`
checks values."""

RELEASED = ("item-50", "both-100")
"""Games of the protocol ``released``: those of the authors' public code, which no text describes."""

WITHOUT_DATA = ("synthetic", "agents", "instances")
"""Games that are made from settings alone, without a data set."""


KIND = "game"


def names() -> list[str]:
    """Return the names of all games, sorted, without those that are named by their path."""
    return sorted(GAMES)


def checked_name(name: str, kind: str = KIND, choices: Collection[str] = ()) -> str:
    """Return the name of a game: of a file, its path from the current folder.

    kind: what the name is, for messages; choices: the names that are allowed, all if none is given. Raises InputError
    if there is no such game.
    """
    return plugins.reference_to(name, kind) if plugins.is_path(name) else pick(name, choices or names(), kind)


def short_name(name: str) -> str:
    """Return the name of a game in names of files: of a file, its stem."""
    return plugins.short_name(name, names())


def script_of(name: str) -> str:
    """Return what names the module of a game in a plan: its dotted name, or the path of its file."""
    return name if plugins.is_path(name) else GAMES[pick(name, GAMES, KIND)]


def module_of(script: str) -> str:
    """Return the dotted name of a module that `script_of` names."""
    return plugins.module_of(script, {script: script}, KIND)


def load_module(script: str) -> ModuleType:
    """Import a module that `script_of` names; raise InputError naming what a plug-in lacks to be a game."""
    module = plugins.load(script, {script: script}, KIND)
    for name, what in (("SETTINGS", dict), ("main", FunctionType), ("game", FunctionType)):
        if not isinstance(getattr(module, name, None), what):
            raise InputError(
                f"{script} is no game yet: give it {name}, as `manybandits new game my_game.py` writes it."
            )
    return module


def load_kind(kind: str) -> ModuleType:
    """Import the module that made a game, by the fact ``kind`` of its file; raise InputError if there is none."""
    if plugins.is_path(kind):
        return load_module(checked_name(kind))
    known = {module.rpartition(".")[2]: module for module in GAMES.values()}
    return importlib.import_module(known[pick(kind, known, "kind of game")])


def save_plugin(module: str, path: Path, arrays: Mapping[str, np.ndarray], **facts: object) -> None:
    """Write the file of a game that is a plug-in; the last line of its `main`.

    module: its ``__name__``; facts: those that pages and figures state, which replace these defaults.
    """
    kind = plugins.reference_to(file_of(module), KIND)
    title = short_name(kind).replace("_", " ")
    about = {"name": title, "title": title, "completeness": "generated"}
    stated = {"kind": kind, "protocol": "paper", "role": title, "dataset": about, "stand_in": False, "data_note": title}
    provenance = Provenance({"game": kind})
    save_arrays(path, arrays, stated | facts)
    provenance.save(path)


def freeze_without_data(game: str, settings: Mapping[str, object], folder: Path) -> Path:
    """Freeze one of the games `WITHOUT_DATA` in a folder and return its file.

    Raises InputError if the game or one of the settings is unknown, or if a value is not allowed.
    """
    game = checked_name(game, KIND, WITHOUT_DATA)
    module = load_module(script_of(game))
    flags = [f"--{pick(name, module.SETTINGS, f'setting of {game}')}={value}" for name, value in settings.items()]
    path = folder / f"{short_name(game)}.npz"
    module.main([*flags, "--out", str(path)])
    return path
