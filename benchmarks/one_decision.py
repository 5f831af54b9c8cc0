"""Microseconds of one decision and of one observation with `manybandits.load`, beside the floor of a Python call.

    python benchmarks/one_decision.py [--algorithms linucb_ind club] [--dimension 10] [--arms 10] [--observations 2000]

Each algorithm serves 50 users and has learned from some observations before. The columns: ``choose`` and ``learn`` as a
service calls them; ``kernel``, the policy alone, called from Python with arguments that are checked already;
the floor, printed first, is a method of Python with the same arguments that does nothing. Medians of nine laps.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

import manybandits as mb

LINEAR = ["linucb_one", "linucb_ind", "linucb", "linthompson", "club", "sclub", "locb", "cofiba"]
OTHERS = ["random", "eps_greedy", "kernel_ucb", "knn_ucb", "lnucb_ta"]
NETWORKS = ["neural_eps_greedy", "neuucb_one", "neuucb_ind", "m_cnb", "meta_ban"]
LAPS, CALLS, USERS = 9, 2000, 50


class Nothing:
    """A policy that does nothing: the floor."""

    def choose(self, user: int, contexts: np.ndarray) -> int:
        """Return the first arm."""
        return 0


def microseconds(call: Callable[[int, np.ndarray], object], contexts: np.ndarray) -> float:
    """Return the median time of a call of (user, contexts), in microseconds."""
    laps = []
    for _ in range(LAPS):
        began = time.perf_counter()
        for i in range(CALLS):
            call(i % USERS, contexts[i % len(contexts)])
        laps.append((time.perf_counter() - began) / CALLS)
    return 1e6 * float(np.median(laps))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Time one decision at a time.")
    parser.add_argument("--algorithms", nargs="*", default=LINEAR + OTHERS + NETWORKS)
    parser.add_argument("--dimension", type=int, default=10)
    parser.add_argument("--arms", type=int, default=10)
    parser.add_argument("--observations", type=int, default=2000, help="learned before time is measured")
    args = parser.parse_args()
    random = np.random.default_rng(0)
    contexts = random.normal(size=(500, args.arms, args.dimension))
    contexts /= np.linalg.norm(contexts, axis=2, keepdims=True)
    theta = random.normal(size=args.dimension)
    print(f"floor: {microseconds(Nothing().choose, contexts):.2f} us for a method that does nothing, with its loop\n")
    print("| algorithm | choose, us | kernel, us | learn, us |\n|---|---:|---:|---:|")
    for name in args.algorithms:
        room = args.observations + LAPS * CALLS
        bandit = mb.load(name, users=USERS, dimension=args.dimension, arms=args.arms, horizon=room)
        for i in range(args.observations):
            user, offered = i % USERS, contexts[i % len(contexts)]
            arm = bandit.choose(user, offered)
            bandit.learn(user, offered, arm, float(offered[arm] @ theta > 0.5))
        kernel, items, t = bandit._choose, bandit._places, bandit.observations + 1
        times = [
            microseconds(bandit.choose, contexts),
            microseconds(lambda user, offered: kernel(t, user, items, offered), contexts),  # noqa: B023
            microseconds(lambda user, offered: bandit.learn(user, offered, 2, 0.5), contexts),  # noqa: B023
        ]
        print(f"| {name} | {' | '.join(f'{one:.2f}' for one in times)} |", flush=True)


if __name__ == "__main__":
    main()
