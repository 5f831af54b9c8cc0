"""LNUCB-TA and k-NN UCB choose the arms of their twins, which were written from the texts of their papers."""

import numpy as np
import pytest

from manybandits import datasets
from manybandits.algorithms import catalogue, contract
from manybandits.algorithms.nearest import lnucb_ta
from manybandits.base import seeds as streams
from manybandits.base.exceptions import InputError
from manybandits.compiling.replicas import row
from manybandits.environments import replay
from manybandits.environments.kinds.replay import ReplayGame
from manybandits.harness.replicas import play_replicas
from manybandits.numerics.by_reference.block_log import new_log
from tests.algorithms.test_nearest import a_game
from tests.oracles.lnucb_ta import LNUCBTA, RELEASED, NearestUCB
from tests.oracles.plain import SplitMix64, best

NAMES = {
    "alpha": "alpha",
    "ridge": "lambda",
    "kappa": "kappa",
    "least": "theta_min",
    "most": "theta_max",
    "globally": "mean",
    "rounding": "rounding",
    "weights": "weights",
    "target": "target",
    "lags": "lag",
    "ties": "ties",
    "attention": "attention",
    "neighbours": "neighbours",
}
"""An argument of the twin -> the option."""


def twin_of(game: ReplayGame, options: dict, released: bool) -> LNUCBTA:
    """The twin with the options of a policy, or with what the authors' class does."""
    given = {argument: options[name] for argument, name in NAMES.items()}
    for argument in ("lags", "attention", "neighbours"):
        given[argument] = given[argument] == "yes"
    mean_reward = game.arrays["click"].mean()
    if released:
        given |= {**RELEASED, "globally": mean_reward}
    given["globally"] = {"seen": "pulls", "table": mean_reward}.get(given["globally"], given["globally"])
    return LNUCBTA(game.arms, game.dimension, **given)


def arms_chosen(game: ReplayGame, name: str, options: dict, seed: int, protocol: str, horizon: int):
    """The events that a compiled policy sees, and the arms that it chooses for them."""
    seen = []

    class Watched(ReplayGame):
        def earned(self, events, chosen):
            seen.append((events.copy(), chosen.copy()))
            return super().earned(events, chosen)

    watched = Watched(game.name, game.facts, game.arrays, game.arms, game.dimension, game.draw_order)
    module = catalogue.load(name)
    full = contract.complete(module, options, "test")
    play_replicas(watched, module, [full], [seed], protocol=protocol, horizon=horizon)
    return seen[0]


def arms_of_twin(game: ReplayGame, twin, events: np.ndarray, seed: int) -> np.ndarray:
    """The arms that a plain policy chooses for these events."""
    random = SplitMix64(int(streams.words(np.array([seed]), "policy")[0, 0]))
    arms = []
    for event in events:
        contexts, shown = game.arrays["contexts"][event], game.arrays["shown"][event]
        arms.append(best(list(twin.scores(contexts)), random))
        if arms[-1] == shown or game.learns_from_all:
            twin.learn(shown, contexts[shown], game.arrays["click"][event])
    return np.array(arms)


def check(game: ReplayGame, name: str, options: dict, twin, seed: int, protocol: str = "paper", horizon: int = 150):
    events, ours = arms_chosen(game, name, options, seed, protocol, horizon)
    differ = np.flatnonzero(ours != arms_of_twin(game, twin, events, seed))
    assert differ.size == 0, f"{differ.size} of {len(events)} arms differ, first in event {differ[0] + 1}"


CASES = [
    {},
    {"mean": "seen", "target": "reward"},
    {"mean": "table", "alpha": 10.0},
    {"theta_max": 17, "kappa": 0.2, "weights": "distance", "rounding": "floor", "ties": "earliest"},
    {"attention": "no", "alpha": 0.5},
    {"attention": "no", "alpha": 0.5, "lag": "yes", "lambda": 0.5},
    {"neighbours": "no", "alpha": 0.5},
]


@pytest.mark.slow
@pytest.mark.parametrize("learn", ["matched", "every"])
@pytest.mark.parametrize("options", CASES)
def test_lnucb_ta_chooses_the_arms_of_its_twin(options, learn):
    full = contract.complete(lnucb_ta, options, "test")
    for whole, seed, protocol in ((False, 0, "paper"), (True, 1, "paper"), (True, 2, "released")):
        game = a_game(learn, whole=whole)
        check(game, "lnucb_ta", options, twin_of(game, full, protocol == "released"), seed, protocol)


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("protocol", ["paper", "released"])
def test_lnucb_ta_chooses_the_arms_of_its_twin_in_800_rounds_of_the_news_log(protocol, mirror):
    copy = mirror / "news-bandit-10k" / "dataset.txt.gz"
    tidy, _ = datasets.load("news-bandit-10k").tidy({copy.name: copy})
    arrays = replay.build(tidy["log.npz"], "logged", "matched")
    game = ReplayGame("news", {"name": "news"}, arrays, 10, 10, replay.draw_order)
    full = contract.complete(lnucb_ta, {}, "test")
    check(game, "lnucb_ta", {}, twin_of(game, full, protocol == "released"), 0, protocol, horizon=800)


