"""Classification games: what pays, what the learner sees, and what is drawn how often."""

import numpy as np
import pandas as pd
import pytest
import torch

from manybandits.algorithms import catalogue, contract
from manybandits.algorithms.neural._learning import tables_of, view_of
from manybandits.base.artifacts import save_arrays, save_table
from manybandits.base.exceptions import InputError
from manybandits.environments import classification
from manybandits.environments.classification import build, draw_block, from_rows, main, unpack
from manybandits.environments.game_file import load_game
from manybandits.environments.kinds.users import Rounds, UserGame
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


def test_each_arm_is_presented_to_the_user_of_its_class():
    parts = [part([40, 10, 10]), part([5, 5, 5], seed=5)]
    arrays, rounds = drawn(parts, user="arm")
    data_set = arrays["data_set"][np.searchsorted(arrays["start"], rounds.items[:, 0], side="right") - 1]
    assert (rounds.users == 3 * data_set[:, None] + np.arange(3)).all()
    assert (np.bincount(rounds.users[:, 0], minlength=6) > 0).tolist() == [True, False, False] * 2
    assert classification.groups(arrays).tolist() == [0, 0, 0, 1, 1, 1]
    _, seen = drawn(parts, user="class")
    assert (seen.items == rounds.items).all()
    assert (seen.rewards == rounds.rewards).all()


def test_a_data_set_with_fewer_classes_has_users_without_data():
    arrays = unpack(build([part([4, 4, 4]), part([4, 4], seed=5)], "arm", "instances"))
    game = UserGame("five", {"blocks": 3}, arrays, 6, 3, draw_block, draw_first=classification.draw_first)
    assert game.first_observations(np.array([0])).users.tolist() == [[0, 1, 2, 3, 4, -1]]


@pytest.mark.parametrize(("user", "users"), [("arm", 5), ("class", 5), ("hidden", 1)])
def test_first_observations_are_of_each_users_own_class(user, users):
    arrays = unpack(build([part([40, 20, 10, 10, 20])], user, "instances"))
    game = UserGame("first", {"blocks": 5}, arrays, users, 5, draw_block, draw_first=classification.draw_first)
    first = game.first_observations(np.arange(200))
    label = arrays["features"][first.items, 0].astype(int)
    assert (first.users == np.arange(users)).all()
    assert (first.rewards == (first.arms == label)).all()
    assert (first.places == first.arms).all()
    assert (label == first.users).all() or user == "hidden"
    shares = {"arm": 1.0, "class": 0.2, "hidden": 0.2}  # arm: all that is presented to a user is its own class
    assert first.rewards.mean() == pytest.approx(shares[user], abs=0.08)


def test_shifted_arms_are_the_instance_from_entry_k_on():
    arrays = unpack(build([part([20, 20, 20])], "hidden", "instances"))
    game = UserGame("shifted", {"shifted": True}, arrays, 1, 3, draw_block)
    tables = tables_of(arrays, "cpu", shifts=3)
    rounds = game.rounds(np.array([0]), 0)
    items, users, raters = (torch.as_tensor(array[0]).long() for array in (rounds.items, rounds.users, rounds.raters))
    x = view_of(tables, 1, users, items, raters, game.blocks).inputs.x.numpy()
    expected = np.zeros((*x.shape[:2], game.dimension), np.float32)
    for k in range(3):
        expected[:, k, k : k + 4] = arrays["item_table"][rounds.items[0, :, k]]
    assert game.dimension == 6
    assert (x == expected).all()


@pytest.mark.parametrize("name", ["linucb_one", "linucb_ind", "club"])
def test_shifted_contexts_are_played_as_if_they_were_items(name):
    arrays = unpack(build([part([20, 20, 20])], "class", "instances"))
    shifted = UserGame("same", {"shifted": True, "name": "same"}, arrays, 3, 3, draw_block)

    def written_out(_, arms, count, random):
        rounds = draw_block(arrays, arms, count, random)
        return Rounds(rounds.users, rounds.items * arms + np.arange(arms, dtype=np.int32), *rounds[2:])

    table = arrays["item_table"].astype(float)
    long = np.concatenate([np.pad(table, ((0, 0), (k, 2 - k)))[:, None] for k in range(3)], axis=1).reshape(-1, 6)
    explicit = UserGame("same", {"name": "same"}, {**arrays, "item_table": long}, 3, 3, written_out)
    algorithm = catalogue.load(name)
    settings = [contract.complete(algorithm, {}, "test")] * 2
    ours, theirs = (play_replicas(game, algorithm, settings, [0, 1], horizon=200) for game in (shifted, explicit))
    pd.testing.assert_frame_equal(*(table.drop(columns="untried") for table in (ours, theirs)))


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
    ("settings", "words"),
    [
        ({"user": "clas"}, "did you mean 'class'"),
        ({"serve": "all"}, "unknown serve 'all'"),
        ({"arms": "shift"}, "did you mean 'shifted'"),
    ],
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


