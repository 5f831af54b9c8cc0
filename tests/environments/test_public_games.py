"""The public games against their oracles: who is served, what is offered, what pays and what the learner sees."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch
from scipy.stats import chi2_contingency, chisquare

from manybandits import datasets
from manybandits.algorithms.neural._learning import tables_of, view_of
from manybandits.base.artifacts import Provenance, load_arrays, save_arrays
from manybandits.datasets.build import build, write
from manybandits.environments import classification, recommendation
from manybandits.environments.game_file import load_game
from manybandits.environments.kinds.users import Rounds, UserGame
from tests.environments.plain_games import Both100, Images, Item50, density, published_files

LEAST_P = 1e-4
PUBLISHED = Path(recommendation.__file__).parents[1] / "features" / "published_groups.npz"


def made_ratings() -> np.ndarray:
    """Rows of (user, item, stars): tastes, busy users, and a tenth of pairs that are rated twice."""
    random = np.random.default_rng(1)
    pairs = np.argwhere(random.random((160, 70)) < random.random((160, 1)))
    pairs = np.concatenate([pairs, pairs[random.random(len(pairs)) < 0.1]])
    stars = random.choice([1, 2, 3, 4, 5], size=len(pairs), p=[0.25, 0.1, 0.1, 0.15, 0.4])
    return np.column_stack([pairs, stars])


def small_game(tmp_path: Path, name: str, **settings: int | str) -> UserGame:
    table = pd.DataFrame(made_ratings(), columns=["user", "item", "rating"]).astype({"rating": np.float32})
    dataset = datasets.load("movielens-1m").DATASET
    write(dataset, {"ratings.parquet": table}, {}, tmp_path, Provenance({"dataset": dataset.name}))
    recommendation.freeze(tmp_path / "game.npz", name, tmp_path, "movielens", dataset, **settings)
    return load_game(tmp_path / "game.npz")


@pytest.fixture(scope="module")
def yelp(mirror, tmp_path_factory):
    """The folder of the tidy published extract of Yelp, and its raw entries, user features and item features."""
    folder, raw = tmp_path_factory.mktemp("yelp"), mirror / "yelp-2000x10000"
    names = (
        "yelp_2000users_10000items_entry",
        "yelp_2000users_10000items_features",
        "yelp_10000items_2000users_features",
    )
    tidy = build(datasets.load("yelp-2000x10000"), folder / "raw", folder / "tidy", str(mirror))
    return tidy, *(np.load(raw / f"{name}.npy") for name in names)


def contexts_of(game: UserGame, rounds: Rounds) -> np.ndarray:
    """The contexts of drawn rounds, (..., K, d)."""
    items, users = game.arrays["item_table"][rounds.items], game.arrays["user_table"][rounds.raters]
    return np.concatenate([items, users], axis=-1)


def same_shares(ours: np.ndarray, theirs: np.ndarray) -> bool:
    """Whether two samples of numbers could be of one distribution; numbers that are rare are taken together."""
    counts = np.stack([np.bincount(one, minlength=1 + max(ours.max(), theirs.max())) for one in (ours, theirs)])
    rare = counts.sum(axis=0) < 20
    pooled = np.column_stack([counts[:, ~rare], counts[:, rare].sum(axis=1)])
    return bool(chi2_contingency(pooled[:, pooled.sum(axis=0) > 0]).pvalue > LEAST_P)


def check_pools(game: UserGame, entries: np.ndarray, labels: np.ndarray) -> None:
    """The pools of the game are exactly the liked and disliked entries of each group."""
    wanted: dict[tuple[int, bool], set[tuple[int, int]]] = {}
    for user, item, sign in entries.tolist():
        wanted.setdefault((int(labels[user]), sign == -1), set()).add((user, item))
    for kind, paying in (("paying", True), ("other", False)):
        start, raters, items = (game.arrays[f"{kind}_{part}"].tolist() for part in ("start", "rater", "item"))
        assert len(items) == ((entries[:, 2] == -1) == paying).sum()
        for group in range(game.users):
            part = slice(start[group], start[group + 1])
            assert set(zip(raters[part], items[part], strict=True)) == wanted.get((group, paying), set())


def check_rounds(game: UserGame, oracle: Item50 | Both100, rater_features: np.ndarray | None = None) -> None:
    """Users, items and places of arms are drawn as by the oracle, and contexts are those of what is offered."""
    rounds = game.rounds(np.arange(6), 0)
    random = np.random.default_rng(4)
    theirs = [oracle.step(random) for _ in range(6000)]
    paying = rounds.rewards.argmax(axis=2).ravel()
    assert set(np.unique(rounds.rewards.sum(axis=2))) == {1.0}
    assert same_shares(rounds.users[..., 0].ravel(), np.array([one[0] for one in theirs]))
    assert chisquare(np.bincount(paying, minlength=10)).pvalue > LEAST_P
    items = rounds.items.reshape(-1, 10)
    offered = np.array([[item for _, item, _ in one[3]] for one in theirs])
    for chosen in (True, False):  # what pays, and what does not
        mask, place = np.arange(10) == paying[:, None], np.array([one[2] for one in theirs]) == 1
        assert same_shares(items[mask == chosen], offered[place == chosen])
    repeats, expected = (np.array([10 - len(set(row)) for row in rows.tolist()]) for rows in (items, offered))
    assert same_shares(repeats, expected)
    seen = contexts_of(game, rounds)
    assert seen.shape[-1] == theirs[0][1].shape[1]
    features = oracle.features if isinstance(oracle, Item50) else oracle.items
    wanted = density(features[rounds.items])
    if rater_features is not None:
        wanted = np.concatenate([wanted, density(rater_features[rounds.raters])], axis=-1)
    assert np.allclose(seen, wanted, rtol=1e-12, atol=0)


def test_the_recipe_of_the_public_code_is_that_of_the_oracle(tmp_path):
    entries, users, items = published_files(made_ratings(), 40, 50)
    game = small_game(tmp_path, "both-100", users=40, items=50, groups=5)
    check_pools(game, entries, game.arrays["group"])
    # The density is even, so that the signs of singular vectors do not matter.
    assert np.allclose(game.arrays["user_table"], density(users), atol=1e-9)
    rated = np.unique(entries[:, 1])
    assert np.allclose(game.arrays["item_table"][rated], density(items)[rated], atol=1e-9)


def test_item_50_on_small_data_draws_as_its_oracle(tmp_path):
    game = small_game(tmp_path, "item-50", users=40, items=50, groups=5)
    entries, _, items = published_files(made_ratings(), 40, 50)
    check_rounds(game, Item50(entries, items, game.arrays["group"]))


@pytest.mark.data
def test_item_50_on_yelp_is_that_of_the_published_files(yelp, tmp_path):
    tidy, entries, _, items = yelp
    labels = np.load(PUBLISHED)["yelp-2000x10000 50"]
    recommendation.freeze(tmp_path / "game.npz", "item-50", tidy, "yelp")
    game = load_game(tmp_path / "game.npz")
    assert game.facts["protocol"] == "released"
    assert not game.facts["stand_in"]
    check_pools(game, entries, labels)
    assert sorted(game.arrays["serve_pool"]) == sorted(labels)
    check_rounds(game, Item50(entries, items, labels))


@pytest.mark.data
def test_both_100_on_yelp_serves_the_groups_of_the_first_hundred_raters(yelp, tmp_path):
    tidy, entries, users, items = yelp
    labels = np.load(PUBLISHED)["yelp-2000x10000 100"]
    recommendation.freeze(tmp_path / "game.npz", "both-100", tidy, "yelp")
    game = load_game(tmp_path / "game.npz")
    assert game.facts["counts"]["users_ever_served"] == 49
    check_pools(game, entries, labels)
    assert sorted(game.arrays["serve_pool"]) == sorted(labels[:100])
    check_rounds(game, Both100(entries, users, items, labels), users)


def check_images(folder: Path, mnist: tuple, notmnist: tuple) -> None:
    """The released image game of two folders of tidy images is that of the oracle."""
    whole = {"user": "class", "arms": "shifted", "serve": "shuffled", "pixels": "released"}
    settings = {**classification.SETTINGS, **whole}
    tidy = [folder / "mnist", folder / "notmnist-small"]
    classification.freeze(folder / "game.npz", tidy, "mnist+notmnist", **settings)
    game = load_game(folder / "game.npz")
    assert game.users == 20
    random = np.random.default_rng(5)
    rounds = game.rounds(np.arange(3), 0)
    oracles = [Images(mnist, notmnist, random) for _ in range(3)]
    count = rounds.users.shape[1]
    drawn = [[oracle.step(random) for _ in range(count)] for oracle in oracles]
    # Users 0 to 9 are MNIST's classes here, and notMNIST's there.
    assert same_shares((rounds.users[..., 0].ravel() + 10) % 20, np.array([one[0] for run in drawn for one in run]))
    assert (rounds.rewards.argmax(axis=2) == rounds.users[..., 0] % 10).all()
    assert all(len(set(run[:, 0].tolist())) == count for run in rounds.items)
    tables = tables_of(game.arrays, "cpu", torch.float64, shifts=10)
    items, users, raters = (torch.as_tensor(one[0]).long() for one in (rounds.items, rounds.users, rounds.raters))
    seen = view_of(tables, 1, users, items, raters, game.blocks).inputs.x.numpy()
    for k in range(0, count, 50):
        image = game.arrays["features"][rounds.items[0, k, 0]]
        coin = int(rounds.users[0, k, 0] < 10)
        images, labels = mnist if coin else notmnist
        same = (images.reshape(len(images), -1) == image).all(axis=1)
        assert rounds.users[0, k, 0] % 10 in labels[same]
        assert np.allclose(seen[k], Images.contexts(coin, image / 1.0), atol=1e-5)
    assert seen.shape[1:] == (10, images[0].size + 9)


def test_the_image_game_of_small_images_is_that_of_its_oracle(tmp_path):
    random = np.random.default_rng(0)
    sets = []
    for name, count in (("mnist", 900), ("notmnist-small", 400)):
        images, labels = random.integers(1, 255, size=(count, 4, 4), dtype=np.uint8), np.arange(count) % 10
        save_arrays(tmp_path / name / "images.npz", {"images": images, "labels": labels})
        sets.append((images, labels))
    check_images(tmp_path, *sets)


@pytest.mark.data
def test_the_image_game_of_the_real_images_is_that_of_its_oracle(mirror, tmp_path):
    for name in ("mnist", "notmnist-small"):
        build(datasets.load(name), tmp_path / "raw", tmp_path, str(mirror))
    mnist, notmnist = (load_arrays(tmp_path / name / "images.npz") for name in ("mnist", "notmnist-small"))
    train = mnist["split"] == 0
    check_images(tmp_path, (mnist["images"][train], mnist["labels"][train]), (notmnist["images"], notmnist["labels"]))
