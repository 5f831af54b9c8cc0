"""A log is replayed by hand with plain twins, which receive what policies do."""

import numpy as np
import pytest

from manybandits.algorithms import catalogue, contract
from manybandits.environments import replay
from manybandits.environments.kinds.replay import ReplayGame
from manybandits.harness.replicas import play_replicas
from tests.harness.beside import made


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


def replayed(game: ReplayGame, twin, seed: int, horizon: int) -> list[float]:
    """The rewards that a plain policy receives."""
    received = []
    for event in game.orders(np.array([seed]))[0]:
        t, arm = len(received) + 1, game.arrays["shown"][event]
        contexts, click = game.arrays["contexts"][event], game.arrays["click"][event]
        agrees = twin.choose(t, 0, np.arange(game.arms), contexts) == arm
        if agrees or game.learns_from_all:
            twin.learn(t, 0, arm, contexts[arm], float(click))
        if agrees:
            received.append(click)
            if t == horizon:
                break
    return received


@pytest.mark.parametrize("learn", ["matched", "every"])
@pytest.mark.parametrize(("name", "protocol"), [("ucb", "paper"), ("linucb", "paper"), ("lnucb_ta", "released")])
def test_policy_receives_what_its_twin_receives_that_is_played_by_hand(name, protocol, learn):
    module, game = catalogue.load(name), a_game(learn)
    theirs = replayed(game, made(game, name, {}, 1, 150, protocol), 1, 150)
    full = contract.complete(module, {}, "test")
    ours = play_replicas(game, module, [full], [1], protocol=protocol, horizon=150)["reward"].to_numpy()
    assert np.array_equal(ours, np.cumsum(theirs))
