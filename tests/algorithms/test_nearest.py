"""The policies of the LNUCB-TA paper replay a log as their plain twins do."""

import numpy as np
import pytest

from manybandits.algorithms import catalogue, contract
from manybandits.base import seeds as streams
from manybandits.environments import replay
from manybandits.environments.kinds.replay import ReplayGame
from manybandits.harness.replicas import play_replicas
from tests.oracles import hybrid


def a_game(learn="matched", order="shuffled", events=900, arms=4, dimension=3, whole=False) -> ReplayGame:
    """A log of arms shown uniformly; clicks follow a line and a bump in the context. whole: contexts of few values."""
    rng = np.random.default_rng(7)
    contexts = rng.normal(size=(events, arms, dimension))
    contexts = np.round(contexts) if whole else contexts
    shown = rng.integers(arms, size=events)
    x = contexts[np.arange(events), shown]
    chance = np.clip(0.4 + 0.3 * x[:, 0] * (shown % 2 == 0) + 0.3 * (np.abs(x[:, 1]) < 0.5), 0.02, 0.98)
    log = {"arm": shown, "click": (rng.random(events) < chance).astype(np.int64), "contexts": contexts}
    arrays = replay.build(log, order, learn)
    return ReplayGame("a-log", {"name": "a-log"}, arrays, arms, dimension, replay.draw_order)


def replayed(game: ReplayGame, oracle, seed: int, horizon: int) -> list[float]:
    """The rewards that a plain policy receives."""
    received = []
    for event in game.orders(np.array([seed]))[0]:
        t, arm = len(received) + 1, game.arrays["shown"][event]
        contexts, click = game.arrays["contexts"][event], game.arrays["click"][event]
        agrees = oracle.choose(t, contexts) == arm
        if agrees or game.learns_from_all:
            oracle.learn(t, arm, contexts[arm], click)
        if agrees:
            received.append(click)
            if t == horizon:
                break
    return received


AS_RELEASED = {"rounding": "floor", "weights": "distance", "ties": "earliest"}
"""The neighbours of the authors' class of LNUCB-TA."""
CASES = [
    ("ucb", hybrid.Ucb, {"rho": 0.5}),
    ("kl_ucb", hybrid.KlUcb, {"c": 1.0}),
    ("kl_ucb", hybrid.KlUcb, {"c": 0.0}),
    ("eps_greedy", hybrid.EpsGreedy, {"epsilon": 0.2}),
    ("beta_thompson", hybrid.BetaThompson, {"prior": "0.5:0.5"}),
    ("beta_thompson", hybrid.BetaThompson, {"prior": "3:1"}),
    ("linucb", hybrid.LinUCB, {"alpha": 0.5}),
    ("linthompson", hybrid.LinThompson, {"v": 0.5, "lambda": 0.1}),
    ("linthompson", hybrid.LinThompson, {"v": 0.5, "lambda": 0.1, "model": "arm"}),
    ("linthompsonucb", hybrid.LinThompsonUCB, {"v": 0.5, "alpha": 0.2}),
    ("knn_ucb", hybrid.KnnUcb, {"rho": 2.0, "phi": 0.2}),
    ("knn_kl_ucb", hybrid.KnnKlUcb, {"c": 1.0, "phi": 1.0, "most": 3}),
    ("knn_kl_ucb", hybrid.KnnKlUcb, {"rho": 0.3}),
    ("lin_knn_ucb", hybrid.LinKnnUcb, {"alpha": 0.3, "phi": 1.0}),
    ("lin_knn_ucb", hybrid.LinKnnUcb, {"alpha": 0.3, "bound": "linear"}),
    ("knn_eps_greedy", hybrid.KnnEpsGreedy, {"epsilon": 0.1}),
    ("beta_thompson_enhanced", hybrid.BetaThompsonEnhanced, {"theta_max": 9}),
    ("eps_greedy_enhanced", hybrid.EpsGreedyEnhanced, {"epsilon": 0.3}),
    ("linthompson_enhanced", hybrid.LinThompsonEnhanced, {"v": 2.0}),
    ("linthompson_enhanced", hybrid.LinThompsonEnhanced, {"v": 2.0, "model": "arm"}),
    ("beta_thompson_enhanced", hybrid.BetaThompsonEnhanced, {"theta_max": 17, **AS_RELEASED}),
    ("eps_greedy_enhanced", hybrid.EpsGreedyEnhanced, {"theta_max": 17, **AS_RELEASED}),
    ("linthompson_enhanced", hybrid.LinThompsonEnhanced, {"theta_max": 17, **AS_RELEASED}),
]


@pytest.mark.slow
@pytest.mark.parametrize("learn", ["matched", "every"])
@pytest.mark.parametrize(("name", "oracle_class", "options"), CASES)
def test_policy_receives_what_its_oracle_receives(name, oracle_class, options, learn):
    module = catalogue.load(name)
    full = contract.complete(module, options, "test")
    for game, seed, protocol in (
        (a_game(learn), 0, "paper"),
        (a_game(learn, whole=True), 1, "paper"),
        (a_game(learn), 2, "released"),
    ):
        random = int(streams.words(np.array([seed]), "policy")[0, 0])
        mean_reward = game.arrays["click"].mean()
        oracle = oracle_class(game.arms, game.dimension, full, protocol == "released", random, mean_reward)
        theirs = replayed(game, oracle, seed, 150)
        ours = play_replicas(game, module, [full], [seed], protocol=protocol, horizon=150)["reward"].to_numpy()
        assert np.array_equal(ours, np.cumsum(theirs))
