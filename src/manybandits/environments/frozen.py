"""Read a frozen game from its file. The module that made it says, by its function `game`, of which kind it is."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np

from manybandits.base.artifacts import load_arrays, load_provenance, sha256
from manybandits.base.exceptions import InputError
from manybandits.environments.kinds.game import Game


def load_game(path: Path) -> Game:
    """Read a frozen game; raise InputError naming the file when it is missing, damaged or not a game."""
    arrays = load_arrays(path)
    facts = load_provenance(path)["facts"]
    if "kind" not in facts:
        raise InputError(f"{path} is not an environment: its .json names no kind of game.")
    for name, array in arrays.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise InputError(f"{path}: array {name!r} holds NaN or infinity; build the environment again.")
    made_by = importlib.import_module(f"manybandits.environments.{facts['kind']}")
    game: Game = made_by.game(sha256(path), facts, arrays)
    return game
