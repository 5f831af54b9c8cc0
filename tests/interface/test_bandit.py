"""One decision at a time: equal to what the experiment plays, saved without loss, and robust."""

from __future__ import annotations

import importlib
import pickle

import numpy as np
import pytest

import manybandits as mb
from manybandits.algorithms import catalogue, contract
from manybandits.base.artifacts import load_arrays, load_facts, save_arrays
from manybandits.environments.kinds.batch import Batch
from manybandits.environments.kinds.game import BLOCK
from manybandits.harness.neural import play_batched
from manybandits.harness.replicas import start_states
from tests.harness.one_block import play, start, synthetic_game

ROUNDS = 600
PLAYED = [
    ("linucb_ind", {"alpha": 2.0}),  # wide, so that a round counted wrong changes choices
    ("linucb", {"alpha": 0.5}),
    ("club", {"alpha": 3.0}),
    ("cofiba", {}),
    ("linthompson", {}),
    ("lnucb_ta", {}),
    ("knn_eps_greedy", {}),
    ("kernel_ucb", {}),
    ("random", {}),
]
NETWORKS = [
    ("m_cnb", {"gamma": 0.1}),
    ("meta_ban", {"gamma": 0.1}),
    ("neural_linear", {}),
    ("neuucb_one", {}),
    ("neuucb_ind", {"budget": "served"}),
    ("neural_ts", {}),
    ("neural_eps_greedy", {}),
    ("bootstrap_nn", {}),
]
SMALL = {"width": 8}


@pytest.fixture(scope="module")
def game():
    return synthetic_game(users=6, clusters=2, items=30)


def load(game, name: str, seed: int = 3, **given):
    sizes = {"users": game.users, "dimension": game.dimension, "arms": game.arms, "items": game.items}
    return mb.load(name, **sizes, horizon=BLOCK, seed=seed, **given)


def feed(bandit, game, first: int, last: int, seed: int = 3) -> list[int]:
    """Play rounds first + 1, ..., last of a game and return the arms."""
    rounds, chosen = game.rounds(np.array([seed]), 0), []
    for b in range(first, last):
        items, user = rounds.items[0, b], int(rounds.users[0, b, 0])
        contexts = game.arrays["item_table"][items]
        arm = bandit.choose(user, contexts, items)
        bandit.learn(user, contexts, arm, rounds.rewards[0, b, arm], items)
        chosen.append(arm)
    return chosen


@pytest.mark.usefixtures("uncompiled")  # a restored bandit is compiled
@pytest.mark.parametrize(("name", "options"), PLAYED)
def test_a_bandit_makes_the_choices_of_the_experiment(game, name, options):
    expected = play(game, name, start(game, name, [options], [3]), [3], ROUNDS)[0]
    assert feed(load(game, name, **options), game, 0, ROUNDS) == expected.tolist()


def play_networks(game, name: str, options: dict, rounds: int = 60) -> list[int]:
    """Return the arms of one replica that has no observations before round 1."""
    module = catalogue.load(name)
    if "first_data" in {option.name for option in module.OPTIONS}:
        options = {**options, "first_data": "none"}
    full = contract.complete(module, options, "test")
    policy = start_states(game, module, BLOCK, [full], [3], "cpu")
    chosen, select = [], policy.select
    policy.select = lambda view: (chosen.append(int((arm := select(view))[0])), arm)[1]
    policy.observe_first = lambda first: None
    play_batched(game, policy, Batch(np.array([3]), np.array([rounds])))
    return chosen


@pytest.mark.parametrize(("name", "options"), NETWORKS)
def test_a_bandit_of_networks_makes_the_choices_of_the_experiment(game, name, options):
    bandit = load(game, name, **SMALL, **options)
    assert bandit.horizon == BLOCK
    assert feed(bandit, game, 0, 60) == play_networks(game, name, SMALL | options)


@pytest.mark.parametrize("name", [name for name, _ in NETWORKS])
def test_restored_networks_decide_as_the_saved_ones_would_have(game, name, tmp_path):
    bandit = load(game, name, **SMALL)
    feed(bandit, game, 0, 35)
    bandit.save(tmp_path / "first.npz")
    restored = mb.restore(tmp_path / "first.npz", algorithm=name)
    assert feed(restored, game, 35, 60) == feed(bandit, game, 35, 60)
    for one, path in ((bandit, "a.npz"), (restored, "b.npz")):
        one.save(tmp_path / path)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


