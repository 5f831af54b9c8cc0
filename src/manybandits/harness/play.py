"""Play one game with one algorithm: all grid points and all seeds at once, into one run table.

Options are tuned on the papers' grids, but not on the runs that are reported: every grid point plays the tuning seeds,
and the point with the lowest mean final regret plays the evaluation seeds. With ``best-of-grid``, which is how the
papers tune, every point plays the evaluation seeds, and the best of them is marked as chosen.

The run table is described in `manybandits.results.run_table`. It stores the settings of the play and the facts about
it. Seconds, rounds per second and memory are stored in its provenance, because they differ from run to run.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
from msgspec.structs import replace
from tqdm import tqdm

from manybandits.algorithms import catalogue, contract
from manybandits.base import seeds as streams
from manybandits.base.artifacts import Provenance
from manybandits.base.exceptions import InputError, pick
from manybandits.base.sources import digest
from manybandits.compiling.kernels import replica_bytes
from manybandits.environments.game_file import load_game
from manybandits.environments.kinds.batch import Batch
from manybandits.environments.kinds.curves import Curves
from manybandits.environments.kinds.game import Game
from manybandits.harness.compiled import start_replicas
from manybandits.harness.settings import NEURAL_HARNESS, TUNING, Setting, expand_grid
from manybandits.harness.spec import PlaySpec
from manybandits.harness.summary import summary_line
from manybandits.results.run_table import describe, save_run

CHECKPOINTS = 200
MEMORY = 2**30
"""Maximum bytes of the replicas of one batch. Larger batches are split, which does not change results."""

NEURAL_REPLICAS, NEURAL_BYTES = 30, 2**26
"""Maximum number and bytes of the replicas of a neural algorithm that one thread plays together: enough to hide the
cost of a call, but few enough that all threads get batches and that the data of a round fit into the processor's
cache."""


def play(
    game: Game,
    algorithm: ModuleType,
    settings: Sequence[Setting],
    seeds: Sequence[int],
    *,
    variant: str = "paper",
    horizon: int = 10_000,
    rounds: int | None = None,
    threads: int = 1,
    memory: int = MEMORY,
    device: str = "cpu",
    progress: bool = True,
) -> pd.DataFrame:
    """Play a game of `horizon` rounds with R replicas; replica r has settings[r] and the rounds of seeds[r].

    rounds: stop after this many rounds, although algorithms get the whole horizon; device: the one on which neural
    algorithms compute; progress: show a progress bar if standard error is a terminal. In a game of agents all of them
    act in every round, and regret and reward are averages over agents.

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
    batches = _batches(game, algorithm, horizon, settings, seeds, variant, memory, device)
    total = int(checkpoints[-1]) * len(seeds)
    hidden = None if progress else True  # None: hidden unless standard error is a terminal
    with tqdm(total=total, unit=" rounds", unit_scale=True, desc=algorithm.TITLE, disable=hidden) as bar:

        def play_batch(batch: np.ndarray) -> Curves:
            chosen, seeds_of = [settings[r] for r in batch], np.asarray(seeds)[batch]
            state = _start(game, algorithm, horizon, chosen, seeds_of, variant, device)
            together = Batch(seeds_of, checkpoints, threads, bar.update)
            return (
                _neural_harness().play_batched(game, state, together)
                if neural
                else game.play(algorithm, state, together)
            )

        # A compiled policy uses threads itself; batches of neural algorithms are played in parallel.
        with ThreadPoolExecutor(threads if neural else 1) as pool:
            played = list(pool.map(play_batch, batches))
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


