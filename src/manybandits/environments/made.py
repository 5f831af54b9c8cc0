"""Games that are made from settings alone, for whoever wants one without any data."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from manybandits.base.exceptions import pick
from manybandits.environments.catalogue import GAMES, MADE


def freeze(game: str, settings: Mapping[str, object], folder: Path) -> Path:
    """Make a game in a folder and return its file; raise InputError naming what it cannot be made with."""
    module = importlib.import_module(GAMES[pick(game, MADE, "game")])
    flags = [f"--{pick(name, module.SETTINGS, f'setting of {game}')}={value}" for name, value in settings.items()]
    path = folder / f"{game}.npz"
    module.main([*flags, "--out", str(path)])
    return path


def read_settings(
    argv: list[str] | None, description: str, settings: Mapping[str, Any], meanings: Mapping[str, str]
) -> dict[str, Any]:
    """Read the settings of such a game, and the path `out`, from the command line.

    settings: the default of each; meanings: what the help says of them.
    """
    parser = argparse.ArgumentParser(description=description)
    for name, default in settings.items():
        meaning = f"{meanings.get(name, '')} (default {default})".strip()
        parser.add_argument(f"--{name}", type=type(default), default=default, help=meaning)
    parser.add_argument("--out", type=Path, required=True, help="the .npz file to write")
    return vars(parser.parse_args(argv))