@pytest.mark.parametrize("name", [name for name, _ in NETWORKS])
def test_networks_learn_late_rewards_and_of_any_number_of_arms(name):
    bandit = mb.load(name, users=2, dimension=4, arms=3, horizon=30, **SMALL)
    random = np.random.default_rng(0)
    for i in range(20):
        offered = random.random((1 + i % 3, 4))
        bandit.choose(i % 2, offered)
        late = random.random(4)
        bandit.learn((i + 1) % 2, late, 0, float(late.sum()))
    assert bandit.observations == 20
    assert np.array_equal(bandit._replica.arrays()["contexts"][19], late.astype(np.float32))


def test_what_networks_cannot_take_is_a_sentence(monkeypatch):
    bandit = mb.load("neuucb_one", users=2, dimension=4, arms=3, rate=1e30, **SMALL)
    with pytest.raises(mb.InputError, match=r"contexts of user 0 hold NaN, or a number beyond 1e\+08"):
        bandit.choose(0, np.full((3, 4), 1e300))
    with pytest.raises(mb.InputError, match="the context or the reward of user 0 is NaN, or a number beyond"):
        bandit.learn(0, np.full(4, 1e300), 0, 1.0)
    for _ in range(10):  # then the network is trained, by steps that are far too long
        bandit.learn(0, CONTEXTS, bandit.choose(0, CONTEXTS), 1.0)
    with pytest.raises(mb.InputError, match=r"the networks of NeuUCB-ONE diverged: restore a bandit"):
        bandit.choose(0, CONTEXTS)
    compiled = mb.load("neuucb_one_2022", users=2, dimension=4, arms=3, horizon=30, rate=1e30)
    compiled.learn(0, CONTEXTS, compiled.choose(0, CONTEXTS), 1.0)
    for refused in (lambda: compiled.choose(0, CONTEXTS), lambda: compiled.learn(0, CONTEXTS, 0, 1.0)):
        with pytest.raises(mb.InputError, match=r"the networks of NeuUCB-ONE 2022 diverged: restore a bandit"):
            refused()
    with pytest.raises(mb.InputError, match="first_data is 'one', but a bandit has no observations"):
        mb.load("m_cnb", dimension=4, first_data="one")
    with pytest.raises(mb.InputError, match="needs features of the users served, and there are none"):
        mb.load("neu_a_u", dimension=4)
    monkeypatch.setattr(catalogue, "load", lambda name: importlib.import_module("torch.none"))
    with pytest.raises(mb.InputError, match=r"'torch.none', which neural algorithms need, is not installed: `pip"):
        mb.load("m_cnb", dimension=4)


@pytest.mark.parametrize("name", ["linucb_ind", "club", "linthompson", "lnucb_ta"])
def test_a_restored_bandit_decides_as_the_saved_one_would_have(game, name, tmp_path):
    bandit = load(game, name)
    feed(bandit, game, 0, 300)
    bandit.save(tmp_path / "first.npz")
    restored = mb.restore(tmp_path / "first.npz", algorithm=name)
    assert feed(restored, game, 300, ROUNDS) == feed(bandit, game, 300, ROUNDS)
    for one, path in ((bandit, "a.npz"), (restored, "b.npz")):
        one.save(tmp_path / path)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    assert restored.observations == ROUNDS
    assert restored.options == bandit.options


def test_the_context_of_the_arm_is_enough_to_learn(game):
    whole, alone = load(game, "linucb_ind"), load(game, "linucb_ind")
    rounds = game.rounds(np.array([3]), 0)
    for b in range(100):
        items, user = rounds.items[0, b], int(rounds.users[0, b, 0])
        contexts = game.arrays["item_table"][items]
        contexts.setflags(write=False)
        arm = whole.choose(user, contexts, items)
        unusual = contexts.tolist() if b % 2 else np.asfortranarray(contexts)
        assert alone.choose(np.int32(user), unusual, items.tolist()) == arm
        whole.learn(user, contexts, arm, 0.5, items)
        alone.learn(user, contexts[arm], np.int64(arm), np.float32(0.5), items)


