"""Networks on a GPU beside the processor: whether they choose the same arms, and aggregate rounds a second.

    python benchmarks/gpu.py [--device cuda] [--rounds 200] [--replicas 1 100 1000 10000] [--minutes 10]

The game has the shape of the recommendation games: 50 users, K = 10 arms, d = 20; networks have a width of 100. On a
GPU sums end in other digits, so that after some rounds other arms are played: the first table says after how many. In
the second, all replicas of a play are one batch; it says how much memory they take before they are played, and leaves
out what does not fit, or what there is no time for.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.neural import of_recommendations, setting

from manybandits.algorithms import catalogue
from manybandits.algorithms.neural._learning import tables_of
from manybandits.base.exceptions import run_script
from manybandits.compiling.kernels import replica_bytes
from manybandits.environments.kinds.users import UserGame
from manybandits.harness.replicas import MEMORY, play_replicas, start_states

NAMES = ("neuucb_one", "neuucb_ind", "neural_ts", "neural_linear", "m_cnb", "meta_ban")


def played(game: UserGame, name: str, replicas: int, rounds: int, device: str) -> tuple[pd.DataFrame, float]:
    """Return the curves of replicas that are one batch, and the seconds that they took."""
    settings = [setting(name, {}, replica) for replica in range(replicas)]
    seeds = [replica // 12 for replica in range(replicas)]
    began = time.perf_counter()
    how = {"device": device, "memory": 2**60, "horizon": rounds, "progress": False}
    curves = play_replicas(game, catalogue.load(name), settings, seeds, **how)
    return curves, time.perf_counter() - began


def alike(game: UserGame, name: str, rounds: int, device: str) -> int:
    """Return for how many rounds two replicas have the regret on a device that they have on the processor."""
    here, there = (played(game, name, 2, rounds, one)[0] for one in ("cpu", device))
    differs = ~np.isclose(here["regret"], there["regret"], rtol=0, atol=1e-6)
    return int(here["round"][differs].min()) - 1 if differs.any() else rounds


def bytes_of(game: UserGame, name: str, rounds: int) -> int:
    """Return the bytes of one replica."""
    state = start_states(game, catalogue.load(name), rounds, [setting(name, {}, 0)], [0], "cpu")
    return replica_bytes(state.tensors)


def free_bytes(device: str) -> int:
    """Return the free memory of a GPU; of the processor, what a batch may take."""
    return int(torch.cuda.mem_get_info(device)[0]) if device.startswith("cuda") else MEMORY


def main(argv: list[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="Compare and time networks on a GPU.")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--algorithms", nargs="+", default=list(NAMES))
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--replicas", type=int, nargs="+", default=[1, 100, 1000, 10_000])
    parser.add_argument("--minutes", type=float, default=10.0, help="after which nothing is begun")
    args = parser.parse_args(argv)
    game, end = of_recommendations(), time.monotonic() + 60 * args.minutes
    tables_of(game.arrays, args.device)  # raises where there is no such device
    name_of = torch.cuda.get_device_name(args.device) if args.device.startswith("cuda") else args.device
    print(f"{name_of}, torch {torch.__version__}\n")
    for name in args.algorithms:
        same = alike(game, name, args.rounds, args.device)
        print(f"{name:14} as on the processor for {same} of {args.rounds} rounds", flush=True)
    print(f"\n{'':14}" + "".join(f"{f'R = {replicas:,}':>28}" for replicas in args.replicas))
    for name in args.algorithms:
        told = ""
        for replicas in args.replicas:
            needed = replicas * bytes_of(game, name, args.rounds)
            rate = "too large" if needed > free_bytes(args.device) else "no time"
            if rate == "no time" and time.monotonic() < end:
                seconds = played(game, name, replicas, args.rounds, args.device)[1]
                rate = f"{replicas * args.rounds / seconds:,.0f} /s"
            told += f"{f'{needed / 2**20:,.0f} MiB, {rate}':>28}"
        print(f"{name:14}{told}", flush=True)


if __name__ == "__main__":
    run_script(main)
