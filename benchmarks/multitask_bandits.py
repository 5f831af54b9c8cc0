"""Seconds and memory of the bandits of many instances, beside their plain twins.

    python benchmarks/multitask_bandits.py [--rounds 100000] [--threads 2] [--replicas 10]

The game: N = 100 instances, d = 100, K = 2, s = 3. The drawing of the rounds is included, the compilation of the kernel
not. A twin plays one replica of a small game, N = 10 and d = 20, and so does the policy it is compared with.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.twin_time import twin_seconds
from tests.environments.test_instances import game

from manybandits.algorithms import catalogue, contract
from manybandits.harness.replicas import play_replicas

NAMES = ("rmbandit", "am_bandit", "averaged_bandit", "pooled_bandit", "ols_bandit", "lasso_bandit")
SMALL, SMALL_ROUNDS = {"instances": 10, "dimension": 20}, 2_000


def seconds(name: str, replicas: int, rounds: int, threads: int, **settings: int) -> float:
    """Return the time of a play of so many replicas."""
    algorithm = catalogue.load(name)
    given = contract.complete(algorithm, {}, "benchmark")
    arguments = game(**settings), algorithm, [given] * replicas, list(range(replicas))
    play_replicas(*arguments, horizon=rounds, rounds=1, threads=threads)  # compile
    began = time.perf_counter()
    play_replicas(*arguments, horizon=rounds, threads=threads)
    return time.perf_counter() - began


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Time the bandits of many instances.")
    parser.add_argument("--rounds", type=int, default=100_000)
    parser.add_argument("--replicas", type=int, default=10)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", nargs="*", default=list(NAMES), help="these policies")
    args = parser.parse_args()
    print(f"N = 100, d = 100, T = {args.rounds:,}, {args.replicas} replicas, {args.threads} threads\n")
    print("| policy | seconds | a round and replica | peak memory so far | twin, small game | gain |")
    print("|---|---:|---:|---:|---:|---:|")
    for name in args.only:
        whole = seconds(name, args.replicas, args.rounds, args.threads, instances=100, dimension=100)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        plain, ours = twin_seconds(game(**SMALL), name, SMALL_ROUNDS), seconds(name, 1, SMALL_ROUNDS, 1, **SMALL)
        each = 1e6 * whole / (args.rounds * args.replicas)
        cells = f"{whole:.1f} | {each:.1f} us | {memory:.2f} GiB | {plain:.1f} s | {plain / ours:,.0f}"
        print(f"| {name} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
