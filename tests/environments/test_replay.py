"""A replay counts what a policy agrees with, and estimates what the policy would have earned."""

import numpy as np
import pytest

from manybandits.algorithms import catalogue, contract
from manybandits.base.exceptions import InputError
from manybandits.environments import replay
from manybandits.environments.kinds.replay import ReplayGame
from manybandits.harness.replicas import play_replicas
from manybandits.harness.tuning import report_divergence, tune_and_play

RATES = np.array([0.1, 0.3, 0.6, 0.2])


def a_log(events=4000):
    rng = np.random.default_rng(3)
    arm = rng.integers(len(RATES), size=events)
    click = (rng.random(events) < RATES[arm]).astype(np.int64)
    return {"arm": arm, "click": click, "contexts": rng.normal(size=(events, len(RATES), 2))}


def a_game(order="shuffled", learn="matched", events=4000, estimate="replay") -> ReplayGame:
    arrays = replay.build(a_log(events), order, learn, estimate)
    return ReplayGame(replay.digest(arrays), {"name": "log"}, arrays, len(RATES), 2, replay.draw_order)


def played(game, name, seeds, horizon, **options):
    module = catalogue.load(name)
    setting = contract.complete(module, options, "test")
    return play_replicas(game, module, [setting] * len(seeds), seeds, horizon=horizon, threads=2)


def final(table):
    return table[table["round"] == table["round"].max()]["reward"].to_numpy()


@pytest.mark.parametrize("estimate", replay.WORDS["estimate"])
def test_the_replay_of_a_known_policy_finds_its_value(estimate):
    seeds, horizon = list(range(40)), 300
    share = final(played(a_game(estimate=estimate), "random", seeds, horizon)) / horizon
    error = share.std(ddof=1) / np.sqrt(len(seeds))
    assert abs(share.mean() - a_log()["click"].mean()) < 4 * error


def test_a_greedy_policy_settles_on_the_best_arm():
    seeds, horizon = list(range(40)), 300
    greedy = final(played(a_game(), "eps_greedy", seeds, horizon, epsilon=0.0)) / horizon
    assert greedy.max() > 0.55  # some run settles on the best arm, which pays 0.6
    assert greedy.max() < 0.7


def test_seeds_shuffle_the_log_or_do_not():
    shuffled = a_game().orders(np.array([0, 1, 0]))
    assert np.array_equal(shuffled[0], shuffled[2])
    assert not np.array_equal(shuffled[0], shuffled[1])
    assert np.array_equal(np.sort(shuffled[1]), np.arange(4000))
    assert np.array_equal(a_game("logged").orders(np.array([0, 1])), np.tile(np.arange(4000), (2, 1)))


@pytest.mark.parametrize("learn", replay.WORDS["learn"])
def test_policies_do_the_same_whatever_estimates_their_reward(learn, monkeypatch):
    asked, rewards = {}, {}
    for estimate in replay.WORDS["estimate"]:
        game, asked[estimate] = a_game(learn=learn, estimate=estimate), []

        def record(self, events, chosen, earned=ReplayGame.earned, kept=asked[estimate]):
            kept.append((events.copy(), chosen.copy()))
            return earned(self, events, chosen)

        with monkeypatch.context() as patched:
            patched.setattr(ReplayGame, "earned", record)
            rewards[estimate] = final(played(game, "lnucb_ta", [0, 1, 2], 100))
    for estimate in ("inverse", "doubly-robust"):
        for ours, theirs in zip(asked[estimate], asked["replay"], strict=True):
            assert all(np.array_equal(a, b) for a, b in zip(ours, theirs, strict=True))
        assert not np.allclose(rewards[estimate], rewards["replay"])
    counted = [(chosen == a_game().arrays["shown"][events]).sum() for events, chosen in asked["replay"]]
    assert counted == [100, 100, 100]


@pytest.mark.parametrize("estimate", replay.WORDS["estimate"])
def test_threads_and_batches_change_no_reward(estimate):
    game, module, seeds = a_game(estimate=estimate, events=2000), catalogue.load("lnucb_ta"), [0, 1, 2]
    settings = [contract.complete(module, {"lag": lag}, "test") for lag in ("yes", "no", "yes")]
    together = play_replicas(game, module, settings, seeds, horizon=100, threads=2)
    assert together.equals(play_replicas(game, module, settings, seeds, horizon=100, threads=1))
    assert together.equals(play_replicas(game, module, settings, seeds, horizon=100, memory=1))
    alone = play_replicas(game, module, settings[1:2], seeds[1:2], horizon=100)
    assert np.array_equal(alone["reward"], together.loc[together["seed"] == 1, "reward"])


def test_the_order_of_a_seed_is_that_of_its_log_whatever_the_settings():
    orders = [
        a_game(learn=learn, estimate=estimate).orders(np.array([5]))
        for learn in replay.WORDS["learn"]
        for estimate in replay.WORDS["estimate"]
    ]
    assert all(np.array_equal(orders[0], order) for order in orders)
    assert a_game(events=3999).name != a_game().name


def test_learning_from_every_event_tells_more_than_a_bandit_is_told():
    seeds, horizon = list(range(20)), 100
    bandit = final(played(a_game(), "eps_greedy", seeds, horizon, epsilon=0.0))
    told = final(played(a_game(learn="every"), "eps_greedy", seeds, horizon, epsilon=0.0))
    assert told.mean() > bandit.mean()


def test_regret_is_the_number_of_rounds_without_a_click():
    table = played(a_game(), "ucb", [0, 1], 50)
    assert np.array_equal(table["regret"], table["round"] - table["reward"])


def test_a_log_that_ends_too_early_is_reported_and_leaves_no_numbers():
    table = played(a_game(events=100), "ucb", [0], 80)
    counted = table["regret"].notna().sum()
    assert 0 < counted < 80
    lines = report_divergence(table.assign(stage="evaluation"), "UCB")
    assert lines == [f"evaluation, seed 0, {table['options'][0]}: before round {counted + 1}"]


def test_a_log_too_short_for_every_option_says_so():
    game, module = a_game(events=100), catalogue.load("ucb")
    grid = [contract.complete(module, {"rho": rho}, "test") for rho in (0.1, 1.0)]
    with pytest.raises(InputError, match="UCB came to the end of the log with every option of its grid: play fewer"):
        tune_and_play(game, module, grid, seeds=[0], tuning_seeds=[1], horizon=80)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"arm": np.array([0, 1, 4])}, "event 2: arm 4 is not from 0 to 3"),
        ({"click": np.array([0, 2, 1])}, "event 1: click 2 is not from 0 to 1"),
        ({"arm": np.array([0, 1])}, r"arm \(2,\), click \(3,\), contexts \(3, 4, 2\): a log has"),
        ({"arm": np.array([0, 1, 1])}, "arm 2 is never shown"),
        ({"contexts": np.full((3, 4, 2), np.nan)}, "event 0 has a context with NaN"),
    ],
)
def test_a_log_that_does_not_fit_is_named(change, message):
    log = {"arm": np.array([0, 1, 2]), "click": np.array([0, 1, 1]), "contexts": np.zeros((3, 4, 2))}
    with pytest.raises(InputError, match=message):
        replay.build({**log, **change}, "logged", "matched")


def test_a_neural_algorithm_says_that_it_cannot_replay():
    with pytest.raises(InputError, match="is written for games that serve one user per round, which log is not"):
        played(a_game(), "neuucb_one", [0], 10)
