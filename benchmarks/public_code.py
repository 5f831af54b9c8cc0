"""Rounds a second of the public code of M-CNB and Meta-Ban, beside ours, on the same rounds of the same game.

    git clone https://github.com/banyikun/MCNB code
    python benchmarks/public_code.py code --game item-50.npz [--rounds 500] [--replicas 120]

The game is that of a run, in ``artifacts/data/environments``. The public code is the reader's copy: NeuUCB-ONE and
M-CNB of 2024 are from commit cf79294, Meta-Ban of March 2022 from 48c4006. It plays as ``run.py`` does, on one thread.
Ours plays the same rounds once alone, and once with many replicas at once. The regrets, which differ by the first
weights and the draws, are printed beside the rates.
"""

from __future__ import annotations

import argparse
import io
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import torch

from manybandits.algorithms import catalogue, contract
from manybandits.environments.game_file import load_game
from manybandits.environments.kinds.game import BLOCK
from manybandits.harness.replicas import play_replicas
from manybandits.numerics.one_sample import trains_after

SEED = 110
SCHEDULE = 10, 1000, 100


def rounds_of(game: Any, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return users, (T,), contexts, (T, K, d), and rewards, (T, K), of one seed."""
    blocks = [game.rounds(np.array([SEED]), number) for number in range(-(-count // BLOCK))]
    users, items, raters, rewards = (
        np.concatenate([getattr(b, n)[0] for b in blocks])[:count] for n in ("users", "items", "raters", "rewards")
    )
    item_table, user_table = game.arrays["item_table"], game.arrays["user_table"]
    return users[:, 0], np.concatenate([item_table[items], user_table[raters]], axis=2), rewards


def taken(checkout: Path, commit: str, module: str) -> Any:
    """Return a module of the public code as it was at a commit."""
    packed = subprocess.run(
        ["git", "-C", str(checkout), "archive", commit, f"{module}.py", "packages.py"], capture_output=True, check=True
    )
    folder = tempfile.mkdtemp()
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extractall(folder, filter="data")
    sys.path.insert(0, folder)
    return import_module(module)


def neuucb_one(code: Any, dimension: int, users: int) -> Callable[..., int]:
    model = code.neuucb_one(dimension, lamdba=0.001, nu=0.1)

    def play(t: int, user: int, contexts: np.ndarray, rewards: np.ndarray) -> int:
        arm = int(model.recommend(user, contexts, t)[0])
        model.update(user, contexts[arm], rewards[arm])
        if trains_after(t, *SCHEDULE):
            model.train(user, t)
        return arm

    return play


def m_cnb(code: Any, dimension: int, users: int) -> Callable[..., int]:
    model = code.MCNB(dim=dimension, n=users, n_arm=10, gamma=0.4, lr=0.001, nu=1e-4)

    def play(t: int, user: int, contexts: np.ndarray, rewards: np.ndarray) -> int:
        arm, group, _ = model.select(user, contexts, t)
        model.update(user, contexts[arm], rewards[arm], group)
        if trains_after(t, *SCHEDULE):
            model.train_meta(model.users, t, 1000, model.lr)
            model.train(user, t)
        return int(arm)

    return play


def meta_ban(code: Any, dimension: int, users: int) -> Callable[..., int]:
    model = code.meta_ban(dim=dimension, n=users, n_arm=10, gamma=0.32, lr=0.0001)

    def play(t: int, user: int, contexts: np.ndarray, rewards: np.ndarray) -> int:
        arm, group, _, _ = model.recommend(user, contexts, t)
        model.update(user, contexts[arm], rewards[arm], group)
        if trains_after(t, *SCHEDULE):
            model.train(user, t)
        return int(arm)

    return play


THEIRS = {
    "neuucb_one_2022": ("cf79294", "neuucb_one", neuucb_one),
    "m_cnb_2024": ("cf79294", "mcnb", m_cnb),
    "meta_ban_2022": ("48c4006", "meta_ban", meta_ban),
}


def ours(game: Any, name: str, rounds: int, replicas: int) -> tuple[float, float]:
    """Return the rounds a second of some replicas of our form, and the regret of the first."""
    algorithm = catalogue.load(name)
    settings = [contract.complete(algorithm, {}, name)] * replicas
    seeds = list(range(SEED, SEED + replicas))
    play_replicas(game, algorithm, settings[:1], seeds[:1], horizon=rounds, rounds=12, progress=False)  # compiles
    began = time.perf_counter()
    table = play_replicas(game, algorithm, settings, seeds, horizon=rounds, progress=False)
    seconds = time.perf_counter() - began
    first = table[(table["seed"] == SEED) & (table["round"] == rounds)]
    return replicas * rounds / seconds, float(first["regret"].iloc[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path, help="a clone of the public code")
    parser.add_argument("--game", type=Path, required=True, help="the .npz file of a game")
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--replicas", type=int, default=120)
    parser.add_argument("--algorithms", nargs="+", default=list(THEIRS), choices=list(THEIRS))
    args = parser.parse_args()
    torch.set_num_threads(1)
    game = load_game(args.game)
    users, contexts, rewards = rounds_of(game, args.rounds)
    for name in args.algorithms:
        commit, module, make = THEIRS[name]
        torch.manual_seed(SEED)
        np.random.seed(SEED)  # noqa: NPY002, from which the public code draws
        play = make(taken(args.checkout, commit, module), contexts.shape[2], game.users)
        regret, began = 0.0, time.perf_counter()
        for t in range(args.rounds):
            arm = play(t, int(users[t]), contexts[t], rewards[t])
            regret += rewards[t].max() - rewards[t, arm]
        public = args.rounds / (time.perf_counter() - began)
        alone, own_regret = ours(game, name, args.rounds, 1)
        many, _ = ours(game, name, args.rounds, args.replicas)
        print(
            f"{name}: public {public:,.0f} rounds/s (regret {regret:.0f}), ours {alone:,.0f} "
            f"(regret {own_regret:.0f}), {alone / public:.0f} times; "
            f"{args.replicas} replicas {many:,.0f}, {many / public:.0f} times"
        )


if __name__ == "__main__":
    main()
