"""Rounds per second of the linear policies, beside their plain one-replica twins, in one run.

    python benchmarks/linear_policies.py [--rounds 2000] [--threads 2]

The game: 50 users in 5 clusters, 1,000 items, K = 10 arms, d = 10. Aggregate rounds per second are replicas x
rounds over seconds, the drawing of the rounds included, the compilation of the kernel not. The replicas are a
grid of 12 points times 10 seeds, as in the papers' figures. The arithmetic limit is what multiply-adds this
machine does in a loop of independent chains, once on scalars and once on vectors.

A second table times games of images, whose contexts are not written out: 10 classes, each a user, of 784 features of
which a quarter are not zero, and of 3,072 that never are. A round takes the longer the more rounds were before it. A
third one times the steps of ridge regression on images that are written out, beside the steps on short contexts, which
give the same bits.
"""

from __future__ import annotations

import argparse
import itertools
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numba import njit

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.twin_time import twin_seconds

from manybandits.algorithms import catalogue, contract
from manybandits.compiling.kernels import replica_bytes
from manybandits.environments import classification
from manybandits.environments.kinds.users import UserGame
from manybandits.environments.synthetic import build, draw_block
from manybandits.harness.replicas import play_replicas, start_states
from manybandits.numerics import ridge
from manybandits.numerics.ridge import Ridge

NAMES = ("linucb_ind", "linucb_one", "club", "sclub", "locb", "cofiba")
REPLICAS = (1, 10, 120)
TWIN_ROUNDS = 200
GRID = [{"alpha": alpha, "lambda": lam} for lam, alpha in itertools.product((0.01, 0.1, 1), (0.001, 0.01, 0.1, 1))]


def benchmark_game() -> UserGame:
    """Return the game that all policies are timed on."""
    arrays = build(users=50, clusters=5, items=1000, dimension=10, noise=0.1)
    return UserGame("benchmark", {}, arrays, 50, 10, draw_block)


def image_game(width: int, background: float) -> UserGame:
    """Return a game of images of 10 classes. background: the share of the features that are zero."""
    rng = np.random.default_rng(0)
    labels = rng.integers(10, size=20_000)
    features = rng.normal(size=(10, width))[labels] + rng.normal(size=(len(labels), width))
    features = np.maximum(features - np.quantile(features, background), 0.0)
    arrays = classification.unpack(classification.build([(features, labels)], "class", "instances"))
    return UserGame("images", {"name": "images", "blocks": 10}, arrays, 10, 10, classification.draw_block)


