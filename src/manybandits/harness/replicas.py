"""Play R replicas of a game at once, in batches that fit into memory."""

from __future__ import annotations

import importlib
import os
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
from tqdm import tqdm

from manybandits.algorithms import contract
from manybandits.base import seeds as streams
from manybandits.base.artifacts import installed_memory
from manybandits.base.exceptions import InputError, Uncomputable
from manybandits.compiling.kernels import replica_bytes
from manybandits.environments.kinds.batch import Batch
from manybandits.environments.kinds.curves import Curves, with_optional
from manybandits.environments.kinds.game import Game
from manybandits.harness.arguments import NEURAL_HARNESS, Setting
from manybandits.harness.compiled import start_replicas
from manybandits.harness.shares import Shares
from manybandits.harness.snapshots import Snapshot, Snapshots
from manybandits.numerics import collinear
from manybandits.results.run_table import describe

CHECKPOINTS = 200
MEMORY = 2**30
"""Maximum bytes of the replicas of one batch. Larger batches are split, which does not change results."""

NEURAL_REPLICAS, NEURAL_BYTES = 30, 2**26
"""Maximum number and bytes of the replicas of a neural algorithm that one thread plays together: enough to hide the
cost of a call, but few enough that all threads get batches and that the data of a round fit into the processor's
cache."""


