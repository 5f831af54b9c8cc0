"""Recipes of recommendation games: what a paper, or its code, says of users, payments, features and contexts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from manybandits.base.exceptions import InputError, pick

WORDS = {
    "pays": ("liked", "disliked"),
    "middle": ("kept", "dropped"),
    "densest": ("text", "code"),
    "factors": ("stars", "signs"),
    "halves": ("together", "apart"),
    "density": ("none", "normal"),
    "context": ("item", "both"),
    "grouping": ("authors", "ours"),
    "pools": ("groups", "users"),
    "draws": ("without", "with"),
}
"""The values of each setting that is a word."""
COUNTS = "users", "items", "groups"
"""The settings that are numbers."""
FIRST = re.compile(r"first-([1-9]\d{0,8})")
SETTINGS: dict[str, Any] = {**dict.fromkeys((*WORDS, "served"), "recipe"), **dict.fromkeys(COUNTS, 0)}
"""The settings of all recommendation games. The defaults, "recipe" and 0, leave a choice to the recipe of the game."""


@dataclass(frozen=True)
class Recipe:
    """What each setting of `manybandits.environments.recommendation` is in a game.

    users, items: the number of the most active ones that are kept; served_features: whether the game has features of
    the users served beside its contexts, which only NeuA+U reads.
    """

    pays: str = "liked"
    middle: str = "kept"
    densest: str = "text"
    users: int = 10_000
    items: int = 10_000
    factors: str = "stars"
    halves: str = "together"
    density: str = "none"
    context: str = "item"
    groups: int = 50
    grouping: str = "authors"
    pools: str = "groups"
    served: str = "groups"
    draws: str = "without"
    served_features: bool = True

    @property
    def first(self) -> int | None:
        """The number N of raters whose pools are served under first-N; None if those of all raters are."""
        found = FIRST.fullmatch(self.served)
        return int(found[1]) if found else None


_M_CNB = Recipe()
_ITEM_50 = Recipe(
    pays="disliked",
    middle="dropped",
    densest="code",
    users=2_000,
    factors="signs",
    density="normal",
    served="all",
    draws="with",
)
RECIPES = {
    "m-cnb": _M_CNB,
    "meta-ban": replace(_M_CNB, pays="disliked", users=2_000, pools="users", served_features=False),
    "item-50": _ITEM_50,
    "both-100": replace(_ITEM_50, context="both", groups=100, served="first-100"),
}


def check(settings: Mapping[str, Any]) -> None:
    """Raise InputError naming a setting without a meaning."""
    for name, words in WORDS.items():
        pick(str(settings[name]), ("recipe", *words), name)
    served = str(settings["served"])
    if not FIRST.fullmatch(served):
        try:
            pick(served, ("recipe", "groups", "all", "first-100"), "served")
        except InputError as error:
            raise InputError(f"{error} Any other number may follow first-.") from None
    for name in COUNTS:
        if settings[name] < 0 or settings[name] == 1:
            raise InputError(f"{name} is {settings[name]}: give at least 2, or 0 for the number of the recipe.")


def recipe_of(game: str, settings: Mapping[str, Any] | None = None) -> Recipe:
    """Return the recipe of a game with some of its settings; raise InputError if the game or a value is unknown."""
    recipe, settings = RECIPES[pick(game, RECIPES, "game")], settings or {}
    for name in settings:
        pick(name, SETTINGS, "setting")
    check({**SETTINGS, **settings})
    return replace(recipe, **{name: value for name, value in settings.items() if value != SETTINGS[name]})
