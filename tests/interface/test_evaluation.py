"""Policies on a user's own log: by name, as objects, as bandits, and as probabilities."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import manybandits as mb
from manybandits.cli import run

PAYS = {"film": 0.2, "news": 0.5, "sport": 0.8}


@pytest.fixture(scope="module")
def log() -> pd.DataFrame:
    """A log of 600 events whose best arm is sport."""
    random = np.random.default_rng(0)
    names, chances = np.array(list(PAYS)), np.array([0.5, 0.3, 0.2])
    arm = random.choice(3, 600, p=chances)
    paid = (random.random(600) < np.array(list(PAYS.values()))[arm]).astype(float)
    columns = {"age": random.random(600), "member": random.choice(["ann", "bob"], 600), "arm": names[arm]}
    return pd.DataFrame({**columns, "reward": paid, "propensity": chances[arm]})


class Always:
    """Plays one arm, and keeps what it learns from."""

    def __init__(self, arm: int = 2) -> None:
        self.arm, self.learned = arm, []

    def choose(self, user, contexts):
        return self.arm

    def learn(self, user, context, reward):
        self.learned.append((user, reward))


def values(found: mb.Evaluation) -> dict[str, float]:
    return dict(zip(found.table["estimator"], found.table["value"], strict=True))


def test_always_playing_an_arm_is_worth_what_the_arm_pays(log):
    found = mb.evaluate(Always(2), log, user="member")
    sport = log[log["arm"] == "sport"]
    assert values(found)["ips"] == pytest.approx((sport["reward"] / 0.2).sum() / 600)
    assert values(found)["snips"] == pytest.approx(sport["reward"].mean())
    assert values(found)["logged"] == pytest.approx(log["reward"].mean())
    assert found.matched == len(sport) == round(found.effective)
    low, high = found.table.set_index("estimator").loc["dr", ["low", "high"]]
    assert low < PAYS["sport"] < high


def test_a_policy_learns_only_from_events_that_showed_its_choice(log):
    made = []
    mb.evaluate(lambda: made.append(Always(0)) or made[-1], log, user="member")
    film = log[log["arm"] == "film"]
    expected = list(zip((film["member"] == "bob").astype(int), film["reward"], strict=True))
    assert made[-1].learned == expected


def test_probabilities_are_evaluated_like_the_policy_that_has_them(log):
    chances = np.tile([0.0, 0.0, 1.0], (600, 1))
    frame = pd.DataFrame(chances, columns=["film", "news", "sport"])[["sport", "film", "news"]]
    expected = mb.evaluate(Always(2), log.drop(columns="member")).table
    for given in (chances, frame):
        pd.testing.assert_frame_equal(mb.evaluate(given, log, drop=["member"]).table, expected)


def test_a_bandit_is_evaluated_as_it_is_and_left_as_it_was(log):
    bandit = mb.load("linucb_one", users=2, dimension=1, arms=3, seed=4)
    twin = mb.load("linucb_one", users=2, dimension=1, arms=3, seed=4)
    first = mb.evaluate(bandit, log, user="member")
    assert bandit.observations == 0
    contexts = np.ones((3, 1))
    assert [bandit.choose(0, contexts) for _ in range(20)] == [twin.choose(0, contexts) for _ in range(20)]
    assert first.events == 600


def test_an_algorithm_that_learns_is_worth_more_than_the_log(log):
    found = mb.evaluate("linucb", log, user="member", alpha=0.5)
    assert values(found)["snips"] > values(found)["logged"]
    assert "effective sample size" in repr(found)
    assert "<table" in found._repr_html_()


def test_the_probabilities_of_a_bandit_are_those_of_its_choices():
    even = mb.load("random", dimension=2, arms=4).probabilities(0, np.ones((4, 2)), draws=4000)
    assert even == pytest.approx(np.full(4, 0.25), abs=0.03)
    bandit = mb.load("linucb_one", dimension=2, arms=2, alpha=0)
    contexts = np.eye(2)
    bandit.learn(0, contexts, 1, 1.0)
    assert bandit.probabilities(0, contexts).tolist() == [0, 1]
    with pytest.raises(mb.InputError, match="draws is 0"):
        bandit.probabilities(0, contexts, draws=0)


def test_the_command_prints_what_python_returns(log, tmp_path, capsys):
    log.to_csv(tmp_path / "log.csv", index=False)
    path = str(tmp_path / "log.csv")
    run(["evaluate", path, "--policy", "linucb", "--set", "alpha=0.5", "--user", "member", "--json"])
    told = json.loads(capsys.readouterr().out)
    found = mb.evaluate("linucb", log, user="member", alpha=0.5)
    assert {row["estimator"]: row["value"] for row in told["rows"]} == values(found)
    assert told["effective"] == found.effective
    with pytest.raises(mb.InputError, match="alpha has 2 values"):
        run(["evaluate", path, "--policy", "linucb", "--set", "alpha=0.5,1"])


@pytest.mark.parametrize(
    ("changed", "given", "message"),
    [
        (lambda log: log.drop(columns="propensity"), {}, "no column 'propensity'"),
        (lambda log: log, {"user": "membre"}, "no column 'membre'.*member"),
        (lambda log: log, {"level": 95}, "level is 95"),
        (lambda log: log, {"largest_weight": 0}, "largest_weight is 0"),
        (lambda log: log, {"policy": np.ones((600, 3))}, "row 1 of the probabilities"),
        (lambda log: log, {"policy": np.ones((3, 3))}, "shape .3, 3."),
        (lambda log: log, {"policy": pd.DataFrame({"film": [1.0]})}, "one column for each arm"),
        (lambda log: log, {"policy": Always(7)}, "choose returned 7 for event 1"),
        (lambda log: log, {"policy": "linucbb"}, "linucb"),
    ],
)
def test_what_cannot_be_evaluated_is_refused_in_a_sentence(log, changed, given, message):
    given = {"policy": "linucb", **given}
    with pytest.raises(mb.InputError, match=message):
        mb.evaluate(given.pop("policy"), changed(log), **given)


def test_a_bandit_of_another_size_is_refused(log):
    with pytest.raises(mb.InputError, match="loaded for 1 users, 10 arms"):
        mb.evaluate(mb.load("linucb", dimension=1), log)