@pytest.mark.slow
@pytest.mark.parametrize("phi", [0.0, 0.1, 1.0])
def test_k_nn_ucb_chooses_the_arms_of_its_twin(phi):
    game = a_game(whole=True)
    twin = NearestUCB(game.arms, theta=2.0, phi=phi, most=5, pool="arm")
    check(game, "knn_ucb", {"rho": 2.0, "phi": phi}, twin, 0)
    twin = NearestUCB(game.arms, theta=2.0, phi=phi, most=5, pool="arm", entropy=True)
    check(game, "knn_kl_ucb", {"rho": 2.0, "c": 0.0, "phi": phi}, twin, 1)


def test_the_best_number_of_all_past_contexts_is_the_best_of_the_arms_own():
    """So the search in an arm's own contexts is the one of Reeve et al., as long as k has no limit."""
    rng = np.random.default_rng(0)
    every = NearestUCB(3, theta=2.0, phi=0.7, pool="all")
    own = NearestUCB(3, theta=2.0, phi=0.7, pool="arm")
    for _ in range(120):
        contexts = rng.normal(size=(3, 2))
        assert np.array_equal(every.scores(contexts), own.scores(contexts))
        arm, reward = int(rng.integers(3)), float(rng.random() < 0.4)
        for policy in (every, own):
            policy.learn(arm, contexts[arm], reward)


def a_state(released=False, arms=3, **options):
    problem = contract.Problem(1, arms, arms, 2, 50, mean_reward=0.25)
    full = contract.complete(lnucb_ta, options, "test")
    return lnucb_ta.start(problem, full, released, streams.words(np.array([0]), "policy")[0])


def test_g_is_the_mean_of_the_arms_means_and_no_mean_of_pulls():
    state = a_state()
    for arm, reward in ((0, 1.0), (0, 1.0), (0, 0.0), (0, 1.0), (1, 0.0)):
        lnucb_ta.learn(state, 1, 0, arm, np.ones(2), reward)
    assert lnucb_ta.global_mean(state) == pytest.approx((0.75 + 0.0 + 0.0) / 3)


def test_the_ridge_regression_fits_what_the_neighbours_leave():
    state, x = a_state(), np.array([1.0, 0.0])
    lnucb_ta.learn(state, 1, 0, 0, x, 1.0)  # no neighbour yet
    lnucb_ta.learn(state, 2, 0, 0, x, 1.0)  # the neighbour explains all of it
    assert state.arms.moment[0].tolist() == [1.0, 0.0]
    assert state.seen.total[0] == 2.0


def test_the_class_of_the_authors_estimates_without_the_newest_observation_of_an_arm():
    state, x = a_state(released=True), np.array([1.0, 0.0])
    lnucb_ta.learn(state, 1, 0, 0, x, 1.0)
    assert not state.arms.estimate[0].any()
    assert np.array_equal(state.arms.inverse[0], np.eye(2))
    lnucb_ta.learn(state, 2, 0, 0, x, 0.0)
    assert state.arms.estimate[0].tolist() == [0.5, 0.0]


@pytest.mark.parametrize(("released", "reward"), [(False, 3.0), (True, 1.0)])
def test_of_equally_near_ones_the_class_of_the_authors_takes_the_earliest(released, reward):
    state = a_state(released=released)
    for paid in (1.0, 3.0):
        lnucb_ta.learn(state, 1, 0, 0, np.zeros(2), paid)
        lnucb_ta.learn(state, 1, 0, 0, np.full(2, 9.0), paid)
    state = state._replace(theta_max=state.theta_min)
    assert lnucb_ta.score(state, 0, np.ones(2)) == reward


def test_without_its_two_parts_lnucb_ta_is_linucb():
    game = a_game()
    one, two = catalogue.load("lnucb_ta"), catalogue.load("linucb")
    bare = contract.complete(one, {"attention": "no", "neighbours": "no", "alpha": 0.3}, "test")
    plain = contract.complete(two, {"alpha": 0.3}, "test")
    rewards = [play_replicas(game, m, [s], [3], horizon=100)["reward"] for m, s in ((one, bare), (two, plain))]
    assert rewards[0].equals(rewards[1])


def test_theta_max_below_theta_min_is_refused():
    with pytest.raises(InputError, match="theta_max is below theta_min"):
        a_state(theta_min=6)


def test_an_inverse_cannot_lag_where_contexts_are_not_written_out():
    problem = contract.Problem(1, 4, 4, 800, 10, log=row(new_log(np.zeros(1, np.int64), np.ones((3, 200)), 4, 10), 0))
    options = contract.complete(lnucb_ta, {"lag": "yes"}, "test")
    with pytest.raises(InputError, match="these are too long: set lag to no"):
        lnucb_ta.start(problem, options, False, streams.words(np.array([0]), "policy")[0])


def test_the_mean_of_a_table_is_refused_where_there_is_none():
    options = contract.complete(lnucb_ta, {"mean": "table"}, "test")
    with pytest.raises(InputError, match="known of a log only: set mean to arms"):
        lnucb_ta.start(contract.Problem(1, 4, 4, 3, 10), options, False, streams.words(np.array([0]), "policy")[0])