def test_by_default_each_arm_has_its_user_and_shifted_arms_are_stated(tmp_path):
    rows = tmp_path / "tidy/mushroom/rows.parquet"
    save_table(rows, pd.DataFrame({"label": ["e", "p"] * 10, "size": range(20), "one": [1.0] * 20}))
    out = tmp_path / "game.npz"
    main(["--tidy", str(rows.parent), "--role", "mushroom", "--arms", "shifted", "--out", str(out)])
    game = load_game(out)
    assert game.each_arm_its_user
    assert (game.users, game.blocks, game.dimension) == (2, 1, 3)
    assert "user arm; arms shifted by one entry each" in game.facts["data_note"]
    assert game.facts["settings"]["user"] == "arm"


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


def test_of_two_shuffled_data_sets_a_coin_says_whose_next_instance_it_is():
    arrays = unpack(build([part([40, 10]), part([5, 5, 5], seed=5)], "class", "shuffled"))
    orders = np.stack([classification.draw_order(arrays, np.random.default_rng(seed)) for seed in range(400)])
    assert orders.shape == (400, 15)
    assert (np.diff(np.sort(orders, axis=1), axis=1) > 0).all()
    assert (orders < 50).mean() == pytest.approx(0.5, abs=0.03)
    assert np.allclose(np.bincount(orders.ravel(), minlength=65)[:50] / orders.size, 0.5 / 50, atol=0.005)


def frozen_images(tmp_path, *names: str, **settings: str):
    """A game of images of these data sets, of 4 classes; those of MNIST have five training images for a test image."""
    folders = []
    for seed, name in enumerate(names):
        pixels = np.random.default_rng(seed).integers(1, 255, size=(60, 3, 3), dtype=np.uint8)
        split = {"split": np.repeat(np.array([0, 1], np.uint8), [50, 10])} if name == "mnist" else {}
        save_arrays(tmp_path / name / "images.npz", {"images": pixels, "labels": np.arange(60) % 4, **split})
        folders.append(str(tmp_path / name))
    flags = [text for name, value in settings.items() for text in (f"--{name}", value)]
    main(["--tidy", *folders, "--role", "mnist+notmnist", "--out", str(tmp_path / "game.npz"), *flags])
    return load_game(tmp_path / "game.npz")


def test_released_pixels_are_standardised_for_mnist_and_of_length_one_for_notmnist(tmp_path):
    whole = {"user": "class", "arms": "shifted", "serve": "shuffled", "pixels": "released"}
    game = frozen_images(tmp_path, "mnist", "notmnist-small", **whole)
    assert (game.users, game.dimension, game.max_horizon) == (8, 9 + 3, 50)
    raw, table = game.arrays["features"].astype(float), game.arrays["item_table"]
    assert len(raw) == 50 + 60
    assert np.allclose(table[:50], (raw[:50] / 255 - 0.1307) / 0.3081, atol=1e-6)
    assert np.allclose(table[50:], raw[50:] / np.linalg.norm(raw[50:], axis=1, keepdims=True), atol=1e-6)
    assert game.facts["stand_in"]
    assert "standing in for the images of the public loader; user class; arms shifted" in game.facts["data_note"]
    rounds = game.rounds(np.arange(20), 0)
    assert (rounds.users[:, :, 0] % 4 == rounds.rewards.argmax(axis=2)).all()
    with pytest.raises(InputError, match=r"not of mnist \+ fashion-mnist: give pixels unit"):
        frozen_images(tmp_path, "mnist", "fashion-mnist", pixels="released")


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
