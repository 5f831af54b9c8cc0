"""Games: what a round may hold, and what stops a game from being built."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from manybandits.base.exceptions import InputError
from manybandits.environments import recommendation
from manybandits.environments.kinds.game import BLOCK
from manybandits.environments.kinds.users import UserGame
from manybandits.environments.opinions import from_links, from_ratings
from manybandits.environments.recommendation import RECIPES, build, draw_block, draw_first, recipe_of, unpack


def ratings(seed: int = 0, users: int = 80, items: int = 60) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    pairs = np.argwhere(rng.random((users, items)) < 0.6)
    stars = rng.choice([1, 2, 3, 4, 5], size=len(pairs), p=[0.2, 0.1, 0.2, 0.2, 0.3])
    return pd.DataFrame({"user": pairs[:, 0], "item": pairs[:, 1], "rating": stars.astype(np.float32)})


def small(recipe):
    return recommendation.Recipe(**{**vars(recipe), "groups": 6})


def game(key, table=None, context=None, pools=None) -> UserGame:
    recipe = small(recipe_of(*key, context, pools))
    arrays, counts = build(from_ratings(ratings() if table is None else table), recipe)
    return UserGame("test", {}, arrays, counts["users"], 10, draw_block, draw_first=draw_first)


@pytest.mark.parametrize(("key", "context"), [(key, None) for key in RECIPES] + [(("m-cnb", "paper"), "both")])
def test_one_arm_pays_and_rewards_are_what_the_ratings_say(key, context):
    recipe = recipe_of(*key, context)
    table = ratings()
    arrays, counts = build(from_ratings(table), small(recipe))
    played = UserGame("test", {}, arrays, counts["users"], 10, draw_block)
    rounds = played.rounds(np.array([0]), 0)
    assert (rounds.rewards.sum(axis=2) == 1).all()
    if recipe.rater_features and not recipe.released:  # raters and items keep their numbers here
        stars = {(row.user, row.item): row.rating for row in table.itertuples()}
        kept_users, kept_items = np.unique(table["user"]), np.unique(table["item"])
        for b in range(50):
            for k in range(10):
                star = stars[kept_users[rounds.raters[0, b, k]], kept_items[rounds.items[0, b, k]]]
                assert (star > 4) == (rounds.rewards[0, b, k] == 1)


@pytest.mark.parametrize("context", ["item", "both"])
@pytest.mark.parametrize("key", [key for key in RECIPES if key[1] == "paper"])
def test_paper_contexts_have_length_one(key, context):
    arrays = game(key, context=context).arrays
    users = arrays["user_table"]
    lengths = np.linalg.norm(arrays["item_table"], axis=1)
    assert np.allclose(lengths, np.sqrt(0.5) if users.shape[1] else 1.0)
    assert np.allclose(np.linalg.norm(users, axis=1)[users.any(axis=1)], np.sqrt(0.5))


def test_the_paying_arm_stands_anywhere():
    rounds = game(("m-cnb", "paper")).rounds(np.arange(5), 0)
    counts = rounds.rewards.sum(axis=(0, 1))
    assert ((counts - 5 * BLOCK / 10) ** 2 / (5 * BLOCK / 10)).sum() < 28  # chi-squared, 9 degrees, p < 0.001


def test_rounds_depend_on_game_seed_and_block_only():
    one = game(("meta-ban", "paper"))
    together, alone = one.rounds(np.array([5, 3]), 2), one.rounds(np.array([3]), 2)
    for a, b in zip(together, alone, strict=True):
        assert np.array_equal(a[1], b[0])
    assert not np.array_equal(one.rounds(np.array([3]), 1).items, alone.items)


def test_released_meta_ban_serves_groups_by_their_size():
    arrays, counts = build(from_ratings(ratings()), small(RECIPES["meta-ban", "released"]))
    rounds = UserGame("test", {}, arrays, counts["users"], 10, draw_block).rounds(np.arange(10), 0)
    served = np.bincount(rounds.users.ravel(), minlength=counts["users"]) / rounds.users.size
    assert np.allclose(served, np.bincount(arrays["group"]) / len(arrays["group"]), atol=0.02)


def test_released_m_cnb_serves_only_the_groups_of_the_first_raters():
    recipe = recommendation.Recipe(**{**vars(RECIPES["m-cnb", "released"]), "groups": 20, "servable": 8})
    _, counts = build(from_ratings(ratings()), recipe)
    assert counts["users"] == 20
    assert counts["users_ever_served"] <= 8


def test_links_pay_and_strangers_do_not():
    rng = np.random.default_rng(0)
    nodes = 120
    linked = np.triu(rng.random((nodes, nodes)) < 0.15, 1)
    table = pd.DataFrame(np.argwhere(linked), columns=["source", "target"])
    entries = from_links(table)
    both = linked | linked.T
    assert (both[entries.rater, entries.item] == (entries.opinion == 1)).all()
    assert (entries.rater != entries.item).all()
    assert (entries.opinion == 1).sum() == 2 * len(table)


def test_without_paying_items_there_is_no_game_and_the_message_says_so():
    table = ratings()
    table["rating"] = 3.0
    with pytest.raises(InputError, match=r"no user pool has one item that is liked and 9 that are not"):
        build(from_ratings(table), small(RECIPES["m-cnb", "paper"]))


def test_a_rating_that_is_nan_stops_the_build():
    table = ratings()
    table.loc[3, "rating"] = np.nan
    with pytest.raises(InputError, match="a rating is NaN"):
        from_ratings(table)


def test_the_features_of_a_pool_are_the_mean_of_its_raters():
    both = game(("m-cnb", "paper"), context="both").arrays
    assert "served_table" not in both
    served = unpack(both)["served_table"]
    for pool in range(6):
        raters = set()
        for kind in ("paying", "other"):
            start = both[f"{kind}_start"]
            raters |= set(both[f"{kind}_rater"][start[pool] : start[pool + 1]].tolist())
        mean = both["user_table"][sorted(raters)].mean(axis=0)
        assert np.allclose(served[pool], mean / np.linalg.norm(mean))
    assert "served_table" not in unpack(game(("meta-ban", "paper")).arrays)


def test_arms_of_m_cnb_are_items_and_the_features_of_users_stand_apart():
    items, both = (unpack(game(("m-cnb", "paper"), context=context).arrays) for context in ("item", "both"))
    assert items["user_table"].shape == (1, 0)
    assert np.allclose(items["item_table"], both["item_table"] * np.sqrt(2.0))
    assert np.allclose(items["served_table"], both["served_table"])
    assert recipe_of("m-cnb", "paper") == recipe_of("m-cnb", "paper", "item")


def test_the_released_recipe_has_no_setting():
    assert recipe_of("m-cnb", "released").rater_features
    for given in ({"context": "item"}, {"pools": "users"}):
        with pytest.raises(InputError, match="the protocol released determines the contexts of arms and who is served"):
            recipe_of("m-cnb", "released", **given)


def test_groups_can_be_served_as_users_each_as_often_as_any_other():
    groups, users = (game(("meta-ban", "paper"), pools=pools) for pools in ("groups", "users"))
    assert (groups.users, users.users) == (6, 80)
    served = np.bincount(groups.rounds(np.arange(10), 0).users.ravel(), minlength=6)
    assert np.allclose(served / served.sum(), 1 / 6, atol=0.02)
    alike = game(("m-cnb", "paper")), game(("m-cnb", "paper"), pools="groups"), game(("m-cnb", "paper"), pools="recipe")
    assert all(np.array_equal(alike[0].arrays["serve_pool"], one.arrays["serve_pool"]) for one in alike)
    assert recipe_of("meta-ban", "paper", pools="users") == RECIPES["meta-ban", "paper"]
    with pytest.raises(InputError, match="pools"):
        recommendation.check({**recommendation.SETTINGS, "pools": "raters"})


@pytest.mark.parametrize("key", [key for key in RECIPES if key[1] == "paper"])
def test_first_observations_are_of_each_users_own_entries(key):
    played = game(key)
    first = played.first_observations(np.arange(40))
    arrays = played.arrays
    servable = np.unique(arrays["serve_pool"])
    assert first.users.shape == (40, played.users)
    assert (first.users[:, : len(servable)] == servable).all()
    assert (first.users[:, len(servable) :] == -1).all()
    for s, place in np.ndindex(40, len(servable)):
        kind = "paying" if first.rewards[s, place] == 1 else "other"
        start = arrays[f"{kind}_start"][servable[place] :][:2]
        assert first.items[s, place] in arrays[f"{kind}_item"][start[0] : start[1]]
    assert first.rewards[:, : len(servable)].mean() == pytest.approx(0.1, abs=0.07)  # a uniform one of ten arms
    assert (first.places == 0).all()


def test_first_observations_depend_on_game_and_seed_only():
    played = game(("m-cnb", "paper"))
    together, alone = played.first_observations(np.array([5, 3])), played.first_observations(np.array([3]))
    for a, b in zip(together, alone, strict=True):
        assert np.array_equal(a[1], b[0])
    assert not np.array_equal(together.items[0], together.items[1])
    played.rounds(np.array([3]), 0)
    assert np.array_equal(played.first_observations(np.array([3])).items, alone.items)
