"""Rounds per second of the kernel policies, beside a plain loop of numpy and scipy, in one run.

    python benchmarks/kernel_policies.py [--rounds 3000]

Two games of block contexts: 2 classes of 14 features, and images of 10 classes and 784 features of which a quarter are
not zero. Rounds per second are those of one core, by the time of the processor, which other work on the machine changes
least. The first 1,000 rounds, in which the policy learns, and the drawing of the rounds are included, the compilation
of the kernel is not. The plain loop writes the contexts out and solves for all arms at once with scipy's
`solve_triangular`.

The multiply-adds are those of a round after all observations are there: the inner products, where a feature is not
zero, and a triangle a block, if blocks have equally many. The limit is what a core does in independent chains.
"""

from __future__ import annotations

import argparse
import itertools
import time

import numpy as np
from scipy.linalg import solve_triangular

from linear_policies import vector_chains
from manybandits.algorithms import catalogue, contract
from manybandits.compiling.kernels import replica_bytes
from manybandits.environments import classification
from manybandits.environments.kinds.users import UserGame
from manybandits.harness.replicas import play_replicas, start_states

NAMES = ("kernel_ucb", "kernel_ts")
KEPT = 1000
NU = 0.1


def block_game(arms: int, width: int, background: float) -> UserGame:
    """Return a game of overlapping classes. background: the share of the features that are zero."""
    rng = np.random.default_rng(0)
    labels = rng.integers(arms, size=20_000)
    features = 0.5 * rng.normal(size=(arms, width))[labels] + rng.normal(size=(len(labels), width))
    if background > 0:
        features = np.maximum(features - np.quantile(features, background), 0.0)
    arrays = classification.unpack(classification.build([(features, labels)], "hidden", "instances"))
    return UserGame("benchmark", {"name": "benchmark", "blocks": arms}, arrays, 1, arms, classification.draw_block)


def rounds_per_second(game: UserGame, name: str, rounds: int) -> float:
    """Return the rate of the policy on one replica."""
    algorithm = catalogue.load(name)
    setting = contract.complete(algorithm, {"nu": NU, "kept": KEPT}, "benchmark")
    play_replicas(game, algorithm, [setting], [0], horizon=10)  # compile
    began = time.process_time()
    play_replicas(game, algorithm, [setting], [0], horizon=rounds)
    return rounds / (time.process_time() - began)


def plain_rounds_per_second(game: UserGame, name: str, rounds: int) -> float:
    """Return the rate of the plain loop on one replica."""
    rng, table, blocks = np.random.default_rng(0), game.arrays["item_table"].astype(float), game.blocks
    drawn = [game.rounds(np.array([0]), block) for block in range(-(-rounds // 1000))]
    items, rewards = (np.concatenate([getattr(part, of)[0] for part in drawn]) for of in ("items", "rewards"))
    seen, z, lower = np.empty((KEPT, blocks * game.dimension)), np.empty(KEPT), np.zeros((KEPT, KEPT))
    squares, contexts = np.empty(KEPT), np.zeros((blocks, blocks, game.dimension))
    count = 0
    began = time.process_time()
    for b in range(rounds):
        contexts[np.arange(blocks), np.arange(blocks)] = x = table[items[b, 0]]
        arms = contexts.reshape(blocks, -1)
        kernels = np.exp(2 * seen[:count] @ arms.T - squares[:count, None] - x @ x)
        q = solve_triangular(lower[:count, :count], kernels, lower=True, check_finite=False) if count else kernels
        covariance = np.exp(2 * arms @ arms.T - 2 * x @ x) - q.T @ q
        mean = z[:count] @ q
        if name == "kernel_ts":
            values = rng.multivariate_normal(mean, NU**2 * covariance, method="cholesky")
        else:
            values = mean + NU * np.sqrt(np.diag(covariance))
        arm = int(values.argmax())
        if count < KEPT:
            lower[count, :count] = q[:, arm]
            lower[count, count] = np.sqrt(1 + covariance[arm, arm])
            z[count] = (rewards[b, arm] - mean[arm]) / lower[count, count]
            seen[count], squares[count] = arms[arm], x @ x
            count += 1
    return rounds / (time.process_time() - began)


def vector_limit() -> float:
    """Measure how many multiply-adds a second one core does."""
    count, values = 80_000, np.ones(512)
    vector_chains(10, 0.5, values)
    began = time.process_time()
    vector_chains(count, 0.5, values)
    return 4 * len(values) * count / (time.process_time() - began)


def multiply_adds(game: UserGame) -> float:
    """Count the multiply-adds of a round after all observations are there."""
    used = np.count_nonzero(game.arrays["item_table"]) / len(game.arrays["item_table"])
    return KEPT * used + KEPT**2 / game.blocks / 2


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Time the kernel policies.")
    parser.add_argument("--rounds", type=int, default=3000)
    rounds = parser.parse_args().rounds
    limit = vector_limit()
    print(f"rounds per second, T = {rounds}, one core of {limit / 1e9:.1f} billion multiply-adds a second\n")
    print("| policy | arms x features | plain loop | rounds per second | over plain | of the vector limit | MiB |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for game, name in itertools.product([block_game(2, 14, 0.0), block_game(10, 784, 0.75)], NAMES):
        algorithm = catalogue.load(name)
        setting = contract.complete(algorithm, {"kept": KEPT}, "benchmark")
        size = replica_bytes(start_states(game, algorithm, rounds, [setting], [0], "cpu")) / 2**20
        rate, plain = rounds_per_second(game, name, rounds), plain_rounds_per_second(game, name, rounds)
        share = rate * multiply_adds(game) / limit
        shape = f"{game.blocks} x {game.dimension}"
        cells = f"{plain:,.0f} | {rate:,.0f} | {rate / plain:,.0f} | {share:.0%} | {size:,.0f}"
        print(f"| {name} | {shape} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
