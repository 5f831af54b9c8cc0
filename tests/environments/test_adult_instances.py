"""Adult as a game of instances: who is where, what a context holds, and what stops the game from being built."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from manybandits import datasets
from manybandits.algorithms import catalogue, contract
from manybandits.base.artifacts import save_table
from manybandits.base.exceptions import InputError
from manybandits.datasets import build
from manybandits.environments import adult_instances
from manybandits.environments.game_file import load_game
from manybandits.environments.kinds.game import BLOCK
from manybandits.environments.kinds.instances import InstanceGame
from manybandits.harness.replicas import play_replicas
from manybandits.planning.jobs import check_settings


def persons(count: int = 2500) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    occupation = rng.choice(["Sales", "Tech", "Craft", "Rare", "Rarer"], count, p=[0.5, 0.3, 0.17, 0.02, 0.01])
    age = rng.integers(20, 60, count)
    table = {
        "age": age,
        "gain": np.where(rng.random(count) < 0.01, 99_999, 0),
        "sex": rng.choice(["Female", "Male"], count, p=[0.4, 0.6]),
        "race": rng.choice(["A", "B", "C"], count, p=[0.9, 0.095, 0.005]),
        "occupation": occupation,
        "native-country": rng.choice(["Here", "There"], count),
        "label": np.where(age + 10 * (occupation == "Tech") > 42, ">50K", "<=50K"),
    }
    return pd.DataFrame(table)


def frozen(folder, *arguments: str) -> InstanceGame:
    save_table(folder / "adult" / "rows.parquet", persons())
    given = ["--tidy", str(folder / "adult"), "--role", "adult", "--out", str(folder / "game.npz")]
    adult_instances.main([*given, *arguments])
    return load_game(folder / "game.npz")


def test_small_occupations_are_one_instance_and_the_right_class_pays(tmp_path):
    played, table = frozen(tmp_path, "--least", "100"), persons()
    assert played.facts["counts"] == {
        name: int((table["occupation"].isin(own)).sum())
        for name, own in (("Craft", ["Craft"]), ("Sales", ["Sales"]), ("Tech", ["Tech"]), ("other", ["Rare", "Rarer"]))
    }
    assert (played.users, played.arms, played.max_horizon) == (4, 2, 2500)
    assert played.facts["data_note"] == "Adult; a game of ours, 4 instances by occupation"
    (order,) = played.population(np.array([0]))[0]
    rounds = played.rounds(played.population(np.array([0])), np.array([0]), 1)
    met = table.iloc[order[BLOCK : 2 * BLOCK]]
    assert np.array_equal(rounds.rewards[0].argmax(axis=1), (met["label"] == ">50K").to_numpy())
    assert (rounds.rewards.sum(axis=2) == 1).all()
    names = np.array(sorted(played.facts["counts"]))
    assert np.array_equal(names[rounds.users[0]] == "Tech", (met["occupation"] == "Tech").to_numpy())


def test_a_seed_meets_every_person_once_and_then_the_game_is_over(tmp_path):
    played, seeds = frozen(tmp_path), np.array([0, 1])
    orders = [order for (order,) in played.population(seeds)]
    assert not np.array_equal(*orders)
    assert all(np.array_equal(np.sort(order), np.arange(2500)) for order in orders)
    assert played.rounds(played.population(seeds), seeds, 2).users.shape == (2, 500)
    algorithm = catalogue.load("random")
    table = play_replicas(played, algorithm, [{}] * 2, [0, 1], horizon=2500)
    assert np.allclose(table["regret"] + table["reward"], table["round"])
    with pytest.raises(InputError, match="goes through its data once and has 2,500 rounds"):
        play_replicas(played, algorithm, [{}], [0], horizon=2501)


def test_contexts_are_bounded_begin_with_a_one_and_leave_out_the_commonest_word_and_rare_ones():
    features = adult_instances.features_of(persons().drop(columns=["occupation", "label"]))
    one, age, gain, sex, race, country = features.T
    assert (one == 1).all()
    assert abs(age.mean()) < 1e-6
    assert age.std() == pytest.approx(1 / 3, rel=1e-5)
    assert gain.max() == 1.0  # cut off
    assert sex.mean() == pytest.approx((persons()["sex"] == "Female").mean())
    assert race.mean() == pytest.approx((persons()["race"] == "B").mean())
    assert set(np.unique(country)) == {0, 1}


def test_a_bandit_that_learns_is_ahead_of_chance(tmp_path):
    played, final = frozen(tmp_path), {}
    for name in ("random", "pooled_bandit", "lasso_bandit", "linucb"):
        algorithm = catalogue.load(name)
        table = play_replicas(played, algorithm, [contract.complete(algorithm, {}, "test")], [0], horizon=2500)
        final[name] = table["regret"].iloc[-1]
    assert max(final[name] for name in final if name != "random") < 0.7 * final["random"]


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda: check_settings("adult-instances", {"by": "ocupation"}, "here"), "did you mean 'occupation'"),
        (lambda: check_settings("adult-instances", {"least": 0}, "here"), "least is 0"),
        (lambda: adult_instances.build(persons(), "occupation", 9999), "1 instances by occupation with at least 9999"),
        (lambda: adult_instances.build(persons().assign(label="a"), "occupation", 9), "1 classes: two of each"),
        (
            lambda: adult_instances.build(persons().drop(columns="occupation"), "occupation", 9),
            "no column 'occupation'",
        ),
        (lambda: adult_instances.build(persons().assign(age=np.nan), "occupation", 9), "an attribute is NaN"),
    ],
)
def test_bad_input_stops_with_one_sentence(act, words):
    with pytest.raises(InputError, match=words):
        act()


@pytest.mark.data
@pytest.mark.parametrize(("by", "users"), [("occupation", 14), ("native-country", 4)])
def test_adult_of_the_mirror_is_a_game(mirror, tmp_path, by, users):
    tidy = build.build(datasets.load("adult"), tmp_path / "raw", tmp_path / "tidy", str(mirror))
    adult_instances.freeze(tmp_path / "game.npz", tidy, "adult", by, 300)
    played = load_game(tmp_path / "game.npz")
    assert (played.users, played.arms, played.max_horizon) == (users, 2, 48_842)
    assert np.abs(played.arrays["features"]).max() == 1.0
    assert min(played.facts["counts"].values()) >= 250
