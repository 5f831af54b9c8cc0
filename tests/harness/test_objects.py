"""Plain Python objects: they play the rounds of all others, and mistakes are named."""

from __future__ import annotations

import functools
import signal
import time
import warnings

import numpy as np
import pytest

import manybandits as mb
from manybandits.environments.kinds.users import UserGame
from manybandits.harness.objects import contexts_of
from manybandits.interface import plays
from tests.algorithms import test_nearest, test_neural
from tests.environments import test_exploration

HOW = {"horizon": 1200, "seeds": [0, 1]}


class First:
    """Plays the arm with the largest first feature, by a sign that is an option."""

    made = 0

    def __init__(self, users, dimension, seed, sign=1.0):
        self.shape, self.sign, self.learned = (users, dimension, seed), sign, 0
        type(self).made += 1

    def choose(self, user, contexts):
        assert user < self.shape[0]
        assert contexts.shape[1] == self.shape[1]
        return int(np.argmax(self.sign * contexts[:, 0]))

    def learn(self, user, context, reward):
        self.learned += 1


class Serving:
    """A compiled algorithm that is played as a plain object, one decision at a time."""

    def __init__(self, name, users, arms, dimension, horizon, **options):
        self.bandit = mb.load(name, users=users, arms=arms, dimension=dimension, horizon=horizon, **options)

    def choose(self, user, contexts):
        self.arm = self.bandit.choose(user, contexts)
        return self.arm

    def learn(self, user, context, reward):
        self.bandit.learn(user, context, self.arm, reward)


@pytest.fixture(scope="module")
def synthetic():
    return mb.games.synthetic(users=12, clusters=3, items=40, dimension=5)


@pytest.fixture(autouse=True)
def _warned(monkeypatch):
    monkeypatch.setattr(plays, "_TOLD", {"First", "Serving", "partial", "Bad", "make"})


@pytest.mark.parametrize(
    ("name", "game", "options"),
    [
        ("club", lambda: mb.games.synthetic(users=12, clusters=3, items=40, dimension=5), {"alpha": 0.3}),
        ("ols_bandit", lambda: mb.games.instances(instances=3, dimension=4), {}),
    ],
)
def test_a_compiled_algorithm_earns_the_same_if_it_is_played_one_decision_at_a_time(name, game, options):
    game = game()
    compiled = mb.play(name, game=game, horizon=1200, seeds=[0], **options)
    plain = mb.play(functools.partial(Serving, name), game=game, horizon=1200, seeds=[0], title="plain", **options)
    assert compiled.table["regret"].tolist() == plain.table["regret"].tolist()
    assert compiled.table["reward"].tolist() == plain.table["reward"].tolist()


@pytest.mark.parametrize(("name", "game"), [("linucb", test_nearest.a_game), ("linucb_one", test_exploration.a_game)])
def test_logs_are_replayed_and_networks_explored_by_objects_too(name, game):
    game = game()
    game.facts.update({"name": "made", "data_note": "made", "stand_in": False})
    compiled = mb.play(name, game=game, horizon=20, seeds=[0, 1])
    plain = mb.play(functools.partial(Serving, name), game=game, horizon=20, seeds=[0, 1], title="plain")
    # Objects are not told their seed here: a replica of seed 0 plays as the compiled one.
    assert compiled.table["reward"].tolist()[:20] == plain.table["reward"].tolist()[:20]
    assert np.isfinite(plain.table["reward"]).all()


def test_a_class_is_tuned_as_an_algorithm_is(synthetic):
    runs = mb.play(First, game=synthetic, sign=[-1.0, 1.0], **HOW)
    tuning = runs.table[(runs.table["stage"] == "tuning") & (runs.table["round"] == 1200)]
    assert runs.chosen == tuning.groupby("options")["regret"].mean().idxmin()
    assert sorted(tuning["seed"].unique()) == [100, 101, 102]
    assert runs.settings["grid"] == {"sign": [-1.0, 1.0]}
    assert runs.title == "First"


