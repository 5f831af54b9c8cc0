"""Agent-rounds per second of the multi-agent policies, beside their plain twins, and how the cost grows with N.

    python benchmarks/multiagent.py [--rounds 300] [--threads 2]

The game: 10 clusters of equal size, K = 25 arms, d = 15, noise 0.1. One agent-round is one decision of one
agent. The drawing of the rounds is included, the compilation of the kernel not. Replicas share the two threads evenly:
30 at N = 100, 4 at N = 1,000, 2 at N = 10,000.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.twin_time import twin_seconds
from tests.algorithms.test_multiagent import game, setting

from manybandits.algorithms import catalogue
from manybandits.harness.replicas import play_replicas

NAMES = ("linucb_alone", "cmlb", "sclb", "pmlb", "alb_norm")
SIZES = {100: 30, 1_000: 4, 10_000: 2}
TWIN_ROUNDS = 20


def played(agents: int):  # type: ignore[no-untyped-def]
    """Return the game that all policies are timed on."""
    return game(agents=agents, clusters=10, arms=25, dimension=15, noise=0.1)


def nanoseconds(name: str, agents: int, replicas: int, rounds: int, threads: int) -> float:
    """Return the time of one agent-round, on all threads together, best of two plays."""
    timed, given = played(agents), setting(name)
    arguments = timed, catalogue.load(name), [given] * replicas, list(range(replicas))
    play_replicas(*arguments, horizon=rounds, rounds=1, threads=threads)  # compile
    seconds = []
    for _ in range(2):
        began = time.perf_counter()
        play_replicas(*arguments, horizon=rounds, threads=threads)
        seconds.append(time.perf_counter() - began)
    return 1e9 * min(seconds) / (replicas * agents * rounds)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Time the multi-agent policies.")
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    print(f"nanoseconds an agent-round, T = {args.rounds}, {args.threads} threads\n")
    print("| policy | plain twin, N = 100 |" + "".join(f" N = {n:,}, R = {r} |" for n, r in SIZES.items()) + " gain |")
    print("|---|---:|" + "---:|" * (len(SIZES) + 1))
    for name in NAMES:
        plain = 1e9 * twin_seconds(played(100), name, TWIN_ROUNDS) / (TWIN_ROUNDS * 100)
        ours = [nanoseconds(name, n, r, args.rounds, args.threads) for n, r in SIZES.items()]
        cells = "".join(f" {value:,.0f} |" for value in ours)
        print(f"| {name} | {plain:,.0f} |{cells} {plain / ours[0]:,.0f} |", flush=True)
    print(f"\npeak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB")


if __name__ == "__main__":
    main()
