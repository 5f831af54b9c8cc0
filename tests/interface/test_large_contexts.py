"""Contexts of numbers as large as dates and coordinates: chosen as exact arithmetic would, or refused with the cure."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import manybandits as mb
from manybandits.algorithms import catalogue, contract
from manybandits.algorithms.linear._optimism import best
from manybandits.algorithms.released._linear import check_spread
from manybandits.base.exceptions import InputError, Uncomputable
from manybandits.harness.replicas import play_replicas
from tests.harness.one_block import synthetic_game

mp = pytest.importorskip("mpmath")
ROUNDS, THETA = 120, np.array([1.0, -1.0, 0.5, 0.0, 0.0])


class Exact:
    """LinUCB-ONE with lambda = alpha = 1 in arithmetic of 60 digits."""

    def __init__(self) -> None:
        self.inverse, self.b, self.t = mp.eye(5), mp.zeros(5, 1), 1

    def choose(self, contexts: np.ndarray) -> int:
        theta, factor = self.inverse * self.b, mp.sqrt(mp.log(self.t + 1))
        rows = [mp.matrix(x.tolist()) for x in contexts]
        values = [(theta.T * x)[0] + factor * mp.sqrt((x.T * self.inverse * x)[0]) for x in rows]
        return max(range(len(values)), key=lambda k: values[k])

    def learn(self, context: np.ndarray, reward: float) -> None:
        x = mp.matrix(context.tolist())
        v = self.inverse * x
        self.inverse -= (v * v.T) / (1 + (x.T * v)[0])
        self.b += float(reward) * x
        self.t += 1


def rounds(kind: str, size: float):
    """Yield contexts, (3, 5), and which of three rewards is paid."""
    random = np.random.default_rng(1)
    for t in range(ROUNDS):
        plain = random.random((3, 5))
        contexts = plain.copy()
        if kind == "two coordinates":
            contexts[:, 3:] *= size
        elif kind == "an offset":
            contexts[:, 3] += size
        elif kind == "a sum":
            contexts[:, 2:4] *= size
            contexts[:, 4] = contexts[:, 2] + contexts[:, 3]
        else:  # two dates, of which one is the day after the other
            contexts[:, 3] = size + t // 30
            contexts[:, 4] = contexts[:, 3] + 1
        yield contexts, (random.random() < plain @ THETA).astype(float)


def agreement(kind: str, size: float) -> tuple[float, int]:
    """Return in which share of rounds a bandit chooses as exact arithmetic does, and how many it plays.

    Both learn from the exact choices. It plays until it says that rounding errors are all that is left.
    """
    exact, same = Exact(), 0
    bandit = mb.load("linucb_one", users=1, dimension=5, arms=3, alpha=1)
    for played, (contexts, rewards) in enumerate(rounds(kind, size)):
        arm = exact.choose(contexts)
        try:
            same += arm == bandit.choose(0, contexts)
            bandit.learn(0, contexts, arm, rewards[arm])
        except InputError:
            return same / max(played, 1), played
        exact.learn(contexts[arm], rewards[arm])
    return same / ROUNDS, ROUNDS


@pytest.mark.parametrize(
    ("kind", "size"),
    [("two coordinates", 2e7), ("two coordinates", 9e7), ("an offset", 2e7), ("an offset", 1e6), ("two dates", 2e5)],
)
def test_choices_are_those_of_exact_arithmetic(kind, size):
    with mp.workdps(60):
        share, played = agreement(kind, size)
    assert share >= 0.99
    assert played == ROUNDS


@pytest.mark.parametrize(("kind", "size"), [("two dates", 4e6), ("two dates", 7e6), ("two dates", 1e7), ("a sum", 1e7)])
def test_what_cannot_be_told_apart_is_refused_before_choices_differ(kind, size):
    with mp.workdps(60):
        share, played = agreement(kind, size)
    assert share >= 0.99
    assert played < 2**5


def play(bandit: mb.Bandit, center: float = 0.0, scale: float = 1.0) -> None:
    """Play rounds with two dates, less a center and over a scale."""
    for contexts, rewards in rounds("two dates", 20_240_101):
        contexts[:, 3:] = (contexts[:, 3:] - center) / scale
        arm = bandit.choose(0, contexts)
        bandit.learn(0, contexts, arm, rewards[arm])


@pytest.mark.parametrize("name", ["linucb_one", "linucb_ind", "club", "sclub", "locb", "cofiba", "linucb", "lnucb_ta"])
def test_two_dates_that_cannot_be_told_apart_are_refused_with_the_cure(name, uncompiled):
    bandit = mb.load(name, users=1, dimension=5, arms=3)
    said = r"column 5 of the contexts repeats others, most of all column 4, in numbers so large \(2\.02e\+07\)"
    with pytest.raises(InputError, match=said):
        play(bandit)


def test_an_index_that_is_nan_chooses_no_arm():
    with pytest.raises(Uncomputable):
        best(np.array([0.0, np.nan]), np.zeros(1, np.uint64))
    with pytest.raises(Uncomputable):
        check_spread(np.array([1.0, -1e-3]))


def test_a_log_names_its_own_columns(tmp_path):
    random, day = np.random.default_rng(0), 20_240_101 + np.arange(1200) // 30
    table = pd.DataFrame({"arm": random.integers(3, size=1200), "reward": random.integers(2, size=1200)})
    table = table.assign(city="Oslo Rome".split() * 600, arrives=day, leaves=day + 1, price=random.random(1200))
    said = r"column 'leaves' of the contexts repeats others, most of all column 'arrives'"
    game = mb.games.from_log(table, propensity="uniform")
    with pytest.raises(InputError, match=said + ".*drop=leaves"):
        mb.play("linucb", game=game, horizon=300, seeds=[0])
    first = "^log: the clicks of arm 0 cannot be estimated: "
    with pytest.raises(InputError, match=first + said + r".*drop=leaves"):
        mb.games.from_log(table, propensity="uniform", estimate="doubly-robust")
    played = mb.play(
        "linucb", game=mb.games.from_log(table, propensity="uniform", drop="leaves"), horizon=300, seeds=[0]
    )
    assert played.run.lost == 0


def test_the_cure_works():
    bandit = mb.load("linucb_one", users=1, dimension=5, arms=3)
    play(bandit, 20_240_102, 100)
    assert bandit.observations == ROUNDS


@pytest.mark.parametrize("name", ["linucb_one", "linthompson"])
def test_a_game_with_two_such_columns_is_refused_with_its_name(name):
    game = replace(synthetic_game(), facts={"name": "dates"})
    items = game.arrays["item_table"]
    items[:, 3] = 20_240_101 + np.arange(len(items)) // 30
    items[:, 4] = items[:, 3] + 1
    algorithm = catalogue.load(name)
    with pytest.raises(InputError, match=r"on dates: column 5 of the contexts repeats others, most of all column 4"):
        play_replicas(game, algorithm, [contract.complete(algorithm, {}, "test")], [0], horizon=100, progress=False)