def test_a_saved_file_of_other_code_or_of_another_kind_is_refused(game, tmp_path):
    path, edited = tmp_path / "bandit.npz", tmp_path / "edited.npz"
    load(game, "linucb_ind").save(path)
    arrays, facts = load_arrays(path), load_facts(path)

    def edit(shown=arrays, **changed):
        save_arrays(edited, shown, {**facts, **changed})
        return edited

    with pytest.raises(mb.InputError, match=r"bandit\.npz holds a bandit of linucb_ind, not of club"):
        mb.restore(path, algorithm="club")
    with pytest.raises(mb.InputError, match=r"was saved by other code of LinUCB-IND, of manybandits 0\.0\.1"):
        mb.restore(edit(sources="0" * 16, version="0.0.1"))
    with pytest.raises(mb.InputError, match="is not a saved bandit"):
        mb.restore(edit(kind="synthetic"))
    with pytest.raises(mb.InputError, match="does not hold the state of LinUCB-IND"):
        mb.restore(edit({**arrays, "alpha": np.zeros(2)}))
    with pytest.raises(mb.InputError, match=r"gone\.npz does not exist"):
        mb.restore(tmp_path / "gone.npz")
    path.write_bytes(path.read_bytes()[:500])
    with pytest.raises(mb.InputError, match=r"bandit\.npz cannot be read .*: give a file that manybandits wrote"):
        mb.restore(path)
    with pytest.raises(mb.InputError, match=r"does not end with \.npz"):
        load(game, "linucb_ind").save(tmp_path / "bandit.pkl")


CONTEXTS = np.ones((3, 4))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda b: b.choose(0, np.ones((4, 3))), "contexts have the shape (4, 3); give a row of 4 numbers"),
        (lambda b: b.choose(0, np.ones(4)), "contexts have the shape (4,)"),
        (lambda b: b.choose(0, np.ones((4, 4))), "for each of up to 3 arms"),
        (lambda b: b.choose(0, np.ones((0, 4))), "contexts have the shape (0, 4)"),
        (lambda b: b.choose(0, [["a"] * 4] * 3), "contexts are not an array of numbers"),
        (lambda b: b.choose(0, np.full((3, 4), 1j)), "contexts hold complex128: give real numbers, one row per arm"),
        (lambda b: b.choose(0, np.zeros((3, 4), "M8[s]")), "contexts hold datetime64[s]: give real numbers"),
        (lambda b: b.choose(0, CONTEXTS, np.ma.masked_array([0, 1, 2], [1, 0, 0])), "items are a masked array"),
        (lambda b: b.choose(0, np.full((3, 4), np.nan)), "contexts of user 0 hold NaN, or a number beyond 1e+08"),
        (lambda b: b.choose(2, CONTEXTS), "user is 2; give a whole number from 0 to 1"),
        (lambda b: b.choose(-1, CONTEXTS), "user is -1"),
        (lambda b: b.choose(0.0, CONTEXTS), "user is 0.0"),
        (lambda b: b.choose(0, CONTEXTS, [0, 1]), "items are [0, 1]; give a whole number from 0 to 2"),
        (lambda b: b.choose(0, CONTEXTS, [0, 1, 3]), "items are [0, 1, 3]"),
        (lambda b: b.learn(0, CONTEXTS, 3, 1.0), "arm is 3; give a whole number from 0 to 2"),
        (lambda b: b.learn(0, CONTEXTS, 0.5, 1.0), "arm is 0.5"),
        (lambda b: b.learn(2, CONTEXTS, 0, 1.0), "user is 2"),
        (lambda b: b.learn(0, np.ones(5), 0, 1.0), "contexts have the shape (5,)"),
        (lambda b: b.learn(0, CONTEXTS, 0, np.inf), "the context or the reward of user 0 is NaN, or a number beyond"),
        (lambda b: b.learn(0, np.full(4, np.inf), 0, 1.0), "the context or the reward of user 0 is NaN, or a number"),
        (lambda b: b.choose(0, np.full((3, 4), 1.6e9)), "contexts of user 0 hold NaN, or a number beyond 1e+08"),
        (
            lambda b: b.learn(0, CONTEXTS, 0, 1e300),
            "the context or the reward of user 0 is NaN, or a number beyond 1e+08",
        ),
        (
            lambda b: b.choose(0, np.ma.masked_array(CONTEXTS, CONTEXTS > 0)),
            "contexts are a masked array: fill in what",
        ),
        (lambda b: pickle.dumps(b), "a bandit is no pickle: write it by its method save"),
        (lambda b: b.learn(0, CONTEXTS, 0, "much"), "reward is 'much'; give a number"),
    ],
)
def test_a_wrong_argument_is_named_and_nothing_is_learned(tmp_path, call, words):
    bandit = mb.load("linucb", users=2, dimension=4, arms=3)
    bandit.save(tmp_path / "before.npz")
    with pytest.raises(mb.InputError) as error:
        call(bandit)
    assert words in str(error.value)
    bandit.save(tmp_path / "after.npz")
    assert (tmp_path / "before.npz").read_bytes() == (tmp_path / "after.npz").read_bytes()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"algorithm": "cmlb"}, "CMLB decides for all agents at once"),
        ({"alfa": 1}, "did you mean 'alpha'?"),
        ({"alpha": -1}, "alpha is -1; give a value from 0"),
        ({"users": 0}, "users is 0; give a whole number from 1 on"),
        ({"dimension": 2.5}, "dimension is 2.5"),
        ({"items": 5}, "items is 5, fewer than the 10 arms"),
    ],
)
def test_what_cannot_be_loaded_is_named(given, words):
    with pytest.raises(mb.InputError) as error:
        mb.load(**{"algorithm": "linucb_ind", "dimension": 4, **given})
    assert words in str(error.value)


