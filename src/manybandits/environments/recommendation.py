"""Recommendation games from ratings: each round offers one item that pays and nine that do not.

Source: M-CNB section 6 and Meta-Ban section 7 for the protocol ``paper``; the code published with M-CNB and
LOCB for ``released``. A *pool* is what the policy sees as a user: a set of entries, (rater, item) pairs, some of
which pay 1 and the others 0. A round draws a pool, one of its paying entries and `ARMS - 1` others, and
shuffles them.

=============  ==================================  =========================================================
game           paper                               released
=============  ==================================  =========================================================
m-cnb          the 50 pre-clusters are the pools;  100 pre-clusters; the pool of a uniform one of the first
               a rating above 4 pays, any other    100 raters is served; a rating below 2 pays, one above 4
               does not                            does not; contexts: item and rater
meta-ban       the users are the pools, drawn by   the 50 groups are the pools; the group of a uniform user
               group, then in the group; a rating  is served; a rating below 2 pays, one above 4 does not;
               below 2 pays, any other does not    contexts: item
both           ratings are drawn without           entries are drawn with replacement; features pass through
               replacement; unit contexts          the density of N(0, 1/4), entry by entry
=============  ==================================  =========================================================

The context of an arm under ``paper``: M-CNB's section 3 says that an arm encodes user and item, but its NeuA+U *adds*
user features, which only two of its data sets have, so that the arms of Figure 2 are items; Meta-Ban has items.

context = item    the features of the item; m-cnb has features of the users served beside them, which only NeuA+U reads
context = both    the features of the item and of its rater

The pools under ``paper``: M-CNB's text serves the 50 pre-clusters, and Meta-Ban's the users. The code published with
M-CNB serves pre-clusters, so that both are played for Meta-Ban, whose text draws "a user from a group".

pools = recipe    those of the table
pools = groups    the pre-clusters, each as often as any other
pools = users     the users, drawn by group, then in the group

Links (Facebook): a link pays; for each link, `ARMS - 1` pairs without a link are drawn once as entries that
do not pay. Data that contain only liked and disliked items (+1, -1) have no ratings in between.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from manybandits.base.artifacts import Provenance, load_table, save_arrays
from manybandits.base.exceptions import InputError, pick, run_script
from manybandits.environments.kinds.users import Rounds, UserGame, alike
from manybandits.environments.layout import FLAG, indices, reals, starts
from manybandits.environments.opinions import ARMS, Entries, from_links, from_ratings
from manybandits.environments.recipes import CONTEXTS, RECIPES, SERVING, Recipe, recipe_of
from manybandits.features.factors import densest, densest_as_released, released_factors, text_factors, unit_rows
from manybandits.features.groups import k_means
from manybandits.numerics.subsets import distinct

if TYPE_CHECKING:
    from manybandits.datasets.base import Dataset

LAYOUT = {
    "item_table": reals("items", "features"),
    "user_table": reals("rows", "features of raters"),
    "serve_start": starts("rows of pools", into="served"),
    "serve_pool": indices("served", into="users"),
    "group": indices("raters", into="raters"),
    "replace": FLAG,
    "paying_start": starts("users", into="paying"),
    "paying_item": indices("paying", into="items"),
    "paying_rater": indices("paying", into="raters"),
    "other_start": starts("users", into="others"),
    "other_item": indices("others", into="items"),
    "other_rater": indices("others", into="raters"),
    "served_table": reals("users", "served features").maybe,
}
SETTINGS: dict[str, object] = {"context": "item", "pools": "recipe"}
"""The settings of the game under the protocol ``paper``, with defaults. The recipe of ``released`` determines all."""


def check(settings: dict[str, Any]) -> None:
    """Raise InputError if no game can be made with these settings."""
    pick(str(settings["context"]), CONTEXTS, "context")
    pick(str(settings["pools"]), ("recipe", *SERVING), "pools")


def build(entries: Entries, recipe: Recipe) -> tuple[dict[str, np.ndarray], dict[str, int]]:
    """Return the arrays of the game and counts for its facts.

    item_table: (I, d) and user_table: (U, d'), the features in contexts; served_table: (P, d'), those of the pools, if
    the game has them and user_table is empty; pool p has the paying entries
    paying_start[p]:paying_start[p + 1] of paying_item and paying_rater, and likewise other_*; a round draws a
    row g of serve_start uniformly, then a pool of serve_pool[serve_start[g]:serve_start[g + 1]] uniformly.
    Raises InputError if no round can be drawn.
    """
    if recipe.released:
        entries = entries.keep(entries.opinion != 0)
        chosen = densest_as_released(entries.rater, entries.item, recipe.users, recipe.items)
    else:
        chosen = densest(entries.rater, entries.item, recipe.users, recipe.items)
    entries = entries.keep(chosen, busiest_first=recipe.released)
    user_factors, item_factors = factors(entries, recipe)
    group = k_means(user_factors, min(recipe.groups, len(user_factors)))
    pool = group[entries.rater] if recipe.pools == "groups" else entries.rater
    pools = int(group.max()) + 1 if recipe.pools == "groups" else len(user_factors)
    pays = entries.opinion == (1 if recipe.pays == "liked" else -1)
    paying, others = _by_pool(entries, pool, pools, pays), _by_pool(entries, pool, pools, ~pays)
    least = 1 if recipe.released else ARMS - 1
    servable = (np.diff(paying[0]) >= 1) & (np.diff(others[0]) >= least)
    if not servable.any():
        raise InputError(
            f"no user pool has one item that is {recipe.pays} and {least} that are not, "
            "so no round can be drawn: use a data set with more ratings of both kinds."
        )
    serve_start, serve_pool = _serving(recipe, group, servable)
    item_table, user_table = contexts(item_factors, user_factors, recipe)
    arrays = {
        "item_table": item_table,
        "user_table": user_table,
        "serve_start": serve_start,
        "serve_pool": serve_pool,
        "group": group,
        "replace": np.array(recipe.released),
        **dict(zip(("paying_start", "paying_item", "paying_rater"), paying, strict=True)),
        **dict(zip(("other_start", "other_item", "other_rater"), others, strict=True)),
    }
    if recipe.served_features and not recipe.rater_features:
        arrays["served_table"] = served_features(arrays, unit_rows(user_factors))
    counts = {
        "raters": len(user_factors),
        "rated_items": len(item_factors),
        "entries_that_pay": int(pays.sum()),
        "entries_that_do_not": int((~pays).sum()),
        "users": pools,
        "users_ever_served": len(np.unique(serve_pool)),
    }
    return arrays, counts


def factors(entries: Entries, recipe: Recipe) -> tuple[np.ndarray, np.ndarray]:
    """Return the features of raters and items by the recipe of the protocol."""
    value = entries.opinion if recipe.released else entries.value
    rated = value != 0
    shape = (int(entries.rater.max()) + 1, int(entries.item.max()) + 1)
    matrix = sparse.csr_array((value[rated].astype(float), (entries.rater[rated], entries.item[rated])), shape=shape)
    return released_factors(matrix) if recipe.released else text_factors(matrix)


def contexts(items: np.ndarray, users: np.ndarray, recipe: Recipe) -> tuple[np.ndarray, np.ndarray]:
    """Return the tables that contexts are composed of: item_table (I, d), user_table (U, d')."""
    if recipe.released:
        items, users = gaussian_density(items), gaussian_density(users)
    else:
        items, users = unit_rows(items), unit_rows(users)
    if not recipe.rater_features:
        return items, np.zeros((1, 0))
    return (items, users) if recipe.released else (items / np.sqrt(2.0), users / np.sqrt(2.0))


def gaussian_density(features: np.ndarray) -> np.ndarray:
    """Return the density of N(0, 1/4) at each entry, which the released code applies to its contexts."""
    return np.exp(-2.0 * features**2) * np.sqrt(2.0 / np.pi)


def unpack(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the arrays with served_table, if contexts contain the features of raters."""
    if arrays["user_table"].shape[1] == 0:
        return arrays
    return {**arrays, "served_table": served_features(arrays, arrays["user_table"])}


def served_features(arrays: dict[str, np.ndarray], table: np.ndarray) -> np.ndarray:
    """Return the features of the users served, (P, d'), unit rows: means over the raters of each pool.

    table: (U, d'), the features of raters.
    """
    start = arrays["paying_start"], arrays["other_start"]
    pools = np.concatenate([np.repeat(np.arange(len(s) - 1), np.diff(s)) for s in start])
    raters = np.concatenate([arrays["paying_rater"], arrays["other_rater"]])
    member = np.unique(pools.astype(np.int64) * len(table) + raters)
    pool, rater = np.divmod(member, len(table))
    total = np.zeros((len(start[0]) - 1, table.shape[1]))
    np.add.at(total, pool, table[rater])
    return unit_rows(total)


def groups(arrays: dict[str, np.ndarray]) -> np.ndarray | None:
    """Return the pre-cluster of each user, (P,), if users are raters, or None if they are pre-clusters."""
    raters = arrays["group"]
    return raters if len(arrays["paying_start"]) - 1 == len(raters) else None


def draw_block(arrays: dict[str, np.ndarray], arms: int, count: int, random: np.random.Generator) -> Rounds:
    """Draw `count` rounds."""
    rows = random.integers(len(arrays["serve_start"]) - 1, size=count)
    pool = arrays["serve_pool"][_uniform_in(arrays["serve_start"], rows, random)]
    return rounds_of(arrays, arms, pool, random)


def draw_first(arrays: dict[str, np.ndarray], arms: int, random: np.random.Generator) -> tuple[np.ndarray, Rounds]:
    """Return the pools that a round may serve, (m,), and a round of each."""
    pools = np.unique(arrays["serve_pool"])
    return pools, rounds_of(arrays, arms, pools, random)


def rounds_of(arrays: dict[str, np.ndarray], arms: int, pool: np.ndarray, random: np.random.Generator) -> Rounds:
    """Draw a round of each of these pools, (B,)."""
    count = len(pool)
    pays = _uniform_in(arrays["paying_start"], pool, random)
    first = arrays["other_start"][pool]
    choices = arrays["other_start"][pool + 1] - first
    if arrays["replace"]:
        others = first[:, None] + (random.random((count, arms - 1)) * choices[:, None]).astype(np.int64)
    else:
        others = first[:, None] + distinct(choices, arms - 1, random)
    place = random.integers(arms, size=count)
    # Arm `place` pays; the others are around it, in the order in which they were drawn.
    column = np.arange(arms)[None, :]
    of_others = np.minimum(column - (column > place[:, None]), arms - 2)
    paying = column == place[:, None]
    entry = np.take_along_axis(others, of_others, axis=1)
    items = np.where(paying, arrays["paying_item"][pays][:, None], arrays["other_item"][entry])
    if arrays["user_table"].shape[1]:
        raters = np.where(paying, arrays["paying_rater"][pays][:, None], arrays["other_rater"][entry])
    else:
        raters = np.zeros_like(items)
    rewards = paying.astype(np.float64)
    return Rounds(alike(pool, arms), items.astype(np.int32), raters.astype(np.int32), rewards, rewards)


def _uniform_in(start: np.ndarray, rows: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Draw a place uniformly from start[row], ..., start[row + 1] - 1 for each row in `rows`, (n,)."""
    length = start[rows + 1] - start[rows]
    return start[rows] + (random.random(len(rows)) * length).astype(np.int64)


def _by_pool(entries: Entries, pool: np.ndarray, pools: int, mask: np.ndarray) -> tuple[np.ndarray, ...]:
    """Sort the entries of `mask` by pool; return the start of each pool, (P + 1,), the items and the raters."""
    order = np.argsort(pool[mask], kind="stable")
    start = np.concatenate([[0], np.cumsum(np.bincount(pool[mask], minlength=pools))])
    return start, entries.item[mask][order].astype(np.int32), entries.rater[mask][order].astype(np.int32)


def _serving(recipe: Recipe, group: np.ndarray, servable: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the pools that a round may draw: serve_start and serve_pool of `build`."""
    if recipe.serve == "pools":
        rows = [[pool] for pool in np.flatnonzero(servable).tolist()]
    elif recipe.serve == "groups":
        rows = [np.flatnonzero((group == g) & servable).tolist() for g in range(int(group.max()) + 1)]
    else:
        pools = group[: recipe.servable]
        rows = [pools[servable[pools]].tolist()]
    rows = [row for row in rows if row]
    return np.concatenate([[0], np.cumsum([len(row) for row in rows])]), np.concatenate(rows).astype(np.int64)


def check_pools(arrays: dict[str, np.ndarray], arms: int) -> None:
    """Raise InputError unless a round of K = `arms` items can be drawn from each pool that is served."""
    paying, others = (np.diff(arrays[f"{name}_start"])[arrays["serve_pool"]] for name in ("paying", "other"))
    least = 1 if arrays["replace"] else arms - 1
    if not (len(paying) and paying.min() >= 1 and others.min() >= least and np.diff(arrays["serve_start"]).all()):
        raise InputError(f"a pool that is served lacks items for rounds of {arms}; freeze the game again.")
    if arrays["user_table"].shape[1] and len(arrays["user_table"]) != len(arrays["group"]):
        raise InputError("the features of raters are not those of the raters; freeze the game again.")


def game(name: str, facts: dict[str, Any], arrays: dict[str, np.ndarray]) -> UserGame:
    """Return a frozen game. name: digest of its arrays; facts, arrays: content of its file."""
    check_pools(arrays, facts["arms"])
    arrays = unpack(arrays)
    shape = facts["users"], facts["arms"]
    return UserGame(name, facts, arrays, *shape, draw_block, groups(arrays), draw_first=draw_first)


def freeze(
    path: Path,
    game: str,
    protocol: str,
    tidy: Path,
    role: str,
    context: str | None = None,
    pools: str | None = None,
    dataset: Dataset | None = None,
    changes: Mapping[str, float] | None = None,
) -> None:
    """Build the game `game` under `protocol` from a folder of tidy data and write it to `path`.

    role: the family of data that the paper names. Data of another family are a stand-in. context, pools: as in
    `recipe_of`; dataset: what the data are, by default the data set that the folder is named after; changes: fields of
    the recipe with their values for own data.
    """
    from manybandits import datasets  # games use data sets only here, for names in their facts

    changes = dict(changes or {})
    recipe = replace(recipe_of(game, protocol, context, pools), **changes)  # type: ignore[arg-type]
    dataset = dataset or datasets.of_folder(tidy)
    source = tidy / ("edges.parquet" if dataset.kind == "graph" else "ratings.parquet")
    shown = {"context": "both" if recipe.rater_features else "item", "pools": recipe.pools, **changes}
    settings = {"game": game, "protocol": protocol, "dataset": dataset.name, "role": role, **shown}
    provenance = Provenance(settings, (source,))
    table = load_table(source)
    limits = recipe.liked_above, recipe.disliked_below
    entries = from_links(table) if dataset.kind == "graph" else from_ratings(table, *limits)
    try:
        arrays, counts = build(entries, recipe)
    except InputError as error:
        raise InputError(f"{dataset.name}, {game} {protocol}: {error}") from error
    served = "" if recipe.pools == RECIPES[game, protocol].pools else f"; {recipe.pools} served"
    stand_in = dataset.family != role
    title = f"{dataset.title}, standing in for {role}" if stand_in else dataset.title
    facts = {
        "kind": "recommendation",
        "users": counts["users"],
        "items": len(arrays["item_table"]),
        "arms": ARMS,
        "dimension": arrays["item_table"].shape[1] + arrays["user_table"].shape[1],
        "protocol": protocol,
        "role": role,
        "dataset": dataset.facts,
        "stand_in": stand_in,
        "settings": shown,
        "data_note": f"{title}; contexts: {'item and rater' if recipe.rater_features else 'item'}{served}",
        "counts": counts,
    }
    save_arrays(path, arrays, facts)
    provenance.save(path)


def main(argv: list[str] | None = None) -> None:
    """Freeze a game from the command line."""
    parser = argparse.ArgumentParser(description="Freeze a recommendation game from tidy ratings or links.")
    parser.add_argument("--game", required=True, help="m-cnb or meta-ban: the paper whose rounds are drawn")
    parser.add_argument("--protocol", default="paper", help="paper (default) or released")
    parser.add_argument("--tidy", type=Path, required=True, help="folder of a tidy data set")
    parser.add_argument("--role", required=True, help="the family of data that the paper names, e.g. movielens")
    parser.add_argument("--out", type=Path, required=True, help="the .npz file to write")
    parser.add_argument("--context", help="features in contexts under paper: item (default) or both (item and rater)")
    parser.add_argument("--pools", help="users to the policy under paper: recipe (default), users or groups")
    given = parser.parse_args(argv)
    freeze(given.out, given.game, given.protocol, given.tidy, given.role, context=given.context, pools=given.pools)


if __name__ == "__main__":
    run_script(main)