def _batches(
    game: Game,
    algorithm: ModuleType,
    horizon: int,
    settings: Sequence[Setting],
    seeds: Sequence[int],
    variant: str,
    memory: int,
    device: str,
) -> list[np.ndarray]:
    """Return the replicas to play together: equal in all structural options, and as many as fit into memory."""
    structural = [option.name for option in algorithm.OPTIONS if option.structural]
    groups: dict[tuple[object, ...], list[int]] = {}
    for replica, setting in enumerate(settings):
        groups.setdefault(tuple(setting[name] for name in structural), []).append(replica)
    batches = []
    for members in groups.values():
        one = _start(game, algorithm, horizon, [settings[members[0]]], [seeds[members[0]]], variant, device)
        needed = max(replica_bytes(one if isinstance(one, tuple) else one.tensors), 1)
        size = max(1, memory // needed)
        if hasattr(algorithm, "Policy") and device == "cpu":
            size = min(size, NEURAL_REPLICAS, max(1, NEURAL_BYTES // needed))
        batches += [np.array(members[first : first + size]) for first in range(0, len(members), size)]
    return batches


def _start(
    game: Game,
    algorithm: ModuleType,
    horizon: int,
    settings: Sequence[Setting],
    seeds: Sequence[int] | np.ndarray,
    variant: str,
    device: str,
) -> Any:
    """Return the state of the replicas before the first round."""
    random = streams.words(np.asarray(seeds), "policy")
    released = variant == "released"
    if not hasattr(algorithm, "Policy"):
        problem = game.problem(algorithm, horizon, np.asarray(seeds))
        return start_replicas(algorithm, problem, settings, released, random)
    if not game.neural:
        raise InputError(
            f"{algorithm.TITLE} is written for games that serve one user per round, which {game.facts['name']} is not: "
            "leave it out."
        )
    return _neural_harness().start(game, algorithm, horizon, contract.stack(list(settings)), released, random, device)


def _neural_harness() -> ModuleType:
    """Import the harness of neural algorithms by name, so that no other play depends on its sources."""
    return importlib.import_module(NEURAL_HARNESS)


def tune_and_play(
    game: Game,
    algorithm: ModuleType,
    grid: Sequence[Setting],
    *,
    seeds: Sequence[int],
    tuning_seeds: Sequence[int],
    tuning: str = "tuning-seeds",
    tuning_rounds: int | None = None,
    **how: object,
) -> tuple[pd.DataFrame, Setting, dict[str, float]]:
    """Choose the grid point by the rule `tuning` and play the evaluation seeds.

    tuning_rounds: play the tuning seeds for this many rounds only, and choose by the regret after them; how: further
    arguments of `play`. A grid of one point needs no tuning and plays the evaluation seeds only.

    Returns the run table, the chosen grid point, and the seconds of each stage. Raises InputError if the regret is NaN
    at every grid point.
    """
    pick(tuning, TUNING, "tuning rule")
    on_reported = tuning == "best-of-grid"
    rounds = None if on_reported else tuning_rounds
    trial_seeds = seeds if on_reported else tuning_seeds
    tables, seconds = [], {}
    chosen = grid[0]
    began = time.perf_counter()
    if len(grid) > 1:
        stage = "evaluation" if on_reported else "tuning"
        settings = [setting for setting in grid for _ in trial_seeds]
        trial = play(game, algorithm, settings, list(trial_seeds) * len(grid), rounds=rounds, **how)  # type: ignore[arg-type]
        last = trial[trial["round"] == trial["round"].max()]
        mean = last.groupby("options", sort=False)["regret"].apply(lambda regret: regret.mean(skipna=False))
        if mean.isna().all():
            raise InputError(f"{algorithm.TITLE} {game.nan_reason} with every option of its grid: {game.nan_remedy}.")
        chosen = next(setting for setting in grid if describe(setting) == mean.idxmin())
        tables.append(trial.assign(stage=stage))
        seconds[stage] = time.perf_counter() - began
    if len(grid) == 1 or not on_reported:
        began = time.perf_counter()
        table = play(game, algorithm, [chosen] * len(seeds), seeds, **how)  # type: ignore[arg-type]
        tables.append(table.assign(stage="evaluation"))
        seconds["evaluation"] = time.perf_counter() - began
    run = pd.concat(tables, ignore_index=True)
    run["chosen"] = run["options"] == describe(chosen)
    return run, chosen, seconds


def report_divergence(table: pd.DataFrame, title: str, fate: str = "diverged") -> list[str]:
    """Return one line for each replica whose totals are NaN, and write the lines to standard error.

    fate: what happened to these replicas, the `nan_reason` of the game.
    """
    lost = table[table["regret"].isna()].drop_duplicates(["stage", "options", "seed"])
    lines = [
        f"{row['stage']}, seed {row['seed']}, {row['options']}: before round {row['round']}"
        for row in lost.to_dict("records")
    ]
    for line in lines:
        sys.stderr.write(f"{title} {fate} in {line}\n")
    return lines


def run(
    environment: Path, spec: PlaySpec, out: Path, *, threads: int = 1, memory: int = MEMORY, device: str = "cpu"
) -> str:
    """Play the frozen game in the file `environment` as `spec` says and write the run table to `out`.

    Returns a summary of the play in one line.
    """
    algorithm, game = catalogue.load(spec.algorithm), load_game(environment)
    name = game.facts["name"]
    if spec.game not in ("", name):
        raise InputError(f"{environment} holds the game {name!r}, but {spec.game!r} is to be played: name its file.")
    grid = contract.known_to(spec.protocol, algorithm, spec.grid)
    points = expand_grid(algorithm, grid, f"{spec.algorithm} on {environment.name}")
    spec = replace(spec, game=name, title=spec.title or algorithm.TITLE, grid=grid)
    settings = {**spec.stored(), "reference": algorithm.REFERENCE, "released": algorithm.RELEASED}
    provenance = Provenance(settings, (environment,))
    # Play a few rounds, including the first training, so that everything is compiled before time is measured.
    how: dict[str, Any] = {"variant": spec.protocol, "horizon": spec.horizon, "device": device}
    play(game, algorithm, points[:1], spec.seeds[:1], **how, rounds=min(10, spec.horizon), progress=False)
    table, chosen, seconds = tune_and_play(
        game,
        algorithm,
        points,
        seeds=spec.seeds,
        tuning_seeds=spec.tuning_seeds,
        tuning=spec.tuning,
        tuning_rounds=spec.tuning_rounds,
        threads=threads,
        memory=memory,
        **how,
    )
    diverged = report_divergence(table, algorithm.TITLE, game.nan_reason)
    last = table.groupby(["stage", "options", "seed"])["round"].max()
    table.insert(0, "algorithm", spec.algorithm)
    table.insert(1, "variant", spec.protocol)
    facts = {
        "chosen": describe(chosen),
        "replicas": len(last),
        "diverged": diverged,
        "sources": digest(algorithm.__name__),
    }
    if game.fit_columns and set(game.fit_columns) <= set(table):
        reported = table[(table["stage"] == "evaluation") & table["chosen"] & (table["round"] == spec.horizon)]
        facts["fits"] = {name: int(reported[name].sum()) for name in game.fit_columns}
    costs = {
        "device": device if hasattr(algorithm, "Policy") else "cpu",
        "threads": threads,
        "play_seconds": round(sum(seconds.values()), 3),
        "rounds_per_second": round(int(last.sum()) / sum(seconds.values())),
        "stages": {
            stage: {"replicas": len(last[stage]), "rounds": int(last[stage].max()), "seconds": round(spent, 3)}
            for stage, spent in seconds.items()
        },
    }
    save_run(out, table, {**settings, "environment": game.facts}, facts)
    provenance.save(out, costs=costs)
    return summary_line(spec.title, table, points, chosen, game.nan_reason, out)
