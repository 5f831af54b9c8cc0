"""Games that are made from settings alone, for whoever wants one without any data."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path

from manybandits.base.exceptions import pick

MODULES = {name: f"manybandits.environments.{name}" for name in ("synthetic", "agents", "instances")}
"""Which module makes a game; its `SETTINGS` are what it can be made with."""


def freeze(game: str, settings: Mapping[str, object], folder: Path) -> Path:
    """Make a game in a folder and return its file; raise InputError naming what it cannot be made with."""
    module = importlib.import_module(MODULES[pick(game, MODULES, "game")])
    flags = [f"--{pick(name, module.SETTINGS, f'setting of {game}')}={value}" for name, value in settings.items()]
    path = folder / f"{game}.npz"
    module.main([*flags, "--out", str(path)])
    return path
