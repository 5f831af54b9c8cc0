"""Games: what a round may hold, and what stops a game from being built."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from msgspec.structs import replace
from scipy.stats import norm

from manybandits import datasets
from manybandits.base.artifacts import Provenance, load_arrays, load_facts
from manybandits.base.exceptions import InputError
from manybandits.datasets.build import write
from manybandits.environments import recommendation
from manybandits.environments.kinds.game import BLOCK
from manybandits.environments.kinds.users import UserGame
from manybandits.environments.opinions import from_links, from_ratings
from manybandits.environments.recipes import RECIPES, Recipe, recipe_of
from manybandits.environments.recommendation import SETTINGS, build, draw_block, draw_first, unpack
from manybandits.features.groups import SHA1, published_groups


def ratings(seed: int = 0, users: int = 80, items: int = 60) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    pairs = np.argwhere(rng.random((users, items)) < 0.6)
    stars = rng.choice([1, 2, 3, 4, 5], size=len(pairs), p=[0.2, 0.1, 0.2, 0.2, 0.3])
    return pd.DataFrame({"user": pairs[:, 0], "item": pairs[:, 1], "rating": stars.astype(np.float32)})


def small(game: str, **settings) -> Recipe:
    return recipe_of(game, {"groups": 6, **settings})


def game(name: str, table=None, **settings) -> UserGame:
    arrays, counts = build(from_ratings(ratings() if table is None else table), small(name, **settings))
    return UserGame("test", {}, arrays, counts["users"], 10, draw_block, draw_first=draw_first)


@pytest.mark.parametrize(("name", "settings"), [(name, {}) for name in RECIPES] + [("m-cnb", {"context": "both"})])
def test_one_arm_pays_and_rewards_are_what_the_ratings_say(name, settings):
    table = ratings()
    rounds = game(name, table, **settings).rounds(np.array([0]), 0)
    assert (rounds.rewards.sum(axis=2) == 1).all()
    if settings:  # raters and items keep their numbers here
        stars = {(row.user, row.item): row.rating for row in table.itertuples()}
        kept_users, kept_items = np.unique(table["user"]), np.unique(table["item"])
        for b in range(50):
            for k in range(10):
                star = stars[kept_users[rounds.raters[0, b, k]], kept_items[rounds.items[0, b, k]]]
                assert (star > 4) == (rounds.rewards[0, b, k] == 1)


@pytest.mark.parametrize("context", ["item", "both"])
@pytest.mark.parametrize("name", ["m-cnb", "meta-ban"])
def test_paper_contexts_have_length_one(name, context):
    arrays = game(name, context=context).arrays
    users = arrays["user_table"]
    lengths = np.linalg.norm(arrays["item_table"], axis=1)
    assert np.allclose(lengths, np.sqrt(0.5) if users.shape[1] else 1.0)
    assert np.allclose(np.linalg.norm(users, axis=1)[users.any(axis=1)], np.sqrt(0.5))


def test_the_paying_arm_stands_anywhere():
    rounds = game("m-cnb").rounds(np.arange(5), 0)
    counts = rounds.rewards.sum(axis=(0, 1))
    assert ((counts - 5 * BLOCK / 10) ** 2 / (5 * BLOCK / 10)).sum() < 28  # chi-squared, 9 degrees, p < 0.001


def test_rounds_depend_on_game_seed_and_block_only():
    one = game("meta-ban")
    together, alone = one.rounds(np.array([5, 3]), 2), one.rounds(np.array([3]), 2)
    for a, b in zip(together, alone, strict=True):
        assert np.array_equal(a[1], b[0])
    assert not np.array_equal(one.rounds(np.array([3]), 1).items, alone.items)


def test_groups_of_all_raters_are_served_by_their_size():
    played = game("item-50")
    rounds = played.rounds(np.arange(10), 0)
    served = np.bincount(rounds.users.ravel(), minlength=played.users) / rounds.users.size
    assert np.allclose(served, np.bincount(played.arrays["group"]) / len(played.arrays["group"]), atol=0.02)


def test_only_the_groups_of_the_first_raters_are_served():
    played = game("both-100", groups=20, served="first-8")
    first = np.unique(played.arrays["group"][:8])
    assert played.users == 20
    assert np.unique(played.rounds(np.arange(5), 0).users).tolist() == first.tolist()
    assert np.unique(game("m-cnb", pools="users", served="first-8").arrays["serve_pool"]).tolist() == list(range(8))


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
    with pytest.raises(InputError, match=r"no user pool that is served has one item that is liked and 9 that are not"):
        build(from_ratings(table), small("m-cnb"))
    with pytest.raises(InputError, match="no rating is left: use a data set with more liked and disliked items"):
        build(from_ratings(table), small("item-50"))


def test_a_rating_that_is_nan_stops_the_build():
    table = ratings()
    table.loc[3, "rating"] = np.nan
    with pytest.raises(InputError, match="a rating is NaN"):
        from_ratings(table)


def test_the_features_of_a_pool_are_the_mean_of_its_raters():
    both = game("m-cnb", context="both").arrays
    assert "served_table" not in both
    served = unpack(both)["served_table"]
    for pool in range(6):
        raters = set()
        for kind in ("paying", "other"):
            start = both[f"{kind}_start"]
            raters |= set(both[f"{kind}_rater"][start[pool] : start[pool + 1]].tolist())
        mean = both["user_table"][sorted(raters)].mean(axis=0)
        assert np.allclose(served[pool], mean / np.linalg.norm(mean))
    assert "served_table" not in unpack(game("meta-ban").arrays)


def test_arms_of_m_cnb_are_items_and_the_features_of_users_stand_apart():
    items, both = (unpack(game("m-cnb", context=context).arrays) for context in ("item", "both"))
    assert items["user_table"].shape == (1, 0)
    assert np.allclose(items["item_table"], both["item_table"] * np.sqrt(2.0))
    assert np.allclose(items["served_table"], both["served_table"])


def test_groups_can_be_served_as_users_each_as_often_as_any_other():
    groups, users = (game("meta-ban", pools=pools) for pools in ("groups", "users"))
    assert (groups.users, users.users) == (6, 80)
    served = np.bincount(groups.rounds(np.arange(10), 0).users.ravel(), minlength=6)
    assert np.allclose(served / served.sum(), 1 / 6, atol=0.02)
    alike = game("m-cnb"), game("m-cnb", pools="groups"), game("m-cnb", pools="recipe")
    assert all(np.array_equal(alike[0].arrays["serve_pool"], one.arrays["serve_pool"]) for one in alike)
    assert recipe_of("meta-ban", {"pools": "users"}) == RECIPES["meta-ban"]


def test_the_settings_lead_from_the_game_of_the_text_to_the_public_one():
    text, public = RECIPES["m-cnb"], RECIPES["item-50"]
    settings = {name: getattr(public, name) for name in SETTINGS if getattr(public, name) != getattr(text, name)}
    assert recipe_of("m-cnb", settings) == public
    recommendation.check({**SETTINGS, **settings, "served": "first-7"})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"pools": "raters"}, "unknown pools 'raters'"),
        ({"middle": "keep"}, "unknown middle 'keep': did you mean 'kept'"),
        (
            {"served": "first-0"},
            r"unknown served 'first-0': did you mean 'first-100'\? Any other number may",
        ),
        ({"groups": 1}, "groups is 1: give at least 2, or 0 for the number of the recipe"),
        ({"users": -5}, "users is -5"),
    ],
)
def test_a_setting_without_a_meaning_is_named(given, message):
    for ask in (lambda: recommendation.check({**SETTINGS, **given}), lambda: recipe_of("item-50", given)):
        with pytest.raises(InputError, match=message):
            ask()


def test_ratings_in_between_are_no_entries_where_the_middle_is_dropped():
    kept, dropped = game("m-cnb").arrays, game("m-cnb", middle="dropped").arrays
    stars = ratings()["rating"]
    assert len(kept["other_item"]) == (stars < 5).sum()
    assert len(dropped["other_item"]) == (stars < 2).sum()
    assert len(kept["paying_item"]) == len(dropped["paying_item"])


@pytest.mark.parametrize("factors", ["stars", "signs"])
def test_with_halves_apart_no_feature_knows_an_entry_of_a_round(factors):
    table = ratings()
    recipe = small("m-cnb", halves="apart", factors=factors)
    apart = from_ratings(table).halved().in_first_half
    assert 0.45 < apart.mean() < 0.55
    before, counts = build(from_ratings(table), recipe)
    assert counts["entries_that_pay"] + counts["entries_that_do_not"] == (~apart).sum()
    other = table.assign(rating=np.where(apart, table["rating"], 6 - table["rating"]).astype(np.float32))
    after, _ = build(from_ratings(other), recipe)
    assert all(np.array_equal(before[name], after[name]) for name in ("item_table", "served_table", "group"))
    assert not np.array_equal(before["paying_item"], after["paying_item"])
    again = table.assign(rating=np.where(apart, 6 - table["rating"], table["rating"]).astype(np.float32))
    assert not np.allclose(build(from_ratings(again), recipe)[0]["item_table"], before["item_table"])


def test_both_directions_of_a_link_are_in_one_half():
    table = pd.DataFrame(np.argwhere(np.triu(np.ones((12, 12)), 1)), columns=["source", "target"])
    halved = from_links(table).halved()
    half = {(r, i): h for r, i, h in zip(halved.rater, halved.item, halved.in_first_half, strict=True)}
    assert all(half[item, rater] == one for (rater, item), one in half.items())
    assert len(set(half.values())) == 2


def test_repeated_pairs_are_summed_and_count_once():
    table = pd.DataFrame({"user": [0, 0, 0, 0, 1, 1], "item": [3, 3, 3, 1, 0, 0], "rating": [1.0, -1, 1, -1, 1, -1]})
    summed = from_ratings(table).summed()
    assert [*zip(summed.rater, summed.item, summed.opinion, strict=True)] == [(0, 1, -1), (0, 3, 1), (1, 0, 0)]


def test_published_features_are_used_and_entries_keep_their_numbers(tmp_path):
    random = np.random.default_rng(0)
    signs = ratings().assign(rating=lambda table: np.where(table["rating"] > 2, 1, -1).astype(np.float32))
    features = {"user_features": random.normal(size=(90, 10)), "item_features": random.normal(size=(70, 10))}
    dataset = replace(datasets.load("yelp-2000x10000").DATASET, name="mine", counts={}, files=())
    write(dataset, {"ratings.parquet": signs, "features.npz": features}, {}, tmp_path, Provenance({"dataset": "mine"}))

    def frozen(name: str, **settings) -> tuple[dict[str, np.ndarray], str]:
        recommendation.freeze(tmp_path / "game.npz", name, tmp_path, "yelp", dataset, groups=6, **settings)
        return load_arrays(tmp_path / "game.npz"), load_facts(tmp_path / "game.npz")["data_note"]

    arrays, note = frozen("both-100")
    assert note.endswith("contexts: item and rater; published features; our groups; groups 6")
    assert np.allclose(arrays["item_table"], norm.pdf(features["item_features"], 0, 0.5))
    assert np.allclose(arrays["user_table"], norm.pdf(features["user_features"], 0, 0.5))
    entries = np.stack([arrays["paying_rater"], arrays["paying_item"]], axis=1)
    assert np.array_equal(np.unique(entries, axis=0), signs.loc[signs["rating"] < 0, ["user", "item"]].to_numpy())
    for settings in ({"factors": "stars"}, {"halves": "apart"}, {"users": 60}, {"items": 50}):
        arrays, note = frozen("both-100", **settings)
        assert not np.array_equal(arrays["item_table"], norm.pdf(features["item_features"], 0, 0.5))
        assert "published" not in note.removeprefix(dataset.title)
    assert "our features" in note


@pytest.mark.parametrize(("dataset", "groups"), list(SHA1))
def test_the_authors_groups_are_those_of_their_version(dataset, groups, monkeypatch):
    labels = published_groups(dataset, groups)
    assert labels.shape == (2_000,)
    assert len(np.unique(labels)) == groups
    assert published_groups(dataset, 20) is None
    monkeypatch.setitem(SHA1, (dataset, groups), "0" * 40)
    with pytest.raises(InputError, match="are not the authors'"):
        published_groups(dataset, groups)


@pytest.mark.parametrize("name", ["m-cnb", "meta-ban"])
def test_first_observations_are_of_each_users_own_entries(name):
    played = game(name)
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
    played = game("m-cnb")
    together, alone = played.first_observations(np.array([5, 3])), played.first_observations(np.array([3]))
    for a, b in zip(together, alone, strict=True):
        assert np.array_equal(a[1], b[0])
    assert not np.array_equal(together.items[0], together.items[1])
    played.rounds(np.array([3]), 0)
    assert np.array_equal(played.first_observations(np.array([3])).items, alone.items)
