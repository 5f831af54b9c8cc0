"""What the parts of LNUCB-TA and k-NN UCB do, and LNUCB-TA beside its twin on the news log."""

import numpy as np
import pytest

from manybandits import datasets
from manybandits.algorithms import catalogue, contract
from manybandits.algorithms.nearest import lnucb_ta
from manybandits.algorithms.nearest._scores import score
from manybandits.base import seeds as streams
from manybandits.base.exceptions import InputError
from manybandits.compiling.replicas import row
from manybandits.environments import replay
from manybandits.environments.kinds.replay import ReplayGame
from manybandits.harness.replicas import play_replicas
from manybandits.numerics.sparse_blocks.block_log import new_log
from tests.algorithms.test_nearest import AUTHORS, a_game
from tests.harness.beside import beside, made


@pytest.mark.data
@pytest.mark.parametrize("options", [{}, AUTHORS])
def test_lnucb_ta_chooses_the_arms_of_its_twin_in_800_rounds_of_the_news_log(options, mirror):
    copy = mirror / "news-bandit-10k" / "dataset.txt.gz"
    tidy, _ = datasets.load("news-bandit-10k").tidy({copy.name: copy})
    arrays = replay.build(tidy["log.npz"], "logged", "matched")
    game = ReplayGame("news", {"name": "news"}, arrays, 10, 10, replay.draw_order)
    beside(game, "lnucb_ta", options, 0, 800)


def test_the_best_number_of_all_past_contexts_is_the_best_of_the_arms_own():
    """So the search in an arm's own contexts is the one of Reeve et al., as long as k has no limit."""
    rng, game = np.random.default_rng(0), a_game(arms=3, dimension=2)
    own, played = made(game, "knn_ucb", {"rho": 2.0, "phi": 0.7, "most": 1000}), []
    for t in range(1, 121):
        contexts = rng.normal(size=(3, 2))
        expected = [index_of_all(played, arm, contexts[arm], 2.0 * np.log(t), 0.7) for arm in range(3)]
        np.testing.assert_allclose(own.values(t, 0, np.arange(3), contexts), expected, rtol=1e-12)
        arm, reward = int(rng.integers(3)), float(rng.random() < 0.4)
        own.learn(t, 0, arm, contexts[arm], reward)
        played.append((arm, contexts, reward))


def index_of_all(played: list, arm: int, x: np.ndarray, budget: float, phi: float) -> float:
    """U_k = sqrt(budget / N_k) + phi r_k at its least, of the k nearest past contexts, N_k of which saw the arm."""
    past = sorted((np.linalg.norm(z[arm] - x), other == arm, reward) for other, z, reward in played)
    pulls = np.cumsum([own for _, own, _ in past])
    if not pulls.any():
        return np.inf
    paid = np.cumsum([own * reward for _, own, reward in past])
    with np.errstate(divide="ignore"):
        bounds = np.sqrt(budget / pulls) + phi * np.array([distance for distance, _, _ in past])
    k = bounds.argmin()
    return paid[k] / pulls[k] + bounds[k]


def a_state(arms=3, **options):
    problem = contract.Problem(1, arms, arms, 2, 50, mean_reward=0.25)
    full = contract.complete(lnucb_ta, options, "test")
    return lnucb_ta.start(problem, full, streams.words(np.array([0]), "policy")[0])


@pytest.mark.usefixtures("uncompiled")
def test_g_is_the_mean_of_the_arms_means_and_no_mean_of_pulls():
    state = a_state()
    for arm, reward in ((0, 1.0), (0, 1.0), (0, 0.0), (0, 1.0), (1, 0.0)):
        lnucb_ta.learn(state, 1, 0, arm, np.ones(2), reward)
    assert lnucb_ta.global_mean(state) == pytest.approx((0.75 + 0.0 + 0.0) / 3)


@pytest.mark.usefixtures("uncompiled")
def test_the_ridge_regression_fits_what_the_neighbours_leave():
    state, x = a_state(), np.array([1.0, 0.0])
    lnucb_ta.learn(state, 1, 0, 0, x, 1.0)  # no neighbour yet
    lnucb_ta.learn(state, 2, 0, 0, x, 1.0)  # the neighbour explains all of it
    assert state.arms.moment[0].tolist() == [1.0, 0.0]
    assert state.near.seen.total[0] == 2.0


@pytest.mark.usefixtures("uncompiled")
def test_the_class_of_the_authors_estimates_without_the_newest_observation_of_an_arm():
    state, x = a_state(**AUTHORS), np.array([1.0, 0.0])
    lnucb_ta.learn(state, 1, 0, 0, x, 1.0)
    assert not state.arms.estimate[0].any()
    assert np.array_equal(state.arms.inverse[0], np.eye(2))
    lnucb_ta.learn(state, 2, 0, 0, x, 0.0)
    assert state.arms.estimate[0].tolist() == [0.5, 0.0]


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize(("options", "reward"), [({}, 3.0), (AUTHORS, 1.0)])
def test_of_equally_near_ones_the_class_of_the_authors_takes_the_earliest(options, reward):
    state = a_state(**options)
    for paid in (1.0, 3.0):
        lnucb_ta.learn(state, 1, 0, 0, np.zeros(2), paid)
        lnucb_ta.learn(state, 1, 0, 0, np.full(2, 9.0), paid)
    assert score(state.near._replace(theta_max=state.near.theta_min), 0, np.ones(2)) == reward


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
        lnucb_ta.start(problem, options, streams.words(np.array([0]), "policy")[0])


def test_the_mean_of_a_table_is_refused_where_there_is_none():
    options = contract.complete(lnucb_ta, {"mean": "table"}, "test")
    with pytest.raises(InputError, match="known of a log only: set mean to arms"):
        lnucb_ta.start(contract.Problem(1, 4, 4, 3, 10), options, streams.words(np.array([0]), "policy")[0])
