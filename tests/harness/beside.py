"""Playing an algorithm and its plain twin beside each other: same game, same seed, same draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any
from unittest import mock

import numpy as np
import torch

from manybandits.algorithms import catalogue, contract
from manybandits.algorithms.neural._learning import tables_of
from manybandits.compiling.replicas import row
from manybandits.environments.kinds.batch import Batch
from manybandits.environments.kinds.curves import RunningTotals
from manybandits.environments.kinds.game import BLOCK, Game
from manybandits.environments.kinds.replay import ReplayGame
from manybandits.environments.kinds.users import UserGame
from manybandits.harness import neural
from manybandits.harness.replicas import start_states
from manybandits.harness.twins import GameOfTwins, TwinAlgorithm, for_twins

NEAR = 1e-4
"""Values of networks of single precision that are closer than this are a near-tie."""
DOUBLE = mock.patch.object(neural, "tables_of", partial(tables_of, precision=torch.float64))
"""Fast networks are of single precision, in which near-ties are frequent; twins are of double precision."""


def recorded(play: Callable[[], Any]) -> tuple[list[int], dict[str, np.ndarray]]:
    """Return the arms that the only replica of a play chose, if its game records them, and its curves."""
    seen: list[int] = []
    add, earned = RunningTotals.add, ReplayGame.earned

    def added(self: Any, block: Any, rewards: np.ndarray, expected: np.ndarray, chosen: np.ndarray) -> None:
        seen.extend(chosen[0].tolist())
        add(self, block, rewards, expected, chosen)

    def earns(self: Any, events: np.ndarray, chosen: np.ndarray) -> np.ndarray:
        seen.extend(chosen.tolist())
        return earned(self, events, chosen)

    with mock.patch.object(RunningTotals, "add", added), mock.patch.object(ReplayGame, "earned", earns):
        curves = play()
    return seen, {name: curves[name][0] for name in ("regret", "reward")}


def fast(
    game: Game, name: str, options: Mapping[str, Any], seed: int, rounds: int, horizon: int, protocol: str = "paper"
) -> tuple[list[int], dict[str, np.ndarray], Any]:
    """Return the arms, the curves and the state after some rounds of an algorithm."""
    algorithm = catalogue.load(name)
    full = contract.complete(algorithm, options, "test")
    with DOUBLE:
        state = start_states(game, algorithm, horizon, [full], [seed], protocol, "cpu")
    batch = Batch(np.array([seed]), np.arange(1, rounds + 1))
    if hasattr(algorithm, "Policy"):
        assert isinstance(game, UserGame)
        return *recorded(lambda: neural.play_batched(game, state, batch)), state
    return *recorded(lambda: game.play(algorithm, state, batch)), row(state, 0)


def plain(
    game: Game, name: str, options: Mapping[str, Any], seed: int, rounds: int, horizon: int, protocol: str = "paper"
) -> tuple[list[int], dict[str, np.ndarray], Any]:
    """Return the arms, the curves and the twin after some rounds of the plain twin of an algorithm."""
    algorithm: Any = TwinAlgorithm(f"plain/{name}")
    full = contract.complete(algorithm, options, "test")
    state = start_states(for_twins(game), algorithm, horizon, [full], [seed], protocol, "cpu")
    batch = Batch(np.array([seed]), np.arange(1, rounds + 1))
    found = recorded(lambda: for_twins(game).play(algorithm, state, batch))
    return *found, algorithm.playing[0]


def made(
    game: Game, name: str, options: Mapping[str, Any], seed: int = 0, horizon: int = 200, protocol: str = "paper"
) -> Any:
    """Return the plain twin of an algorithm before the first round, to be played by hand."""
    algorithm: Any = TwinAlgorithm(f"plain/{name}")
    full = contract.complete(algorithm, options, "test")
    start_states(game, algorithm, horizon, [full], [seed], protocol, "cpu")
    played = for_twins(game)
    observes = algorithm.twin.observes_first and isinstance(played, GameOfTwins)
    features = game.arrays.get("served_table")
    return algorithm.make(0, played.first_of(seed) if observes else (), features)


def beside(
    game: Game,
    name: str,
    options: Mapping[str, Any],
    seed: int = 0,
    rounds: int = 200,
    protocol: str = "paper",
    horizon: int = 0,
) -> tuple[Any, Any]:
    """Check that an algorithm and its twin make the same choices and draws; return the state of one, and the other."""
    given = game, name, options, seed, rounds, horizon or rounds, protocol
    (ours, curves, state), (theirs, expected, twin) = fast(*given), plain(*given)
    differ = [t for t, (a, b) in enumerate(zip(ours, theirs, strict=True), 1) if a != b]
    assert not differ, (
        f"plain/{name} chose another arm in {len(differ)} of {len(ours)} rounds, first in round {differ[0]}"
    )
    for column, curve in curves.items():
        np.testing.assert_allclose(expected[column], curve, atol=1e-9, err_msg=f"{column} of plain/{name}")
    random = state.phase.random if hasattr(state, "phase") else state.random
    assert twin.random.state == int(np.asarray(random).flat[0]), f"plain/{name} did not draw as often"
    return state, twin


def followed(game: UserGame, name: str, options: Mapping[str, Any], seed: int, rounds: int) -> tuple[Any, Any, int]:
    """Play networks as they are played, in single precision, and let the twin follow them through near-ties.

    Return the state of one, the other, and in how many rounds there was a near-tie; in all others the arms are equal.
    """
    algorithm = catalogue.load(name)
    full = contract.complete(algorithm, options, "test")
    policy = start_states(game, algorithm, rounds, [full], [seed], "paper", "cpu")
    select, played = policy.select, list[tuple[int, int]]()
    policy.select = lambda view: _noted(select(view), policy, played)
    neural.play_batched(game, policy, Batch(np.array([seed]), np.array([rounds])))
    twin, near = made(game, name, options, seed, rounds), 0
    choose, best = twin.choose, twin.random.best
    for t, (arm, word) in enumerate(played, 1):
        seen: list[list[float]] = []
        twin.random.best = lambda values, seen=seen: (seen.append(list(values)), best(values))[1]
        user, items, contexts, rewards = round_of(game, seed, t)
        mine, (values,) = choose(t, user, items, contexts), seen
        if sorted(values)[-1] - sorted(values)[-2] < NEAR:
            near += 1
        else:
            assert mine == arm, f"round {t}: the twin chose {mine} by {values}, and not {arm}"
        twin.arm, twin.random.state = arm, word
        twin.learn(t, user, int(items[arm]), contexts[arm], float(rewards[arm]))
    return policy, twin, near


def _noted(arms: torch.Tensor, policy: Any, played: list[tuple[int, int]]) -> torch.Tensor:
    played.append((int(arms[0]), int(policy.random.flat[0])))
    return arms


def round_of(game: UserGame, seed: int, t: int) -> tuple[int, np.ndarray, np.ndarray, np.ndarray]:
    """Return the user, the items, the contexts and the rewards of a round of a game without blocks."""
    rounds = game.rounds(np.array([seed]), (t - 1) // BLOCK)
    b = (t - 1) % BLOCK
    items = rounds.items[0, b]
    return int(rounds.users[0, b, 0]), items, game.arrays["item_table"][items].astype(float), rounds.rewards[0, b]
