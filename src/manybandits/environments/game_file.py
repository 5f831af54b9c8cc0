"""Read frozen games from their files. The function `game` of the module that made the file returns the game."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from manybandits.base.artifacts import load_arrays, load_facts
from manybandits.base.exceptions import InputError
from manybandits.environments.catalogue import load_kind
from manybandits.environments.kinds.game import Game


def load_game(path: Path) -> Game:
    """Return the game in a file; raise InputError naming the file if it is missing, damaged or not a game.

    The game is named after its file. The keys of its random streams contain a digest of its arrays, but none of its
    facts, so that a change of facts does not change them.
    """
    arrays = load_arrays(path)
    facts = {"name": path.stem, **load_facts(path)}
    digest = facts.pop("digest")
    if "kind" not in facts:
        raise InputError(f"{path} is not a frozen game: it names no kind of game. Give the file of a frozen game.")
    for key, array in arrays.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise InputError(f"{path}: array {key!r} holds NaN or infinity; freeze the game again.")
    game: Game = load_kind(facts["kind"]).game(digest, facts, arrays)
    return game
