"""Classification games: what pays, what the learner sees, and what is drawn how often."""

import numpy as np
import pandas as pd
import pytest

from manybandits.algorithms import catalogue
from manybandits.base.artifacts import save_arrays, save_table
from manybandits.base.exceptions import InputError
from manybandits.environments import classification
from manybandits.environments.classification import build, draw_block, from_rows, main, unpack
from manybandits.environments.game_file import load_game
from manybandits.harness.replicas import play_replicas


def part(sizes: list[int], width: int = 4, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    labels = np.repeat(np.arange(len(sizes)), sizes)
    order = np.random.default_rng(seed).permutation(len(labels))
    features = np.random.default_rng(seed + 1).random((len(labels), width)) + 1.0
    features[:, 0] = labels  # so that a row tells its class
    return features[order], labels[order]


def drawn(parts, user: str = "class", serve: str = "instances", count: int = 6000):
    arrays = unpack(build(parts, user, serve))
    arms = int(arrays["kind"].max()) + 1
    return arrays, draw_block(arrays, arms, count, np.random.default_rng(3))


def test_the_block_of_the_class_pays_and_the_user_is_the_class():
    arrays, rounds = drawn([part([30, 20, 50])])
    assert (rounds.items == rounds.items[:, :1]).all()
    label = arrays["features"][rounds.items[:, 0], 0].astype(int)
    assert (rounds.rewards.argmax(axis=1) == label).all()
    assert (rounds.rewards.sum(axis=1) == 1).all()
    assert (rounds.users == label[:, None]).all()
    assert np.allclose(np.linalg.norm(arrays["item_table"], axis=1), 1, atol=1e-6)


def test_a_hidden_user_is_the_same_for_all_instances_of_the_same_rounds():
    _, seen = drawn([part([30, 20, 50])])
    _, hidden = drawn([part([30, 20, 50])], user="hidden")
    assert (hidden.users == 0).all()
    assert (hidden.items == seen.items).all()
    assert (hidden.rewards == seen.rewards).all()


@pytest.mark.parametrize(("serve", "shares"), [("instances", [0.3, 0.2, 0.5]), ("classes", [1 / 3] * 3)])
def test_classes_are_served_as_often_as_is_said(serve, shares):
    _, rounds = drawn([part([300, 200, 500])], serve=serve)
    assert np.allclose(np.bincount(rounds.users[:, 0]) / len(rounds.users), shares, atol=0.03)


def test_of_two_data_sets_each_is_drawn_as_often_and_has_users_of_its_own():
    arrays, rounds = drawn([part([40, 10]), part([5, 5, 5], seed=5)])
    assert arrays["kind"].tolist() == [0, 1, 0, 1, 2]
    assert np.allclose(np.bincount(rounds.users[:, 0]) / len(rounds.users), [1 / 4] * 2 + [1 / 6] * 3, atol=0.03)
    assert (rounds.rewards.argmax(axis=1) == arrays["kind"][rounds.users[:, 0]]).all()


def test_words_become_columns_and_numbers_stay():
    features, labels = from_rows(pd.DataFrame({"label": ["p", "e"], "size": [3.5, 1.0], "odor": ["a", "b"]}))
    assert features.tolist() == [[3.5, 1.0, 0.0], [1.0, 0.0, 1.0]]
    assert labels.tolist() == ["p", "e"]


def test_a_missing_number_stops_with_the_cure():
    with pytest.raises(InputError, match="an attribute is NaN or infinite: build the tidy data again"):
        from_rows(pd.DataFrame({"label": [0, 1], "size": [1.0, np.nan]}))


def test_data_sets_of_different_widths_cannot_share_a_game():
    with pytest.raises(InputError, match=r"data sets of \[4, 5\] attributes cannot share a game"):
        build([part([3, 3]), part([3, 3], width=5)], "class", "instances")


@pytest.mark.parametrize(
    ("settings", "words"), [({"user": "clas"}, "did you mean 'class'"), ({"serve": "all"}, "unknown serve 'all'")]
)
def test_an_unknown_setting_names_what_there_is(settings, words):
    with pytest.raises(InputError, match=words):
        classification.check({**classification.SETTINGS, **settings})


def test_a_game_of_rows_and_one_of_images_are_frozen_and_read_back(tmp_path):
    rows = tmp_path / "tidy/mushroom/rows.parquet"
    save_table(rows, pd.DataFrame({"label": ["e", "p"] * 10, "cap": ["x", "y"] * 10}))
    images = tmp_path / "tidy/mnist/images.npz"
    pixels = np.random.default_rng(0).integers(1, 255, size=(20, 3, 3), dtype=np.uint8)
    save_arrays(images, {"images": pixels, "labels": np.arange(20) % 4})
    for source, role, width, arms, users in ((rows, "mushroom", 2, 2, 2), (images, "mnist", 9, 4, 1)):
        out = tmp_path / f"{role}.npz"
        user = "hidden" if role == "mnist" else "class"
        given = ["--tidy", str(source.parent), "--role", role, "--user", user, "--out", str(out)]
        main(given)
        first = out.read_bytes()
        main(given)
        assert out.read_bytes() == first
        game = load_game(out)
        assert (game.dimension, game.arms, game.blocks, game.users) == (width, arms, arms, users)
        assert not game.facts["stand_in"]
        assert f"user {user}" in game.facts["data_note"]
        assert game.rounds(np.array([0, 1]), 0).users.max() == users - 1


def a_frozen_table(tmp_path, count: int):
    """A game of so many rows that goes through them once; the first attribute is the class."""
    label = np.random.default_rng(0).integers(2, size=count)
    rows = tmp_path / "tidy/mushroom/rows.parquet"
    save_table(rows, pd.DataFrame({"label": label, "class": label.astype(float), "one": np.ones(count)}))
    out = tmp_path / "game.npz"
    main(["--tidy", str(rows.parent), "--role", "mushroom", "--serve", "shuffled", "--out", str(out)])
    return load_game(out)


def test_shuffled_data_are_gone_through_once_in_an_order_of_the_seed(tmp_path):
    game = a_frozen_table(tmp_path, 1600)
    assert game.max_horizon == 1600
    rounds = [game.rounds(np.array([0, 1]), block) for block in (0, 1)]
    items = np.concatenate([both.items[:, :, 0] for both in rounds], axis=1)
    assert (np.sort(items, axis=1) == np.arange(1600)).all()
    assert (items[0] != items[1]).any()
    label = game.arrays["features"][items, 0]
    paying = np.concatenate([both.rewards.argmax(axis=2) for both in rounds], axis=1)
    assert (paying == label).all()


def test_more_rounds_than_instances_stop_with_their_number(tmp_path):
    game = a_frozen_table(tmp_path, 50)
    random = catalogue.load("random")
    with pytest.raises(InputError, match="goes through its data once and has 50 rounds: a horizon of 51 is too long"):
        play_replicas(game, random, [{}], [0], horizon=51)
    assert play_replicas(game, random, [{}], [0], horizon=50)["round"].max() == 50


def test_words_become_their_places_in_the_alphabet_and_what_is_unknown_minus_one():
    table = pd.DataFrame({"label": ["p", "e", "p"], "size": [3.5, 1.0, 2.0], "odor": ["n", "?", "a"]})
    assert from_rows(table, "codes")[0].tolist() == [[3.5, 1.0], [1.0, -1.0], [2.0, 0.0]]


def test_standard_numbers_have_mean_0_and_variance_1_and_words_stay():
    table = pd.DataFrame({"label": ["p", "e", "p"], "size": [3.0, 1.0, 2.0], "one": [5, 5, 5], "odor": ["n", "?", "a"]})
    features = from_rows(table, numbers="standard")[0]
    assert np.allclose(features[:, 0], [np.sqrt(1.5), -np.sqrt(1.5), 0.0])
    assert np.allclose(features[:, 1], 0.0)
    assert features[:, 2:].sum() == 3
    assert table["size"].tolist() == [3.0, 1.0, 2.0]
