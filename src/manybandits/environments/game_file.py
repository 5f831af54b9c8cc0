"""Read frozen games from their files. The function `game` of the module that made the file returns the game."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from manybandits.base.artifacts import load_arrays, load_facts
from manybandits.base.exceptions import InputError
from manybandits.environments.catalogue import load_kind
from manybandits.environments.kinds.game import Game
from manybandits.environments.layout import check_layout, lengths_of

STATED = ("users", "arms", "dimension")
"""The lengths that every game of this package states among its facts; some state more."""
STATED_BY_SOME = ("items", "rounds")


def load_game(path: Path) -> Game:
    """Return the game in a file; raise InputError naming the file if it is missing, damaged or not a game.

    The game is named after its file. The keys of its random streams contain a digest of its arrays, but none of its
    facts, so that a change of facts does not change them. Facts and arrays that disagree are refused here, because the
    kernels that play the game do not look at the bounds of arrays.
    """
    arrays, stated = load_arrays(path), load_facts(path)
    if not isinstance(stated.get("kind"), str) or "digest" not in stated:
        raise InputError(f"{path} is not a frozen game: it names no kind of game. Give the file of a frozen game.")
    facts = {"name": path.stem, **stated}
    digest = facts.pop("digest")
    for key, array in arrays.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise InputError(f"{path}: array {key!r} holds NaN or infinity; freeze the game again.")
    try:
        module = load_kind(facts["kind"])
        if hasattr(module, "LAYOUT"):
            lengths = lengths_of(facts, [*STATED, *(name for name in STATED_BY_SOME if name in facts)])
            check_layout(module.LAYOUT, arrays, lengths)
        game: Game = module.game(digest, facts, arrays)
        game.check()
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise InputError(
            f"{path}: no rounds can be drawn from its arrays ({type(error).__name__}: {error}); freeze the game again."
        ) from error
    return game