def rounds_per_second(game: UserGame, name: str, replicas: int, rounds: int, threads: int) -> float:
    """Return the aggregate rate of the best of three plays."""
    algorithm = catalogue.load(name)
    settings = [contract.complete(algorithm, GRID[r % 12], "benchmark") for r in range(replicas)]
    seeds = [r // 12 for r in range(replicas)]
    play_replicas(game, algorithm, settings[:1], seeds[:1], horizon=10)  # compile
    seconds = []
    for _ in range(3):
        began = time.perf_counter()
        play_replicas(game, algorithm, settings, seeds, horizon=rounds, threads=threads)
        seconds.append(time.perf_counter() - began)
    return replicas * rounds / min(seconds)


@njit(fastmath={"contract"})
def scalar_chains(count: int, factor: float) -> float:
    """Do 8 x count multiply-adds in eight independent chains."""
    a = b = c = d = e = f = g = h = 1.0
    for _ in range(count):
        a, b, c, d = a * factor + 1.0, b * factor + 2.0, c * factor + 3.0, d * factor + 4.0
        e, f, g, h = e * factor + 5.0, f * factor + 6.0, g * factor + 7.0, h * factor + 8.0
    return a + b + c + d + e + f + g + h


@njit(fastmath={"contract"})
def vector_chains(count: int, factor: float, values: np.ndarray) -> None:
    """Do 4 x len(values) x count multiply-adds on values that stay in the first cache."""
    for _ in range(count):
        for i in range(len(values)):
            value = values[i] * factor + 1.0
            value = value * factor + 2.0
            value = value * factor + 3.0
            values[i] = value * factor + 4.0


def multiply_adds_per_second() -> tuple[float, float]:
    """Measure the scalar and the vector limit of one core."""
    count, values = 20_000_000, np.ones(512)
    scalar_chains(10, 0.5)
    vector_chains(10, 0.5, values)
    began = time.process_time()
    scalar_chains(count, 0.5)
    scalar = 8 * count / (time.process_time() - began)
    began = time.process_time()
    vector_chains(count // 256, 0.5, values)
    return scalar, 4 * len(values) * (count // 256) / (time.process_time() - began)


def linucb_multiply_adds(arms: int, dimension: int) -> int:
    """Count the multiply-adds of a round of LinUCB: an index for every arm, then one rank-one update."""
    index = dimension * (dimension + 1) // 2 + 2 * dimension
    update = 3 * dimension**2 + 4 * dimension
    return arms * index + update


def long_steps(zeros: float, arms: int = 10, width: int = 793) -> dict[str, tuple[float, float]]:
    """Return the seconds of the steps of ridge regression, of short and of long contexts; the fastest of five each."""
    rng = np.random.default_rng(0)
    contexts = rng.normal(size=(200, width)) * (rng.random((200, width)) >= zeros)
    contexts /= np.linalg.norm(contexts, axis=1, keepdims=True)
    long = ridge.new_ridge(0.1, 1, width)
    short = Ridge(*(array.copy() for array in long))
    mean, spread = np.empty(arms), np.empty(arms)
    steps: dict[str, Callable[[Ridge], None]] = {
        f"{arms} indices": lambda models: ridge.predict(models, 0, contexts[:arms], mean, spread),
        "an observation": lambda models: ridge.observe(models, 0, contexts[models.count[0] % 199], 1.0),
        "a new inverse": lambda models: ridge.refresh(models, 0),
    }
    seconds = {}
    for name, step in steps.items():
        taken = np.full((2, 6), np.inf)
        for turn, (place, models) in itertools.product(range(6), enumerate((short, long))):
            began = time.perf_counter()
            step(models)
            taken[place, turn] = time.perf_counter() - began
        seconds[name] = taken[0, 1:].min(), taken[1, 1:].min()  # the first turn compiles
        assert all(np.array_equal(a, b) for a, b in zip(short, long, strict=True))
    return seconds


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="Time the linear policies.")
    parser.add_argument("--rounds", type=int, default=2000)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    game = benchmark_game()
    print(f"aggregate rounds per second, T = {args.rounds}, {args.threads} threads\n")
    print("| policy | plain twin | R = 1 | R = 10 | R = 120 | R = 120 over plain |\n|---|---:|---:|---:|---:|---:|")
    linucb = 0.0
    for name in NAMES:
        plain = TWIN_ROUNDS / twin_seconds(game, name, TWIN_ROUNDS)
        rates = [rounds_per_second(game, name, replicas, args.rounds, args.threads) for replicas in REPLICAS]
        linucb = linucb or rates[-1]
        cells = " | ".join(f"{rate:,.0f}" for rate in rates)
        print(f"| {name} | {plain:,.0f} | {cells} | {rates[-1] / plain:,.0f} |", flush=True)
    scalar, vector = (args.threads * limit for limit in multiply_adds_per_second())
    work = linucb_multiply_adds(game.arms, game.dimension)
    print(f"\nLinUCB: {work:,} multiply-adds a round, {linucb * work / 1e9:.2f} billion a second in all")
    print(f"scalar limit {scalar / 1e9:.1f} billion ({linucb * work / scalar:.0%} reached)")
    print(f"vector limit {vector / 1e9:.1f} billion ({linucb * work / vector:.0%} reached)")
    print(f"\nimages, R = {args.threads}\n")
    print("| policy | features | rounds per second | MiB a replica |\n|---|---:|---:|---:|")
    for game, name in itertools.product([image_game(784, 0.75), image_game(3072, 0.0)], NAMES):
        setting = contract.complete(catalogue.load(name), {}, "benchmark")
        state = start_states(game, catalogue.load(name), args.rounds, [setting], [0], "cpu")
        rate = rounds_per_second(game, name, args.threads, args.rounds, args.threads)
        print(f"| {name} | {game.dimension:,} | {rate:,.0f} | {replica_bytes(state) / 2**20:,.0f} |", flush=True)
    print("\ncontexts of 793 numbers that are written out, milliseconds\n")
    print("| step | zeros | as of short ones | as of long ones |\n|---|---:|---:|---:|")
    for zeros in (0.75, 0.0):
        for step, (short, long) in long_steps(zeros).items():
            print(f"| {step} | {zeros:.0%} | {short * 1e3:.2f} | {long * 1e3:.2f} |", flush=True)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB")


if __name__ == "__main__":
    main()