def in_notebook() -> bool:
    """Return whether this is the kernel of a notebook."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


def hides_progress(asked: bool) -> bool | None:
    """Return whether a progress bar is hidden; None: unless standard error is a terminal.

    ``TQDM_DISABLE`` hides all, as for notebooks that are executed for a page.
    """
    if not asked or os.environ.get("TQDM_DISABLE"):
        return True
    return False if in_notebook() else None


def play_replicas(
    game: Game,
    algorithm: ModuleType,
    settings: Sequence[Setting],
    seeds: Sequence[int],
    *,
    horizon: int = 10_000,
    rounds: int | None = None,
    threads: int = 1,
    memory: int = MEMORY,
    device: str = "cpu",
    progress: bool = True,
    snapshots: Snapshots | None = None,
    shares: Shares | None = None,
) -> pd.DataFrame:
    """Play a game of `horizon` rounds with R replicas; replica r has settings[r] and the rounds of seeds[r].

    rounds: stop after this many rounds, although algorithms get the whole horizon; device: the one on which neural
    algorithms compute; progress: show a progress bar in a terminal or a notebook; shares: which of several
    processes this is, which have `snapshots` in common. In a game of agents all of them act in every round, and regret
    and reward are averages over agents.

    Returns the columns options, seed, round and all that follow them in a run table, with one row per replica and
    checkpoint. Raises InputError if the game has fewer rounds than the horizon, or if the algorithm cannot play it.
    """
    if game.max_horizon is not None and horizon > game.max_horizon:
        raise InputError(
            f"{game.facts['name']} goes through its data once and has {game.max_horizon:,} rounds: a horizon of "
            f"{horizon:,} is too long."
        )
    neural = hasattr(algorithm, "Policy")
    checkpoints = checkpoint_rounds(rounds or horizon)
    shards = shares.shards if shares else 1
    batches = batches_of(game, algorithm, horizon, settings, seeds, memory, device, shards)
    total = int(checkpoints[-1]) * len(seeds)
    stopped = threading.Event()
    shown = {"total": total, "unit": " rounds", "unit_scale": True, "desc": algorithm.TITLE, "leave": not in_notebook()}
    with tqdm(**shown, delay=1.0, disable=hides_progress(progress)) as bar:

        def played_on(count: int) -> None:
            if stopped.is_set():  # this is a thread, which no Ctrl-C reaches
                raise KeyboardInterrupt
            bar.update(count)

        def checkpointer_of(batch: np.ndarray) -> Snapshot | None:
            told = f"{checkpoints[-1]} {[settings[r] for r in batch]} {np.asarray(seeds)[batch].tolist()}"
            return snapshots.of_batch(told) if snapshots else None

        def has_ended(batch: np.ndarray) -> bool:
            checkpointer = checkpointer_of(batch)
            return checkpointer is not None and checkpointer.curves() is not None

        def play_batch(batch: np.ndarray) -> Curves:
            chosen, seeds_of = [settings[r] for r in batch], np.asarray(seeds)[batch]
            checkpointer = checkpointer_of(batch)
            if checkpointer and (ended := checkpointer.curves()):
                bar.update(int(checkpoints[-1]) * len(batch))
                return ended
            state = start_states(game, algorithm, horizon, chosen, seeds_of, device)
            together = Batch(seeds_of, checkpoints, threads, played_on, checkpointer)
            if neural:
                curves = with_optional(_neural_harness().play_batched(game, state, together))
            else:
                try:
                    curves = with_optional(game.play(algorithm, state, together))
                except (Uncomputable, np.linalg.LinAlgError):
                    why = collinear.sentence(collinear.fault_of(state), game.facts.get("columns"))
                    raise InputError(f"{algorithm.TITLE} on {game.facts.get('name', 'a game')}: {why}") from None
                if hasattr(state, "diverged"):
                    for name in ("regret", "reward"):
                        curves[name][state.diverged[:, 0]] = np.nan
            if checkpointer:
                checkpointer.end(curves)
            return curves

        if shares and snapshots:
            begun = not all(map(has_ended, batches))
            with shares.played(batches, has_ended) as own:
                for batch in own:
                    play_batch(batch)
                snapshots.save()
            if shares.number and begun:
                raise SystemExit  # the first process joins the curves, and starts another one for the next stage
        # A compiled policy uses threads itself; batches of neural algorithms are played in parallel.
        with ThreadPoolExecutor(threads if neural else 1) as pool:
            try:
                played = list(pool.map(play_batch, batches))
            except KeyboardInterrupt:
                stopped.set()
                sys.stderr.write("\nStopping; press Ctrl-C again to stop at once.\n")
                pool.shutdown(cancel_futures=True)
                raise
    order = np.argsort(np.concatenate(batches))
    curves = {name: np.concatenate([part[name] for part in played])[order].ravel() for name in played[0]}
    count = len(checkpoints)
    return pd.DataFrame(
        {
            "options": np.repeat(np.array([describe(setting) for setting in settings], object), count),
            "seed": np.repeat(seeds, count),
            "round": np.tile(checkpoints, len(seeds)),
            **curves,
        }
    )


def checkpoint_rounds(horizon: int) -> np.ndarray:
    """Return up to `CHECKPOINTS` evenly spaced rounds, the last of them `horizon`."""
    count = min(CHECKPOINTS, horizon)
    return np.arange(1, count + 1) * horizon // count


def batches_of(
    game: Game,
    algorithm: ModuleType,
    horizon: int,
    settings: Sequence[Setting],
    seeds: Sequence[int],
    memory: int,
    device: str,
    shards: int = 1,
) -> list[np.ndarray]:
    """Return the replicas to play together: equal in all structural options, and as many as fit into memory.

    shards: how many batches there are at least, if there are as many replicas.
    """
    structural = [option.name for option in algorithm.OPTIONS if option.structural]
    groups: dict[tuple[object, ...], list[int]] = {}
    for replica, setting in enumerate(settings):
        groups.setdefault(tuple(setting[name] for name in structural), []).append(replica)
    batches = []
    for members in groups.values():
        one = start_states(game, algorithm, horizon, [settings[members[0]]], [seeds[members[0]]], device)
        needed = max(replica_bytes(one if isinstance(one, tuple) else one.tensors), 1)
        if needed > installed_memory():
            raise InputError(
                f"{algorithm.TITLE} needs {needed / 2**30:,.0f} GiB for one replica of {game.facts['name']}, and this "
                f"machine has {installed_memory() / 2**30:,.0f} GiB: play a smaller game."
            )
        size = max(1, memory // needed)
        if hasattr(algorithm, "Policy") and device == "cpu":
            size = min(size, NEURAL_REPLICAS, max(1, NEURAL_BYTES // needed))
        size = min(size, max(1, len(settings) // shards))
        batches += [np.array(members[first : first + size]) for first in range(0, len(members), size)]
    return batches


def start_states(
    game: Game,
    algorithm: ModuleType,
    horizon: int,
    settings: Sequence[Setting],
    seeds: Sequence[int] | np.ndarray,
    device: str,
) -> Any:
    """Return the state of the replicas before the first round."""
    random = streams.words(np.asarray(seeds), "policy")
    if not hasattr(algorithm, "Policy"):
        problem = game.problem(algorithm, horizon, np.asarray(seeds))
        return start_replicas(algorithm, problem, settings, random)
    if not game.neural:
        raise InputError(
            f"{algorithm.TITLE} is written for games that serve one user per round, which {game.facts['name']} is not: "
            "leave it out."
        )
    return _neural_harness().start(game, algorithm, horizon, contract.stack(list(settings)), random, device)


def _neural_harness() -> ModuleType:
    """Import the harness of neural algorithms by name, so that no other play depends on its sources."""
    return importlib.import_module(NEURAL_HARNESS)
