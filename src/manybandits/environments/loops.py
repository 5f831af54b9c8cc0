"""Play one batch of replicas: games with a user a round, of instances, of agents, replays of a log, explorations."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from manybandits.base.exceptions import InputError
from manybandits.compiling.kernels import kernel
from manybandits.environments.frontier import explore_greedily
from manybandits.environments.game import (
    BLOCK,
    AgentGame,
    Arrivals,
    ExplorationGame,
    Game,
    InstanceGame,
    ReplayGame,
    Rounds,
)
from manybandits.numerics.by_reference.block_log import TABLED, log_of, tabulate
from manybandits.numerics.partitions import agreement, count_parts

Curves = dict[str, np.ndarray]
"""The columns of a run table from regret on, (R, C) each, at C checkpoints."""


class Totals:
    """Regret and reward so far of R replicas, and their curves at C checkpoints."""

    def __init__(self, replicas: int, checkpoints: int) -> None:
        self.so_far = {name: np.zeros((replicas, 1)) for name in ("regret", "reward")}
        self.curves = {name: np.empty((replicas, checkpoints)) for name in self.so_far}

    def add(
        self, rounds: Rounds | Arrivals, stream: np.ndarray, chosen: np.ndarray, inside: np.ndarray, columns: np.ndarray
    ) -> None:
        """Add a block of B rounds.

        stream: (R,), the seed of each replica in `rounds`; chosen: (R, B) arms; inside: the checkpoints in the
        block; columns: where in the block they are.
        """
        gaps = rounds.expected.max(axis=2, keepdims=True) - rounds.expected
        for name, values in (("regret", gaps), ("reward", rounds.rewards)):
            taken = values[stream[:, None], np.arange(chosen.shape[1]), chosen]
            summed = self.so_far[name] + taken.cumsum(axis=1)
            self.curves[name][:, inside] = summed[:, columns]
            self.so_far[name] = summed[:, -1:]

    def void(self, diverged: np.ndarray, inside: np.ndarray) -> None:
        """Make the totals of the replicas `diverged`, (R,) bool, no numbers, from the checkpoints `inside` on."""
        for name, curve in self.curves.items():
            self.so_far[name][diverged] = np.nan
            curve[np.ix_(diverged, inside)] = np.nan


class Clusters(NamedTuple):
    """What is measured of the clusters of R replicas, at C checkpoints and on the way to them."""

    truth: np.ndarray  # (n,): the true group of every user, -1 where the game has none
    sums: np.ndarray  # (R, 3): since the last checkpoint, rounds, and their sizes and purities added up
    found: np.ndarray  # (R, C, 3): number, mean size, mean purity; NaN where the algorithm has none

    @staticmethod
    def of(game: Game, replicas: int, checkpoints: int) -> Clusters:
        truth = np.full(game.users, -1) if game.groups is None else game.groups
        return Clusters(truth, np.zeros((replicas, 3)), np.full((replicas, checkpoints, 3), np.nan))

    @property
    def curves(self) -> Curves:
        purity = np.full(self.found.shape[:2], np.nan) if (self.truth < 0).any() else self.found[:, :, 2]
        nothing = np.full_like(purity, np.nan)
        return {"clusters": self.found[:, :, 0], "size": self.found[:, :, 1], "purity": purity, "agreement": nothing}


def names_blocks(game: Game, algorithm: ModuleType) -> bool:
    """Whether an algorithm plays a game with references to its block contexts, see `by_reference.block_log`.

    It does where they are too long to be written out, or where its ``NAMES_BLOCKS`` says that it is always faster so.
    """
    return game.long or (game.blocks > 1 and getattr(algorithm, "NAMES_BLOCKS", False))


def play_users(
    game: Game,
    algorithm: ModuleType,
    state: tuple[np.ndarray, ...],
    seeds: np.ndarray,
    checkpoints: np.ndarray,
    threads: int,
    progress: Callable[[int], object],
) -> Curves:
    """Play R replicas of a game that serves one user a round, to the last of C checkpoints."""
    replicas, horizon = len(seeds), int(checkpoints[-1])
    unique, stream = np.unique(seeds, return_inverse=True)
    play_rounds = kernel(algorithm.__name__, "long" if names_blocks(game, algorithm) else "users")
    totals = Totals(replicas, len(checkpoints))
    measured = Clusters.of(game, replicas, len(checkpoints))
    tables = game.arrays["item_table"], game.arrays["user_table"]
    log = log_of(state)
    step = BLOCK if log is None else TABLED
    served = np.empty((len(unique), horizon), np.int32)
    # Matrix products on one core: the threads of the pool go over the seeds side by side, and sums have one order.
    with ThreadPoolExecutor(threads) as pool, threadpool_limits(1):
        for block, done in enumerate(range(0, horizon, BLOCK)):
            length = min(BLOCK, horizon - done)
            rounds = Rounds(*(a[:, :length] for a in game.rounds(unique, block, pool.map)))
            served[:, done : done + length] = rounds.items[:, :, 0]
            inside, marks = marked(checkpoints, done, length)
            chosen = []
            for first in range(0, length, step):
                part = slice(first, first + step)
                if log is not None:
                    tabulate(log, served[:, : min(done + first + step, horizon)], pool.map)
                own = tuple(np.ascontiguousarray(array[:, part]) for array in rounds[:4])
                chosen.append(np.empty((replicas, own[0].shape[1]), np.int64))
                given = (done + first, stream, *own, *tables, game.blocks, marks[part], chosen[-1], *measured)
                run_pieces(pool, threads, replicas, play_rounds, state, given)
            totals.add(rounds, stream, np.concatenate(chosen, axis=1), inside, checkpoints[inside] - done - 1)
            progress(length * replicas)
    return {**totals.curves, **measured.curves}


def play_instances(
    game: InstanceGame,
    algorithm: ModuleType,
    state: tuple[np.ndarray, ...],
    seeds: np.ndarray,
    checkpoints: np.ndarray,
    threads: int,
    progress: Callable[[int], object],
) -> Curves:
    """Play R replicas of a game in which one individual a round arrives at one of N instances."""
    replicas, horizon = len(seeds), int(checkpoints[-1])
    unique, stream = np.unique(seeds, return_inverse=True)
    population = game.population(unique)
    play_rounds = kernel(algorithm.__name__, "instances")
    totals = Totals(replicas, len(checkpoints))
    # Matrix products on one core: the threads of the pool draw side by side, and sums have one order.
    with ThreadPoolExecutor(threads) as pool, threadpool_limits(1):
        for block, done in enumerate(range(0, horizon, BLOCK)):
            length = min(BLOCK, horizon - done)
            rounds = game.rounds(population, unique, block, length, pool.map)
            chosen = np.empty((replicas, length), np.int64)
            given = (done, stream, rounds.users, rounds.contexts, rounds.rewards, chosen)
            run_pieces(pool, threads, replicas, play_rounds, state, given)
            inside = marked(checkpoints, done, length)[0]
            totals.add(game.counted(rounds), stream, chosen, inside, checkpoints[inside] - done - 1)
            progress(length * replicas)
    return {**totals.curves, **no_clusters(replicas, len(checkpoints))}


def play_agents(
    game: AgentGame,
    algorithm: ModuleType,
    state: tuple[np.ndarray, ...],
    seeds: np.ndarray,
    checkpoints: np.ndarray,
    threads: int,
    progress: Callable[[int], object],
) -> Curves:
    """Play R replicas of a game in which N agents act in every round. Regret and reward are averages over agents."""
    if hasattr(algorithm, "choose_all") and len(game.own_table):
        raise InputError(
            f"{algorithm.TITLE} plays one arm for many agents, but in {game.facts['name']} each agent has an arm of "
            "its own: give it the game with a common pool."
        )
    replicas, horizon = len(seeds), int(checkpoints[-1])
    unique, stream = np.unique(seeds, return_inverse=True)
    population = game.population(unique)
    play_rounds = kernel(algorithm.__name__, "agents")
    regret, reward = np.empty((replicas, len(checkpoints))), np.empty((replicas, len(checkpoints)))
    regret_so_far, reward_so_far = np.zeros(replicas), np.zeros(replicas)
    clustering = hasattr(algorithm, "label_agents")
    labels = np.zeros((replicas, len(checkpoints) if clustering else 0, game.users), np.int32)
    step = game.block(len(unique))
    # Matrix products on one core: the threads of the pool draw side by side, and sums have one order.
    with ThreadPoolExecutor(threads) as pool, threadpool_limits(1):
        for done in range(0, horizon, step):
            length = min(step, horizon - done)
            rounds = game.rounds(population, unique, done, done + length, pool.map)
            best = rounds.expected.max(axis=3)
            marks = marked(checkpoints, done, length)[1]
            given = (done, stream, rounds.contexts, rounds.own, game.own_table, rounds.expected, rounds.noise, best)
            results = (marks, regret_so_far, reward_so_far, regret, reward, labels)
            run_pieces(pool, threads, replicas, play_rounds, state, (*given, *results))
            progress(length * replicas)
    nothing = np.full(regret.shape, np.nan)
    truth = population.cluster[stream]
    return {
        "regret": regret,
        "reward": reward,
        "size": nothing,
        "purity": nothing,
        "clusters": count_parts(labels).astype(float) if clustering else nothing,
        "agreement": agreement(labels, truth[:, None]) if clustering and (truth >= 0).all() else nothing,
    }


def play_replay(
    game: ReplayGame,
    algorithm: ModuleType,
    state: tuple[np.ndarray, ...],
    seeds: np.ndarray,
    checkpoints: np.ndarray,
    threads: int,
    progress: Callable[[int], object],
) -> Curves:
    """Play R replicas of a log until so many of its events count. What lies beyond the end of the log is no number."""
    replicas, horizon = len(seeds), int(checkpoints[-1])
    unique, stream = np.unique(seeds, return_inverse=True)
    orders = game.orders(unique)
    chosen = np.full((replicas, orders.shape[1]), -1, np.int32)
    log = game.arrays["shown"], game.arrays["click"], game.arrays["contexts"]
    given = (stream, orders, *log, game.learns_from_all, horizon, chosen)
    with ThreadPoolExecutor(threads) as pool:
        run_pieces(pool, threads, replicas, kernel(algorithm.__name__, "replay"), state, given)
    progress(horizon * replicas)
    received = np.full((replicas, horizon), np.nan)
    for r in range(replicas):
        asked = int((chosen[r] >= 0).sum())
        curve = game.earned(orders[stream[r], :asked], chosen[r, :asked])
        received[r, : len(curve)] = curve
    reward = received[:, checkpoints - 1]
    return {"regret": checkpoints - reward, "reward": reward, **no_clusters(*reward.shape)}


def play_exploration(
    game: ExplorationGame,
    algorithm: ModuleType,
    state: tuple[np.ndarray, ...],
    seeds: np.ndarray,
    checkpoints: np.ndarray,
    threads: int,
    progress: Callable[[int], object],
) -> Curves:
    """Play R replicas of a network, a query a round. What lies beyond the last node in reach is no number."""
    replicas, horizon = len(seeds), int(checkpoints[-1])
    unique, stream = np.unique(seeds, return_inverse=True)
    received, greedy = np.full((replicas, horizon), np.nan), np.empty((len(unique), horizon))
    graph, starts = (game.arrays["first"], game.arrays["neighbour"]), game.starts(unique)
    given = (stream, *graph, starts, received)
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda start, total: explore_greedily(*graph, start, total), starts, greedy))
        run_pieces(pool, threads, replicas, kernel(algorithm.__name__, "exploration"), state, given)
    progress(horizon * replicas)
    reward = received[:, checkpoints - 1]
    regret = greedy[stream][:, checkpoints - 1] - reward
    return {"regret": regret, "reward": reward, **no_clusters(*reward.shape)}


def no_clusters(replicas: int, checkpoints: int) -> Curves:
    """Return the columns on clusters of a game in which none are measured."""
    return dict.fromkeys(("clusters", "size", "purity", "agreement"), np.full((replicas, checkpoints), np.nan))


def marked(checkpoints: np.ndarray, done: int, length: int) -> tuple[np.ndarray, np.ndarray]:
    """Return which checkpoints are in the rounds done + 1, ..., done + length, and for each round its own or -1."""
    inside = np.flatnonzero((checkpoints > done) & (checkpoints <= done + length))
    marks = np.full(length, -1)
    marks[checkpoints[inside] - done - 1] = inside
    return inside, marks


def run_pieces(
    pool: ThreadPoolExecutor,
    threads: int,
    replicas: int,
    play_rounds: Callable[..., None],
    state: tuple[np.ndarray, ...],
    given: tuple[object, ...],
) -> None:
    """Let threads play disjoint pieces of the replicas side by side."""
    pieces = np.linspace(0, replicas, min(4 * threads, replicas) + 1).astype(int)
    for job in [pool.submit(play_rounds, state, a, b, *given) for a, b in itertools.pairwise(pieces)]:
        job.result()