def test_items_must_be_told_if_there_are_more_than_arms():
    bandit = mb.load("linucb", dimension=4, arms=3, items=20)
    with pytest.raises(mb.InputError, match="was loaded with 20 items for 3 arms: give items"):
        bandit.choose(0, CONTEXTS)
    with pytest.raises(mb.InputError, match="was loaded with 20 items for 3 arms: give items"):
        bandit.learn(0, CONTEXTS, 0, 1.0)
    assert bandit.observations == 0


def test_only_algorithms_that_store_observations_or_plan_rounds_have_a_horizon():
    assert mb.load("club", dimension=4).horizon is None
    bandit = mb.load("lnucb_ta", dimension=4, arms=3, horizon=2)
    assert bandit.horizon == 2
    for _ in range(2):
        bandit.learn(0, CONTEXTS, bandit.choose(0, CONTEXTS), 1.0)
    with pytest.raises(mb.InputError, match="room for 2 observations and has learned from as many"):
        bandit.learn(0, CONTEXTS, 0, 1.0)


def test_fewer_arms_than_usual_can_be_offered():
    bandit = mb.load("linucb_one", dimension=4, arms=10)
    assert bandit.choose(0, CONTEXTS[:2]) in (0, 1)


def test_a_tensor_is_an_array_of_numbers_whether_or_not_it_has_a_gradient():
    torch = pytest.importorskip("torch")
    one, two = (mb.load("linucb", users=2, dimension=4, arms=3) for _ in range(2))
    assert one.choose(0, torch.tensor(CONTEXTS, requires_grad=True)) == two.choose(0, CONTEXTS)
    halves = torch.tensor(CONTEXTS, dtype=torch.bfloat16)
    assert one.choose(0, halves) == two.choose(0, halves.double().numpy())


def test_many_users_are_served_as_one_after_another():
    random = np.random.default_rng(0)
    users, contexts, rewards = random.integers(5, size=40), random.normal(size=(40, 4, 3)), random.random(40)
    together, each = (mb.load("linucb_ind", users=5, dimension=3, arms=4, seed=2) for _ in range(2))
    for part in (slice(0, 20), slice(20, 40)):
        arms = together.choose_many(users[part], contexts[part])
        assert arms.tolist() == [each.choose(u, c) for u, c in zip(users[part], contexts[part], strict=True)]
        together.learn_many(users[part], contexts[part], arms, rewards[part])
        for user, rows, arm, reward in zip(users[part], contexts[part], arms, rewards[part], strict=True):
            each.learn(user, rows, arm, reward)
    assert together.observations == each.observations == 40
    with pytest.raises(mb.InputError, match="40 users, 39 contexts: give one of each per user"):
        together.choose_many(users, contexts[1:])


def test_games_and_runs_are_pickled():
    game = mb.games.synthetic(users=4, clusters=2, items=30, dimension=3, arms=3)
    runs = mb.play("random", game=game, horizon=50, seeds=[0, 1])
    again = pickle.loads(pickle.dumps(game))
    assert mb.play("random", game=again, horizon=50, seeds=[0, 1]).table.equals(runs.table)
    assert pickle.loads(pickle.dumps(runs)).frame.equals(runs.frame)
