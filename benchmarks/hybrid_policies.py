"""Rounds per second of the policies of LNUCB-TA, beside their plain twins, in one run.

    python benchmarks/hybrid_policies.py [--events 10000] [--rounds 3000]

Two games. A replay of a made log of 10 arms with 10 features each: a round is an event that counts, the last of about
ten. Images of 10 classes, 784 features of which three quarters are zero, as block contexts that are not written out:
without them a linear model would need a matrix of 7,840 x 7,840, for which twins with such a model refuse the images.

By the time of the processor, one thread; drawing is included, compilation is not. Of the images the twin plays the
first `TWIN` rounds only, in which an arm has few observations: on all rounds it would be slower.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.twin_time import twin_seconds

from kernel_policies import block_game
from manybandits.algorithms import catalogue, contract
from manybandits.compiling.kernels import replica_bytes
from manybandits.environments import replay
from manybandits.environments.kinds.replay import ReplayGame
from manybandits.environments.kinds.users import UserGame
from manybandits.harness.replicas import play_replicas, start_states

NAMES = ("linucb", "knn_ucb", "lin_knn_ucb", "lnucb_ta")
REPLICAS = 20
TWIN = 100
TOO_LONG = ("linucb", "lin_knn_ucb", "lnucb_ta")
COUNTED = 800


def made_log(events: int) -> ReplayGame:
    """Return the replay of a log whose clicks follow a line in the contexts."""
    rng = np.random.default_rng(0)
    contexts = rng.normal(size=(events, 10, 10))
    shown = rng.integers(10, size=events)
    chance = np.clip(0.3 + 0.2 * contexts[np.arange(events), shown, 0], 0.0, 1.0)
    log = {"arm": shown, "click": (rng.random(events) < chance).astype(int), "contexts": contexts}
    arrays = replay.build(log, "shuffled", "matched")
    return ReplayGame("benchmark", {"name": "benchmark"}, arrays, 10, 10, replay.draw_order)


def seconds(game: UserGame | ReplayGame, name: str, rounds: int, replicas: int) -> float:
    """Return the seconds of so many replicas."""
    algorithm = catalogue.load(name)
    setting = contract.complete(algorithm, {}, "benchmark")
    play_replicas(game, algorithm, [setting], [0], horizon=rounds, rounds=10)  # compile
    began = time.process_time()
    play_replicas(game, algorithm, [setting] * replicas, list(range(replicas)), horizon=rounds)
    return time.process_time() - began


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Time the policies of LNUCB-TA.")
    parser.add_argument("--events", type=int, default=10_000, help="events of the made log")
    parser.add_argument("--rounds", type=int, default=3000, help="rounds of the images")
    args = parser.parse_args()
    print(
        "| policy | game | rounds | twin | one replica | twenty | over the twin | seconds of twenty | MiB a replica |"
    )
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|")
    for where, game, rounds, twins in (
        ("replay", made_log(args.events), COUNTED, COUNTED),
        ("images", block_game(10, 784, 0.75), args.rounds, TWIN),
    ):
        for name in NAMES:
            algorithm = catalogue.load(name)
            setting = contract.complete(algorithm, {}, "benchmark")
            size = replica_bytes(start_states(game, algorithm, rounds, [setting], [0], "cpu")) / 2**20
            one, all_ = seconds(game, name, rounds, 1), seconds(game, name, rounds, REPLICAS)
            refused = where == "images" and name in TOO_LONG
            plain = np.nan if refused else twins / twin_seconds(game, name, twins)
            rates = rounds / one, rounds * REPLICAS / all_
            cells = (
                f"{plain:,.0f} | {rates[0]:,.0f} | {rates[1]:,.0f} | {rates[1] / plain:,.0f} | {all_:.1f} | {size:.1f}"
            )
            print(f"| {name} | {where} | {rounds:,} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
