"""Recipes of recommendation games: what a paper, or its code, says of users, pools, payments and contexts."""

from __future__ import annotations

from dataclasses import dataclass, replace

from manybandits.base.exceptions import InputError, pick

CONTEXTS = "item", "both"
SERVING = {"groups": "pools", "users": "groups"}
"""What the policy sees as a user -> how it is served; see `Recipe`."""


@dataclass(frozen=True)
class Recipe:
    """One cell of the table of `manybandits.environments.recommendation`.

    users, items: number of the most active ones that are kept. Ratings above liked_above are liked, those below
    disliked_below disliked; ratings of +1 and -1 speak for themselves.
    """

    pays: str  # "liked" or "disliked"
    users: int
    items: int
    groups: int
    pools: str  # "groups" or "users": what the policy sees as a user
    serve: str  # "pools": uniform; "groups": a group, then a pool of it; "users": the pool of a uniform user
    servable: int | None  # only the first so many users can be served, None: all (serve = "users")
    rater_features: bool  # whether contexts contain the features of raters
    served_features: bool  # whether there are features of the users served
    released: bool
    liked_above: float = 4.0
    disliked_below: float = 2.0


RECIPES = {
    ("m-cnb", "paper"): Recipe("liked", 10_000, 10_000, 50, "groups", "pools", None, False, True, False),
    ("m-cnb", "released"): Recipe("disliked", 2_000, 10_000, 100, "groups", "users", 100, True, True, True),
    ("meta-ban", "paper"): Recipe("disliked", 2_000, 10_000, 50, "users", "groups", None, False, False, False),
    ("meta-ban", "released"): Recipe("disliked", 2_000, 10_000, 50, "groups", "users", None, False, False, True),
}


def recipe_of(game: str, protocol: str, context: str | None = None, pools: str | None = None) -> Recipe:
    """Return the recipe of a game; raise InputError if a setting is given under released.

    context, pools: settings of the game, None for their defaults.
    """
    recipe = RECIPES[pick(game, {g for g, _ in RECIPES}, "game"), pick(protocol, {p for _, p in RECIPES}, "protocol")]
    if context is None and pools is None:
        return recipe
    if recipe.released:
        raise InputError("the protocol released determines the contexts of arms and who is served: leave settings out.")
    if context is not None:
        recipe = replace(recipe, rater_features=pick(context, CONTEXTS, "context") == "both")
    if pools is not None and pick(pools, ("recipe", *SERVING), "pools") != "recipe":
        recipe = replace(recipe, pools=pools, serve=SERVING[pools])
    return recipe
