"""Playing one block of a synthetic game with a policy, or by hand with a plain twin."""

from __future__ import annotations

import numpy as np

from manybandits.algorithms import catalogue, contract
from manybandits.base import seeds as streams
from manybandits.compiling.replicas import stack
from manybandits.environments.kinds.batch import Batch, Workers, kernel_for
from manybandits.environments.kinds.curves import ClusterStatistics
from manybandits.environments.kinds.game import BLOCK
from manybandits.environments.kinds.kernels import users as users_kernel
from manybandits.environments.kinds.users import Rounds, UserGame, alike
from manybandits.environments.synthetic import build, draw_block, draw_first, groups
from manybandits.harness.compiled import start_replicas


def synthetic_game(**settings) -> UserGame:
    settings = {"users": 20, "clusters": 4, "items": 60, "dimension": 5, "noise": 0.1, **settings}
    arms = settings.pop("arms", 10)
    arrays = build(**settings)
    shape = len(arrays["theta"]), arms
    return UserGame("test", {"kind": "synthetic"}, arrays, *shape, draw_block, groups(arrays), draw_first=draw_first)


def play_written(name: str, users: int, state, rounds: list[tuple[int, np.ndarray, np.ndarray]]) -> np.ndarray:
    """Play given rounds with one replica, whose state changes in place, and return its arms, (horizon,).

    state: of one replica, as `start` of an algorithm returns it; rounds: user, contexts, (K, d), and rewards, (K,). The
    kernel is that of all games of users whose contexts are written out, so that nothing is compiled for this alone.
    """
    user, contexts, rewards = (np.array(column) for column in zip(*rounds, strict=True))
    horizon, arms, dimension = contexts.shape
    tables = {"item_table": contexts.reshape(-1, dimension).astype(float), "user_table": np.zeros((1, 0))}
    items = np.arange(horizon * arms, dtype=np.int32).reshape(horizon, arms)
    drawn = Rounds(alike(user, arms), items, np.zeros_like(items), rewards.astype(float), rewards.astype(float))
    game = UserGame("written", {"kind": "synthetic"}, tables, users, arms, lambda *_: drawn)
    return play(game, name, stack([state], 1), [0], horizon)[0]


def start(game: UserGame, name: str, settings: list[dict], seeds: list[int]):
    algorithm = catalogue.load(name)
    problem = contract.Problem(game.users, game.items, game.arms, game.dimension, BLOCK)
    full = [contract.complete(algorithm, setting, "test") for setting in settings]
    random = streams.words(np.array(seeds), "policy")
    return start_replicas(algorithm, problem, full, random)


def play(game: UserGame, name: str, state, seeds: list[int], horizon: int, cuts=(), threads: int = 1) -> np.ndarray:
    """Return the arms of R replicas, (R, horizon). cuts: rounds at which the block is handed over in pieces."""
    batch = Batch(np.array(seeds), np.array([horizon]), threads)
    algorithm = catalogue.load(name)
    rounds = game.rounds(batch.drawn, 0)
    clusters = ClusterStatistics.for_batch(game.users, game.groups, batch).of(algorithm)
    chosen = []
    for first, last in zip([0, *cuts], [*cuts, horizon], strict=True):
        part = Rounds(*(np.ascontiguousarray(array[:, first:last]) for array in rounds))
        arms = np.empty((len(seeds), last - first), np.int64)
        given = (
            first,
            batch.stream,
            *part[:4],
            game.tables(algorithm),
            game.step,
            game.per_arm_users(algorithm),
            np.full(last - first, -1),
            arms,
            clusters,
        )
        with Workers(batch) as workers:
            workers.play(kernel_for(algorithm, users_kernel), state, *given, rounds=last - first)
        chosen.append(arms)
    return np.concatenate(chosen, axis=1)


def play_by_hand(game: UserGame, twin, seed: int, horizon: int) -> np.ndarray:
    """Return the arms of a plain twin, (horizon,), in a loop that is not that of the kernel."""
    rounds = game.rounds(np.array([seed]), 0)
    arms = np.empty(horizon, np.int64)
    for b in range(horizon):
        items = rounds.items[0, b]
        contexts = game.arrays["item_table"][items]
        if game.blocks > 1:
            contexts = np.stack([np.kron(block, x) for block, x in zip(np.eye(game.blocks), contexts, strict=True)])
        user = int(rounds.users[0, b, 0])
        arms[b] = twin.choose(b + 1, user, items, contexts)
        twin.learn(b + 1, user, items[arms[b]], contexts[arms[b]], float(rounds.rewards[0, b, arms[b]]))
    return arms


def play_apart_by_hand(game: UserGame, twin, seed: int, horizon: int) -> np.ndarray:
    """Return the arms of a plain twin in a game that presents arm k in place k to a user of its own, (horizon,)."""
    rounds = game.rounds(np.array([seed]), 0)
    arms = np.empty(horizon, np.int64)
    for b in range(horizon):
        x = game.arrays["item_table"][rounds.items[0, b, 0]]
        contexts = np.zeros((game.arms, (game.arms - 1) * game.step + len(x)))
        for k in range(game.arms):
            contexts[k, k * game.step : k * game.step + len(x)] = x
        users = rounds.users[0, b]
        values = [twin.values(b + 1, int(users[k]), [k], contexts[k : k + 1])[0] for k in range(game.arms)]
        arm = twin.arm = arms[b] = twin.random.best(values)
        twin.learn(b + 1, int(users[arm]), int(arm), contexts[arm], float(rounds.rewards[0, b, arm]))
    return arms


def regret(game: UserGame, chosen: np.ndarray, seeds: list[int]) -> np.ndarray:
    """Return the cumulative regret of every replica, (R,)."""
    unique, stream = np.unique(seeds, return_inverse=True)
    expected = game.rounds(unique, 0).expected[stream, : chosen.shape[1]]
    taken = np.take_along_axis(expected, chosen[:, :, None], axis=2)[:, :, 0]
    return (expected.max(axis=2) - taken).sum(axis=1)


def final_bytes(state, replica: int) -> bytes:
    """Return all numbers of one replica of a state."""
    return b"".join(
        final_bytes(field, replica) if isinstance(field, tuple) else np.ascontiguousarray(field[replica]).tobytes()
        for field in state
    )
