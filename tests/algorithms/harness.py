"""Playing one block of a synthetic game with a policy or with an oracle."""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from manybandits.algorithms import catalogue, contract
from manybandits.base import seeds as streams
from manybandits.compiling.kernels import kernel
from manybandits.environments.game import BLOCK, Game, Rounds
from manybandits.environments.loops import Clusters, names_blocks
from manybandits.environments.synthetic import build, draw_block, groups
from manybandits.harness.compiled import start_replicas


def synthetic_game(**settings) -> Game:
    settings = {"users": 20, "clusters": 4, "items": 60, "dimension": 5, "noise": 0.1, **settings}
    arms = settings.pop("arms", 10)
    arrays = build(**settings)
    return Game("test", {"kind": "synthetic"}, arrays, len(arrays["theta"]), arms, draw_block, groups(arrays))


def start(game: Game, name: str, settings: list[dict], seeds: list[int], variant: str = "paper"):
    algorithm = catalogue.load(name)
    problem = contract.Problem(game.users, game.items, game.arms, game.dimension, BLOCK)
    full = [contract.complete(algorithm, setting, "test") for setting in settings]
    random = streams.words(np.array(seeds), "policy")
    return start_replicas(algorithm, problem, full, variant == "released", random)


def play(game: Game, name: str, state, seeds: list[int], horizon: int, cuts=(), threads: int = 1) -> np.ndarray:
    """Return the arms of R replicas, (R, horizon). cuts: rounds at which the block is handed over in pieces."""
    unique, stream = np.unique(seeds, return_inverse=True)
    rounds = game.rounds(unique, 0)
    tables = game.arrays["item_table"], game.arrays["user_table"]
    chosen = []
    for first, last in zip([0, *cuts], [*cuts, horizon], strict=True):
        part = Rounds(*(np.ascontiguousarray(array[:, first:last]) for array in rounds))
        arms = np.empty((len(seeds), last - first), np.int64)
        marks, measured = np.full(last - first, -1), Clusters.of(game, len(seeds), 0)
        replicas = np.linspace(0, len(seeds), threads + 1).astype(int)
        with ThreadPoolExecutor(threads) as pool:
            jobs = [
                pool.submit(
                    kernel(catalogue.module_of(name), "long" if names_blocks(game, catalogue.load(name)) else "users"),
                    state,
                    a,
                    b,
                    first,
                    stream,
                    *part[:4],
                    *tables,
                    game.blocks,
                    marks,
                    arms,
                    *measured,
                )
                for a, b in itertools.pairwise(replicas)
            ]
            for job in jobs:
                job.result()
        chosen.append(arms)
    return np.concatenate(chosen, axis=1)


def play_oracle(game: Game, oracle, seed: int, horizon: int) -> np.ndarray:
    """Return the arms of one oracle, (horizon,)."""
    rounds = game.rounds(np.array([seed]), 0)
    arms = np.empty(horizon, np.int64)
    for b in range(horizon):
        items = rounds.items[0, b]
        contexts = game.arrays["item_table"][items]
        if game.blocks > 1:
            contexts = np.stack([np.kron(block, x) for block, x in zip(np.eye(game.blocks), contexts, strict=True)])
        user = int(rounds.users[0, b])
        arms[b] = oracle.choose(b + 1, user, items, contexts)
        oracle.learn(b + 1, user, items[arms[b]], contexts[arms[b]], float(rounds.rewards[0, b, arms[b]]))
    return arms


def regret(game: Game, chosen: np.ndarray, seeds: list[int]) -> np.ndarray:
    """Return the cumulative regret of every replica, (R,)."""
    unique, stream = np.unique(seeds, return_inverse=True)
    expected = game.rounds(unique, 0).expected[stream, : chosen.shape[1]]
    taken = np.take_along_axis(expected, chosen[:, :, None], axis=2)[:, :, 0]
    return (expected.max(axis=2) - taken).sum(axis=1)