def test_every_replica_plays_a_copy_of_an_object(synthetic):
    policy = First(12, 5, 0)
    runs = mb.play(policy, game=synthetic, **HOW)
    assert policy.learned == 0
    alone = mb.play(policy, game=synthetic, horizon=1200, seeds=[1])
    assert alone.final["regret"].iloc[0] == runs.final["regret"].iloc[1]


def test_a_function_makes_a_policy_per_replica_and_is_told_the_seed(synthetic):
    seen = []

    def make(seed, problem):
        seen.append((seed, problem.arms))
        return First(problem.users, problem.dimension, seed)

    mb.play(make, game=synthetic, horizon=20, seeds=[0, 1, 2])
    assert len({seed for seed, _ in seen}) == 3
    assert {arms for _, arms in seen} == {10}


def test_the_measured_speed_is_told_once_and_only_of_a_long_play(synthetic, monkeypatch):
    monkeypatch.setattr(plays, "_TOLD", set())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mb.play(First, game=synthetic, horizon=20, seeds=[0])
    monkeypatch.setattr(plays, "_TOLD", set())
    monkeypatch.setattr(plays, "PATIENCE", 0.0)
    with pytest.warns(UserWarning, match=r"First is a Python object and plays about [\d,]+ rounds per second"):
        mb.play(First, game=synthetic, horizon=20, seeds=[0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mb.play(First, game=synthetic, horizon=20, seeds=[0])


class Bad(First):
    def choose(self, user, contexts):
        return 10


@pytest.mark.parametrize(
    ("policy", "given", "words"),
    [
        (Bad, {}, "Bad chose 10 in round 1: choose must return a whole number from 0 to 9"),
        (object(), {}, "object has no method 'choose'"),
        (lambda: 3, {}, "returned a int, which has no method 'choose'"),
        (First, {"size": 1}, "First has no option 'size'; "),
        (First, {"seed": 1}, "First has no option 'seed'; "),
        (First(12, 5, 0), {"sign": 1}, "First is an object that was made already"),
        (lambda width: First, {}, "needs 'width': give a value, such as width=1"),
        (First, {"sign": [None]}, "sign is None; give a number or a word"),
    ],
)
def test_a_policy_that_cannot_play_is_named(synthetic, policy, given, words):
    with pytest.raises(mb.InputError) as error:
        mb.play(policy, game=synthetic, horizon=20, seeds=[0], **given)
    assert words in str(error.value)


def test_games_that_objects_cannot_play_are_refused():
    logs = test_nearest.a_game(learn="every")
    logs.facts.update({"name": "a-log"})
    apart = test_neural.BLOCKS
    for game, words in (
        (mb.games.agents(agents=4, clusters=2), "agents-agents-4-clusters-2 does not serve one user per round"),
        (logs, "a-log lets policies learn from arms that they did not choose"),
        (
            UserGame("x", {"name": "classes"}, {**apart.arrays, "each_arm_its_user": np.array(True)}, 4, 4, None),
            "classes presents each arm to a user of its own",
        ),
    ):
        with pytest.raises(mb.InputError, match=words):
            mb.play(First, game=game, horizon=20, seeds=[0])


def test_blocks_are_written_out_as_kernels_write_them(synthetic):
    rounds = test_neural.BLOCKS.rounds(np.array([0]), 0)
    contexts = contexts_of(test_neural.BLOCKS, rounds.items[0, 0], rounds.raters[0, 0])
    x = test_neural.BLOCKS.arrays["item_table"][rounds.items[0, 0, 0]]
    assert np.array_equal(contexts, np.kron(np.eye(test_neural.BLOCKS.arms), x))


def test_ctrl_c_stops_after_the_round_that_is_played(synthetic, capsys):
    class Slow:
        rounds = 0

        def choose(self, user, contexts):
            Slow.rounds += 1
            if Slow.rounds == 20:
                signal.raise_signal(signal.SIGINT)
            time.sleep(0.001)  # so that the thread that waits for this one takes its turn
            return 0

        def learn(self, user, context, reward): ...

    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            mb.play(Slow(), game=synthetic, **HOW)
    finally:
        signal.signal(signal.SIGINT, handler)
    assert Slow.rounds < 500, "a block has a thousand rounds"
    assert "Stopping" in capsys.readouterr().err
