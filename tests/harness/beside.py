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
from manybandits.environments.kinds.game import Game
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
    game: Game, name: str, options: Mapping[str, Any], seed: int, rounds: int, horizon: int
) -> tuple[list[int], dict[str, np.ndarray], Any]:
    """Return the arms, the curves and the state after some rounds of an algorithm."""
    algorithm = catalogue.load(name)
    full = contract.complete(algorithm, options, "test")
    with DOUBLE:
        state = start_states(game, algorithm, horizon, [full], [seed], "cpu")
    batch = Batch(np.array([seed]), np.arange(1, rounds + 1))
    if hasattr(algorithm, "Policy"):
        assert isinstance(game, UserGame)
        return *recorded(lambda: neural.play_batched(game, state, batch)), state
    return *recorded(lambda: game.play(algorithm, state, batch)), row(state, 0)


def plain(
    game: Game, name: str, options: Mapping[str, Any], seed: int, rounds: int, horizon: int
) -> tuple[list[int], dict[str, np.ndarray], Any]:
    """Return the arms, the curves and the twin after some rounds of the plain twin of an algorithm."""
    algorithm, state, twin = _started(game, name, options, seed, horizon)
    batch = Batch(np.array([seed]), np.arange(1, rounds + 1))
    return *recorded(lambda: for_twins(game).play(algorithm, state, batch)), twin


def made(game: Game, name: str, options: Mapping[str, Any], seed: int = 0, horizon: int = 200) -> Any:
    """Return the plain twin of an algorithm before the first round, to be played by hand."""
    return _started(game, name, options, seed, horizon)[2]


def _started(game: Game, name: str, options: Mapping[str, Any], seed: int, horizon: int) -> tuple[Any, Any, Any]:
    """Return the plain twin of an algorithm as an algorithm, its state before the first round, and the twin itself."""
    algorithm: Any = TwinAlgorithm(f"plain/{name}")
    played = for_twins(game)
    full = contract.complete(algorithm, options, "test")
    state = start_states(played, algorithm, horizon, [full], [seed], "cpu")
    observes = algorithm.twin.observes_first and isinstance(played, GameOfTwins)
    features = played.arrays.get("served_table") if isinstance(played, GameOfTwins) else None
    return algorithm, state, algorithm.make(0, played.first_of(seed) if observes else (), features)


def beside(
    game: Game,
    name: str,
    options: Mapping[str, Any],
    seed: int = 0,
    rounds: int = 200,
    horizon: int = 0,
) -> tuple[Any, Any]:
    """Check that an algorithm and its twin make the same choices and draws; return the state of one, and the other."""
    given = game, name, options, seed, rounds, horizon or rounds
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


def followed(game: UserGame, name: str, options: Mapping[str, Any], seed: int, rounds: int) -> tuple[Any, Any]:
    """Play networks as they are played, in single precision, and let the twin follow them through near-ties.

    Check that these are a tenth of the rounds at most, and that in all others the twin makes the same choice, after as
    many draws; return the state of one, and the other.
    """
    full = contract.complete(catalogue.load(name), options, "test")
    policy = start_states(game, catalogue.load(name), rounds, [full], [seed], "cpu")
    batch, select, words = Batch(np.array([seed]), np.array([rounds])), policy.select, list[int]()

    def noted(view: Any) -> torch.Tensor:
        chosen: torch.Tensor = select(view)
        words.append(int(policy.random.flat[0]))
        return chosen

    policy.select = noted
    arms, _ = recorded(lambda: neural.play_batched(game, policy, batch))
    algorithm, state, twin = _started(game, name, options, seed, rounds)
    best, choose, learn = twin.random.best, twin.choose, twin.learn
    learned, near = list[None](), set[int]()

    def follows(values: list[float]) -> int:
        mine, (second, first) = best(values), sorted(values)[-2:]
        if first - second < NEAR:
            near.add(len(learned))
            return arms[len(learned)]
        return int(mine)

    def chooses(*given: Any) -> int:
        mine = int(choose(*given))
        return arms[len(learned)] if len(learned) in near else mine

    def learns(*given: Any) -> None:
        t = len(learned)
        assert t in near or twin.random.state == words[t], f"round {t + 1}: the twin did not draw as often"
        twin.random.state = words[t]
        learned.append(learn(*given))

    twin.random.best, twin.choose, twin.learn = follows, chooses, learns
    theirs, _ = recorded(lambda: for_twins(game).play(algorithm, state, batch))
    differ = [t for t, (a, b) in enumerate(zip(arms, theirs, strict=True), 1) if a != b]
    assert not differ, f"plain/{name} chose another arm first in round {differ[0]}"
    assert len(near) <= rounds // 10, f"plain/{name} was led through {len(near)} of {rounds} rounds"
    return policy, twin
