"""A log is replayed by hand with plain twins, which receive what policies do."""

import numpy as np
import pytest

from manybandits.algorithms import catalogue, contract
from manybandits.environments import replay
from manybandits.environments.kinds.batch import Batch
from manybandits.environments.kinds.replay import ReplayGame
from manybandits.harness.replicas import play_replicas, start_states
from tests.harness.beside import made
from tests.harness.one_block import final_bytes


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


AUTHORS = {"mean": "table", "target": "reward", "lag": "yes", "weights": "distance", "ties": "earliest"}
AUTHORS |= {"rounding": "floor"}
"""The options of LNUCB-TA as its authors' code is."""
LOGGED = [
    name
    for name in catalogue.names()
    if catalogue.family_of(name) in ("contextfree", "nearest") or name in ("linucb", "linthompson", "linthompsonucb")
]
"""The algorithms that are played on logs, and whose kernel of logs `make test` compiles."""


@pytest.mark.parametrize("name", LOGGED)
def test_a_replica_does_not_depend_on_its_neighbours_threads_or_batches(name):
    module, game, seeds = catalogue.load(name), a_game(), [r % 3 for r in range(8)]
    known = {option.name for option in module.OPTIONS}
    varied = next((one for one in ("alpha", "v", "rho", "epsilon", "c", "theta_max") if one in known), None)
    given = [{varied: (5, 9)[r // 3 % 2] if varied == "theta_max" else (0.1, 0.9)[r // 3 % 2]} for r in range(8)]
    full = [contract.complete(module, one if varied else {}, "test") for one in given]

    def played(chosen, **how):
        return start_and_play(game, module, full[chosen], seeds[chosen], **how)

    rewards, state = played(slice(None), threads=2)
    assert np.array_equal(played(slice(None), threads=1)[0], rewards)
    for r in (0, 4, 7):
        alone, own = played(slice(r, r + 1))
        assert np.array_equal(alone[0], rewards[r])
        assert final_bytes(own, 0) == final_bytes(state, r)
    assert not np.array_equal(rewards[0], rewards[1])


def start_and_play(game, module, settings, seeds, threads=1):
    """Return the rewards of replicas round by round, (R, 100), and their states after the last."""
    state = start_states(game, module, 100, settings, seeds, "cpu")
    curves = game.play(module, state, Batch(np.array(seeds), np.arange(1, 101), threads))
    return curves["reward"], state


@pytest.mark.parametrize("learn", ["matched", "every"])
@pytest.mark.parametrize(("name", "options"), [("ucb", {}), ("linucb", {}), ("lnucb_ta", AUTHORS)])
def test_policy_receives_what_its_twin_receives_that_is_played_by_hand(name, options, learn):
    module, game = catalogue.load(name), a_game(learn)
    theirs = replayed(game, made(game, name, options, 1, 150), 1, 150)
    full = contract.complete(module, options, "test")
    ours = play_replicas(game, module, [full], [1], horizon=150)["reward"].to_numpy()
    assert np.array_equal(ours, np.cumsum(theirs))
