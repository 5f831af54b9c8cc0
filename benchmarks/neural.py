"""Rounds per second of the neural policies, beside their plain one-replica twins, and the time of M-CNB's clustering.

    python benchmarks/neural.py [--rounds 2000] [--threads 2] [--environment GAME.npz]

The game, unless one is given, has the shape of the recommendation games: 50 users, K = 10 arms, d = 20; networks
have a width of 100. The second is of the shape of MNIST: 784 x 10 block contexts, 10 users. Aggregate rounds per
second are replicas x rounds over seconds, the drawing of rounds and all training included, compilation not. A twin
is NumPy, one replica, contexts written out.

The clustering step of M-CNB for n = 20,000 users is timed beside one read of the parameters from memory and beside
the multiply-adds that this machine does on vectors.
"""

from __future__ import annotations

import argparse
import itertools
import resource
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch
from numba import njit

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.twin_time import twin_seconds

from manybandits.algorithms import catalogue, contract
from manybandits.environments import classification, synthetic
from manybandits.environments.game_file import load_game
from manybandits.environments.kinds.users import UserGame
from manybandits.harness.replicas import play_replicas
from manybandits.numerics.networks import Inputs
from manybandits.numerics.networks.users import outputs_of_all

POLICIES: tuple[tuple[str, dict[str, str]], ...] = (
    ("neuucb_one", {}),
    ("neuucb_ind", {}),
    ("m_cnb", {"meta_optimiser": "plain", "meta_rate": 0.01, "draws": "round"}),
    ("m_cnb", {}),
    ("meta_ban", {}),
)
REPLICAS = (1, 10, 120)
GRID = [{"alpha": alpha, "lambda": lam} for lam, alpha in itertools.product((0.01, 0.1, 1), (0.001, 0.01, 0.1, 1))]
TWIN_ROUNDS = 20


def of_recommendations() -> UserGame:
    """Return a game of the shape of the recommendation games."""
    arrays = synthetic.build(users=50, clusters=5, items=1000, dimension=20, noise=0.1)
    return synthetic.game("benchmark", {"users": 50, "arms": 10}, arrays)


def of_images() -> UserGame:
    """Return a game of the shape of MNIST."""
    random = np.random.default_rng(0)
    labels = random.integers(10, size=2_000)
    features = random.random((10, 784))[labels] + 0.5 * random.random((2_000, 784))
    arrays = classification.unpack(classification.build([(features, labels)], "arm", "instances"))
    return classification.game("benchmark-images", {"users": 10, "arms": 10, "blocks": 10}, arrays)


def setting(name: str, fixed: dict[str, str], replica: int) -> dict[str, float | int | str]:
    """Return one of twelve grid points."""
    module = catalogue.load(name)
    known = {option.name for option in module.OPTIONS}
    return contract.complete(module, {k: v for k, v in GRID[replica % 12].items() if k in known} | fixed, "benchmark")


def rounds_per_second(
    game: UserGame, name: str, fixed: dict[str, str], replicas: int, rounds: int, threads: int
) -> float:
    """Return the aggregate rate of the better of two plays."""
    settings, seeds = [setting(name, fixed, r) for r in range(replicas)], [r // 12 for r in range(replicas)]
    play_replicas(game, catalogue.load(name), settings[:1], seeds[:1], horizon=10)  # compile
    seconds = best_of(
        2, lambda: play_replicas(game, catalogue.load(name), settings, seeds, horizon=rounds, threads=threads)
    )
    return replicas * rounds / seconds


def best_of(times: int, job: Callable[[], object]) -> float:
    """Return the seconds of the fastest run of a job."""
    seconds = []
    for _ in range(times):
        began = time.perf_counter()
        job()
        seconds.append(time.perf_counter() - began)
    return min(seconds)


@njit(nogil=True, fastmath=True)
def vector_chains(count: int, chains: np.ndarray, factor: np.float32) -> None:
    """Do count multiply-adds on every element of chains, which fit into registers."""
    for _ in range(count):
        for j in range(64):
            chains[j] = chains[j] * factor + factor


@njit(nogil=True, fastmath=True)
def total(values: np.ndarray) -> np.float32:
    """Read an array once."""
    result = np.float32(0)
    for j in range(values.shape[0]):
        result += values[j]
    return result


def clustering(users: int, threads: int) -> None:
    """Print the time of the clustering step, of a read of its parameters, and its share of the arithmetic limit."""
    dimension, width, arms = 20, 100, 10
    random = np.random.default_rng(0)

    def drawn(*shape: int) -> torch.Tensor:
        return torch.as_tensor(random.normal(size=shape).astype(np.float32))

    weights = drawn(1, users, 1, dimension, width), drawn(1, users, width, 1)
    inputs = Inputs(drawn(1, arms, dimension))
    with ThreadPoolExecutor(threads) as pool:

        def side_by_side(job: Callable[[int], object]) -> float:
            return best_of(7, lambda: list(pool.map(job, range(threads))))

        parts = np.array_split(weights[0].numpy().ravel(), threads)
        seconds = best_of(9, lambda: outputs_of_all(weights, inputs, pool, threads))
        reading = side_by_side(lambda part: total(parts[part]))
        chains, count = [np.ones(64, np.float32) for _ in range(threads)], 2_000_000
        side_by_side(lambda part: vector_chains(10, chains[part], np.float32(0.5)))
        limit = threads * 64 * count / side_by_side(lambda part: vector_chains(count, chains[part], np.float32(0.5)))
    work = users * (dimension + 1) * width * arms
    print(f"\nclustering, n = {users:,}, {threads} threads: {1e3 * seconds:.1f} ms;", end=" ")
    print(f"one read of the parameters: {1e3 * reading:.1f} ms;", end=" ")
    print(f"{work / seconds / 1e9:.0f} of {limit / 1e9:.0f} billion multiply-adds a second")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="Time the neural policies.")
    parser.add_argument("--rounds", type=int, default=2000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--environment", type=Path, help="a frozen game, in place of a generated one")
    args = parser.parse_args()
    first = load_game(args.environment) if args.environment else of_recommendations()
    for title, game, replicas, rounds in (
        (f"{first.users} users, d = {first.dimension}", first, REPLICAS, args.rounds),
        ("784 x 10 block contexts, 10 users", of_images(), (1, 8), min(args.rounds, 300)),
    ):
        print(f"\n{title}, K = {game.arms}, T = {rounds}, {args.threads} threads: rounds per second\n")
        print("| policy | plain twin |" + "".join(f" R = {count} |" for count in replicas) + " gain |")
        print("|---|---:|" + "---:|" * (len(replicas) + 1))
        for name, fixed in POLICIES:
            plain = TWIN_ROUNDS / twin_seconds(game, name, TWIN_ROUNDS, setting(name, fixed, 0))
            ours = [rounds_per_second(game, name, fixed, count, rounds, args.threads) for count in replicas]
            title = ", ".join((catalogue.load(name).TITLE, *(f"{option} {value}" for option, value in fixed.items())))
            cells = "".join(f" {rate:,.0f} |" for rate in ours)
            print(f"| {title} | {plain:,.1f} |{cells} {ours[-1] / plain:,.0f} |", flush=True)
    clustering(20_000, args.threads)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB")


if __name__ == "__main__":
    main()
