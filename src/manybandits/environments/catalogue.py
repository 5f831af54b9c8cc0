"""Catalogue of games: the module of each game, by the name that paper files and the command line use."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path

from manybandits.base.exceptions import pick

GAMES = {
    "m-cnb": "manybandits.environments.recommendation",
    "meta-ban": "manybandits.environments.recommendation",
    "classification": "manybandits.environments.classification",
    "instances": "manybandits.environments.instances",
    "adult-instances": "manybandits.environments.adult_instances",
    "agents": "manybandits.environments.agents",
    "lastfm-agents": "manybandits.environments.lastfm_agents",
    "replay": "manybandits.environments.replay",
    "exploration": "manybandits.environments.exploration",
    "synthetic": "manybandits.environments.synthetic",
}
"""The module that freezes each game. Its `SETTINGS` are the settings with their defaults; `check` checks values."""

WITHOUT_DATA = ("synthetic", "agents", "instances")
"""Games that are made from settings alone, without a data set."""


def freeze_without_data(game: str, settings: Mapping[str, object], folder: Path) -> Path:
    """Freeze one of the games `WITHOUT_DATA` in a folder and return its file.

    Raises InputError if the game or one of the settings is unknown, or if a value is not allowed.
    """
    module = importlib.import_module(GAMES[pick(game, WITHOUT_DATA, "game")])
    flags = [f"--{pick(name, module.SETTINGS, f'setting of {game}')}={value}" for name, value in settings.items()]
    path = folder / f"{game}.npz"
    module.main([*flags, "--out", str(path)])
    return path
