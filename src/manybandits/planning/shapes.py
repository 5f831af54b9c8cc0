"""Shapes of generated games, by their names: how many agents or instances, arms and dimensions they have.

A play that was never measured is priced by the measured plays of its algorithm on the games whose shape is nearest. If
these have other numbers of agents, the price is in proportion to them, since all agents act in every round. It is not
in proportion to arms and dimensions: in games as small as those of the papers, much of a round depends on neither.
"""

from __future__ import annotations

import math
import re
from functools import cache

from manybandits.environments import catalogue as games
from manybandits.environments.catalogue import load_module

SIZES = ("agents", "instances", "arms", "dimension")
"""The settings of games that are sizes."""


@cache
def kind_of(game: str) -> str:
    """Return the kind of a game by its name: of this package, its module; of a plug-in, the name itself."""
    known = _known(game)
    return games.GAMES[known].rpartition(".")[2] if known else game


@cache
def shape_of(game: str) -> dict[str, int]:
    """Return the sizes of a game by its name, such as agents-10-dimension-2; what it does not name has its default.

    Games of data have no sizes in their names, and those of plug-ins may mean anything by them: both return none.
    """
    known = _known(game)
    settings = getattr(load_module(games.GAMES[known]), "SETTINGS", {}) if known else {}
    shape = {}
    for size in SIZES:
        if isinstance(settings.get(size), int):
            named = re.findall(rf"-{size}-(\d+)", game)
            shape[size] = int(named[-1]) if named else settings[size]
    return shape


def distance(one: dict[str, int], other: dict[str, int]) -> float:
    """Return how far two shapes of one kind of game are apart: the sum of the logarithms of their sizes' ratios."""
    return sum(abs(math.log(one[size] / other[size])) for size in one if size in other)


def growth(one: dict[str, int], other: dict[str, int]) -> float:
    """Return how many times as long as on a game of shape `other` a round is taken to last on one of shape `one`."""
    return one["agents"] / other["agents"] if "agents" in one and "agents" in other else 1.0


def _known(game: str) -> str:
    """Return the name in the catalogue with which the name of a game begins, or nothing."""
    return max((name for name in games.GAMES if game.startswith(name)), key=len, default="")
