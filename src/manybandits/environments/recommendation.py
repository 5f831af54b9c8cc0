"""Recommendation games from ratings: each round offers one item that pays and nine that do not.

Source: M-CNB section 6 and Meta-Ban section 7 for the games ``m-cnb`` and ``meta-ban``, which have the protocol
``paper``; the code that the same authors published for ``item-50`` and ``both-100``, which have ``released``:
``load_movielen_new`` and ``load_yelp_new`` (LOCB; MCNB from January 2022 to July 2024), and ``load_movielen_dif_user``
(MCNB since then). A *pool* is what the policy sees as a user: a set of entries, (rater, item) pairs, some of which pay
1 and the others 0. A round draws a pool, one of its paying entries and `ARMS - 1` others, and shuffles them.

=========  ========  =========  =========  =========  ================================================================
setting    m-cnb     meta-ban   item-50    both-100   meaning
=========  ========  =========  =========  =========  ================================================================
pays       liked     disliked   disliked   disliked   a rating above 4 pays, or one below 2; all others do not
middle     kept      kept       dropped    dropped    whether ratings neither above 4 nor below 2 are entries
densest    text      text       code       code       the most active raters and items: counted on all ratings; or as
                                                      in `densest_as_released`, with repeated pairs summed
users      10,000    2,000      2,000      2,000      the number of raters
items      10,000    10,000     10,000     10,000     the number of items
factors    stars     stars      signs      signs      features: `text_factors` of ratings, `released_factors` of signs
halves     together  together   together   together   apart: features are made of a random half of the pairs of
                                                      raters and items, and rounds of the other, so that no feature
                                                      knows a reward
density    none      none       normal     normal     normal: features pass through the density of N(0, 1/4), entry by
                                                      entry; else contexts have length 1
context    item      item       item       both       the features of the item, or of the item and of its rater
groups     50        50         50         100        the number of groups of K-means on the features of raters
grouping   authors   authors    authors    authors    authors: their own groups, where features are the published ones;
                                                      ours: K-means is run here
pools      groups    users      groups     groups     what the policy sees as a user: a group, or a rater
served     groups    groups     all        first-100  groups: each group as often as any other, then one of its pools;
                                                      all, first-N: the pool of a uniform one of all raters, or of
                                                      the first N
draws      without   without    with       with       the items of a round are drawn with or without replacement
=========  ========  =========  =========  =========  ================================================================

Each setting can be changed in every game. Where features of raters and items were published with a data set and the
features asked for are of this kind (``factors`` signs, ``halves`` together, and no fewer raters or items than it has),
these very features are used, and entries keep their numbers. Of other data they are made here, and the facts say so.

M-CNB's section 3 says that an arm encodes user and item, but its NeuA+U *adds* user features, which only two of its
data sets have, so that the arms of Figure 2 are items; Meta-Ban has items. Games with ``context`` item have features of
the users served beside contexts, which only NeuA+U reads, except for ``meta-ban``.

Links (Facebook): a link pays; for each link, `ARMS - 1` pairs without a link are drawn once as entries that
do not pay. Data that contain only liked and disliked items (+1, -1) have no ratings in between.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from manybandits.base import protocols
from manybandits.base.artifacts import Provenance, load_arrays, load_table, save_arrays
from manybandits.base.exceptions import InputError, run_script
from manybandits.environments.catalogue import RELEASED
from manybandits.environments.command_line import read_settings
from manybandits.environments.kinds.users import Rounds, UserGame, alike
from manybandits.environments.layout import FLAG, indices, reals, starts
from manybandits.environments.opinions import ARMS, LIMITS, Entries, from_links, from_ratings
from manybandits.environments.recipes import RECIPES, SETTINGS, Recipe, recipe_of
from manybandits.environments.recipes import check as check
from manybandits.features.factors import densest, densest_as_released, released_factors, text_factors, unit_rows
from manybandits.features.groups import k_means, published_groups
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
Features = tuple[np.ndarray, np.ndarray]
"""Features of raters, (U, d), and of items, (I, d)."""


def build(
    entries: Entries, recipe: Recipe, features: Features | None = None, group: np.ndarray | None = None
) -> tuple[dict[str, np.ndarray], dict[str, int]]:
    """Return the arrays of the game and counts for its facts.

    features: those of raters and items, (U, d) and (I, d), that were published with the entries, whose numbers are
    their rows; group: the authors' group of each rater, (U,). Either is made here if it is None.

    item_table: (I, d) and user_table: (U, d'), the features in contexts; served_table: (P, d'), those of the pools, if
    the game has them and user_table is empty; pool p has the paying entries
    paying_start[p]:paying_start[p + 1] of paying_item and paying_rater, and likewise other_*; a round draws a
    row g of serve_start uniformly, then a pool of serve_pool[serve_start[g]:serve_start[g + 1]] uniformly.
    Raises InputError if no round can be drawn.
    """
    entries, (user_factors, item_factors) = (entries, features) if features else factors(entries, recipe)
    if group is None:
        # Only where groups are the users, too few different raters are an error.
        most = len(user_factors if recipe.pools == "groups" else np.unique(user_factors, axis=0))
        group = k_means(user_factors, min(recipe.groups, most))
    pool = group[entries.rater] if recipe.pools == "groups" else entries.rater
    pools = int(group.max()) + 1 if recipe.pools == "groups" else len(user_factors)
    pays = entries.opinion > 0 if recipe.pays == "liked" else entries.opinion < 0
    paying, others = _by_pool(entries, pool, pools, pays), _by_pool(entries, pool, pools, ~pays)
    least = 1 if recipe.draws == "with" else ARMS - 1
    servable = (np.diff(paying[0]) >= 1) & (np.diff(others[0]) >= least)
    serve_start, serve_pool = _serving(recipe, group, servable)
    if not len(serve_pool):
        raise InputError(
            f"no user pool that is served has one item that is {recipe.pays} and {least} that are not, "
            "so no round can be drawn: use more ratings of both kinds, or other limits of what is liked and disliked."
        )
    item_table, user_table = contexts(item_factors, user_factors, recipe)
    arrays = {
        "item_table": item_table,
        "user_table": user_table,
        "serve_start": serve_start,
        "serve_pool": serve_pool,
        "group": group,
        "replace": np.array(recipe.draws == "with"),
        **dict(zip(("paying_start", "paying_item", "paying_rater"), paying, strict=True)),
        **dict(zip(("other_start", "other_item", "other_rater"), others, strict=True)),
    }
    if recipe.served_features and recipe.context == "item":
        arrays["served_table"] = served_features(arrays, unit_rows(user_factors))
    counts = {
        "raters": len(user_factors),
        "rated_items": len(np.unique(entries.item)),
        "entries_that_pay": int(pays.sum()),
        "entries_that_do_not": int((~pays).sum()),
        "users": pools,
        "users_ever_served": len(np.unique(serve_pool)),
    }
    return arrays, counts


def factors(entries: Entries, recipe: Recipe) -> tuple[Entries, Features]:
    """Return the entries between the most active raters and items that rounds are made of, and features of both."""
    entries = chosen(entries, recipe)
    made_of = entries if entries.in_first_half is None else entries.select(entries.in_first_half)
    value = made_of.value if recipe.factors == "stars" else made_of.opinion
    rated = value != 0
    shape = (int(entries.rater.max()) + 1, int(entries.item.max()) + 1)
    cells = value[rated].astype(float), (made_of.rater[rated], made_of.item[rated])
    matrix = sparse.csr_array(cells, shape=shape)
    if entries.in_first_half is not None:
        entries = entries.select(~entries.in_first_half)
    if recipe.middle == "dropped":  # what a rater liked and disliked as often
        entries = entries.select(entries.opinion != 0)
    return entries, text_factors(matrix) if recipe.factors == "stars" else released_factors(matrix)


def chosen(entries: Entries, recipe: Recipe) -> Entries:
    """Return the entries between the most active raters and items, with both numbered from 0."""
    if recipe.halves == "apart":
        entries = entries.halved()
    if recipe.middle == "dropped":
        entries = entries.keep(entries.opinion != 0)
    if recipe.densest == "text":
        return entries.keep(densest(entries.rater, entries.item, recipe.users, recipe.items))
    entries = entries.summed()
    return entries.among(*densest_as_released(entries.rater, entries.item, recipe.users, recipe.items))


def contexts(items: np.ndarray, users: np.ndarray, recipe: Recipe) -> Features:
    """Return the tables that contexts are composed of: item_table (I, d), user_table (U, d')."""
    if recipe.density == "normal":
        items, users = gaussian_density(items), gaussian_density(users)
    else:
        items, users = unit_rows(items), unit_rows(users)
    if recipe.context == "item":
        return items, np.zeros((1, 0))
    return (items, users) if recipe.density == "normal" else (items / np.sqrt(2.0), users / np.sqrt(2.0))


def gaussian_density(features: np.ndarray) -> np.ndarray:
    """Return the density of N(0, 1/4) at each entry, which the public code applies to its contexts."""
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
    """Return the pools that a round may draw: serve_start and serve_pool of `build`, empty if there is none."""
    pool = group if recipe.pools == "groups" else np.arange(len(group))  # of each rater
    if recipe.served == "groups":
        rows = [np.unique(pool[group == g]) for g in range(int(group.max()) + 1)]
    else:
        rows = [pool[: recipe.first]]
    kept = [row[servable[row]] for row in rows]
    kept = [row for row in kept if len(row)]
    start = np.cumsum([0, *(len(row) for row in kept)])
    return start, np.concatenate([np.zeros(0, np.int64), *kept]).astype(np.int64)


def check_pools(arrays: dict[str, np.ndarray], arms: int) -> None:
    """Raise InputError unless a round of K = `arms` items can be drawn from each pool that is served."""
    paying, others = (np.diff(arrays[f"{name}_start"])[arrays["serve_pool"]] for name in ("paying", "other"))
    least = 1 if arrays["replace"] else arms - 1
    if not (len(paying) and paying.min() >= 1 and others.min() >= least and np.diff(arrays["serve_start"]).all()):
        raise InputError(f"a pool that is served lacks items for rounds of {arms}; freeze the game again.")
    if arrays["user_table"].shape[1] and len(arrays["user_table"]) != len(arrays["group"]):
        raise InputError("the features of raters are not those of the raters; freeze the game again.")


def game(name: str, facts: dict[str, Any], arrays: dict[str, np.ndarray]) -> UserGame:
    check_pools(arrays, facts["arms"])
    arrays = unpack(arrays)
    shape = facts["users"], facts["arms"]
    return UserGame(name, facts, arrays, *shape, draw_block, groups(arrays), draw_first=draw_first)


def freeze(
    path: Path,
    game: str,
    tidy: Path,
    role: str,
    dataset: Dataset | None = None,
    liked_above: float = LIMITS["liked_above"],
    disliked_below: float = LIMITS["disliked_below"],
    **settings: str | int,
) -> None:
    """Build the game `game` from a folder of tidy data and write it to `path`.

    role: the family of data that the paper names. Data of another family are a stand-in. dataset: what the data are, by
    default the data set that the folder is named after; liked_above, disliked_below: what counts as liked and disliked;
    settings: as in `SETTINGS`.
    """
    from manybandits import datasets  # games use data sets only here, for names in their facts and for features
    from manybandits.datasets.base import FEATURES_FILE, OWN

    recipe = recipe_of(game, settings)
    dataset = dataset or datasets.of_folder(tidy)
    protocol = protocols.RELEASED if game in RELEASED else protocols.PAPER
    sources = [tidy / ("edges.parquet" if dataset.kind == "graph" else "ratings.parquet")]
    features = None
    if dataset.features and recipe.factors == "signs" and recipe.halves == "together":
        published = load_arrays(tidy / FEATURES_FILE)
        if len(published["user_features"]) <= recipe.users and len(published["item_features"]) <= recipe.items:
            features = published["user_features"], published["item_features"]
            sources.append(tidy / FEATURES_FILE)
    theirs = features is not None and recipe.grouping == "authors"
    group = published_groups(dataset.name, recipe.groups) if theirs else None
    limits = {"liked_above": liked_above, "disliked_below": disliked_below}
    shown = {name: getattr(recipe, name) for name in ("context", "pools")}
    shown |= {name: value for name, value in settings.items() if value != SETTINGS[name]}
    shown |= {name: value for name, value in limits.items() if value != LIMITS[name]}
    made = {"game": game, "protocol": protocol, "dataset": dataset.name, "role": role, **shown}
    provenance = Provenance(made, tuple(sources))
    table = load_table(sources[0])
    entries = from_links(table) if dataset.kind == "graph" else from_ratings(table, **limits)
    try:
        arrays, counts = build(entries, recipe, features, group)
    except InputError as error:
        raise InputError(f"{dataset.name}, {game}: {error}") from error
    stand_in = dataset.family != role
    if stand_in:
        replaced = f", standing in for {role}"
    else:
        other = game in RELEASED and not dataset.features and dataset.completeness != OWN
        replaced = ", in place of the extract published with the code" if other else ""
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
        "data_note": "; ".join((f"{dataset.title}{replaced}", *notes(game, recipe, features, group))),
        "counts": counts,
    }
    save_arrays(path, arrays, facts)
    provenance.save(path)


def notes(game: str, recipe: Recipe, features: Features | None, group: np.ndarray | None) -> list[str]:
    """Return what a figure says of a game beside its data: contexts, who made features and groups, and what is changed.

    features, group: the published ones; None where they are made here. Games of the text have none.
    """
    said = [f"contexts: {'item and rater' if recipe.context == 'both' else 'item'}"]
    changed = [name for name in SETTINGS if getattr(recipe, name) != getattr(RECIPES[game], name)]
    if "pools" in changed:
        said.append(f"{recipe.pools} served")
    if recipe.factors == "signs":
        said.append("our features" if features is None else "published features")
        said.append("our groups" if group is None else "the authors' groups")
    quiet = "context", "pools", "grouping"
    return [*said, *(f"{name} {getattr(recipe, name)}" for name in changed if name not in quiet)]


def main(argv: list[str] | None = None) -> None:
    meanings = {**dict.fromkeys(SETTINGS, "by default as in the recipe of the game"), "game": "whose rounds are drawn"}
    settings = {"game": "m-cnb", **SETTINGS}
    freeze(**read_settings(argv, "Freeze a recommendation game from ratings or links.", settings, meanings, "folder"))


if __name__ == "__main__":
    run_script(main)
