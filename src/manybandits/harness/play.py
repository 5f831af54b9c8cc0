"""Play one game with one algorithm: all grid points and all seeds at once, into one run table.

Tuning as the papers publish it, without choosing on what is reported: every grid point plays the tuning
seeds, and the point with the lowest mean final regret plays the evaluation seeds. With ``best-of-grid``, the
papers' own way, every point plays the evaluation seeds and the best of them is marked as chosen.

The run table is described in `manybandits.results.run_table`; seconds, rounds per second and memory stand in its
provenance, because they differ from run to run.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
from tqdm import tqdm

from manybandits.algorithms import catalogue, contract
from manybandits.base import seeds as streams
from manybandits.base.artifacts import Provenance, save_table
from manybandits.base.exceptions import InputError, pick
from manybandits.base.sources import digest
from manybandits.compiling.kernels import replica_bytes
from manybandits.environments.game import AgentGame, AnyGame, ExplorationGame, Game, InstanceGame, ReplayGame, load_game
from manybandits.environments.loops import (
    Curves,
    names_blocks,
    play_agents,
    play_exploration,
    play_instances,
    play_replay,
    play_users,
)
from manybandits.harness.compiled import start_replicas
from manybandits.harness.outcome import outcome
from manybandits.harness.settings import BATCHED, TUNING, Setting, expand_grid
from manybandits.numerics.by_reference.block_log import new_log
from manybandits.results.run_table import COLUMNS, describe

CHECKPOINTS = 200
MEMORY = 2**30
"""Bytes that the replicas of one batch may take; larger batches are split, which changes no result."""

FITS = ("fits", "fallbacks", "restless")
"""Columns beside those of a run table, of algorithms that count them: fits, those that had to be ridge regressions, and
LASSO descents that were given up; a sum of each stands in its provenance."""

LOCKSTEP, LOCKSTEP_BYTES = 30, 2**26
"""Replicas of a neural algorithm that one thread plays together, and the bytes that they may take: enough to hide the
cost of a call, few enough that threads have batches to share and that what a round touches stays near the processor."""


def play(
    game: AnyGame,
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

    rounds: stop after so many, though algorithms were told the horizon. In a game of agents a round is one in
    which all of them act, and regret and reward are averages over agents. device: where neural algorithms compute.
    progress: show a progress bar where standard error is a terminal.

    Returns the columns options, seed, round and all that follow them in a run table: one row a replica and checkpoint.
    """
    if isinstance(game, Game | InstanceGame) and game.longest is not None and horizon > game.longest:
        raise InputError(
            f"{game.facts['name']} goes through its data once and has {game.longest:,} rounds: a horizon of "
            f"{horizon:,} is too long."
        )
    checkpoints = checkpoint_rounds(rounds or horizon)
    batches = _batches(game, algorithm, horizon, settings, seeds, variant, memory, device)
    total = int(checkpoints[-1]) * len(seeds)
    hidden = None if progress else True  # None: unless standard error is a terminal
    with tqdm(total=total, unit=" rounds", unit_scale=True, desc=algorithm.TITLE, disable=hidden) as bar:

        def play_batch(batch: np.ndarray) -> Curves:
            chosen, seeds_of = [settings[r] for r in batch], np.asarray(seeds)[batch]
            state = _start(game, algorithm, horizon, chosen, seeds_of, variant, device)
            if isinstance(game, InstanceGame):
                curves = play_instances(game, algorithm, state, seeds_of, checkpoints, threads, bar.update)
                return curves | fits_of(algorithm, state, curves["regret"])
            if isinstance(game, AgentGame):
                return play_agents(game, algorithm, state, seeds_of, checkpoints, threads, bar.update)
            if isinstance(game, ReplayGame):
                return play_replay(game, algorithm, state, seeds_of, checkpoints, threads, bar.update)
            if isinstance(game, ExplorationGame):
                return play_exploration(game, algorithm, state, seeds_of, checkpoints, threads, bar.update)
            if hasattr(algorithm, "Policy"):
                return _batched().play_batched(game, state, seeds_of, checkpoints, bar.update)
            return play_users(game, algorithm, state, seeds_of, checkpoints, threads, bar.update)

        # A compiled policy has threads of its own; batches of the others are played side by side.
        with ThreadPoolExecutor(threads if hasattr(algorithm, "Policy") else 1) as pool:
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


def fits_of(algorithm: ModuleType, state: tuple[np.ndarray, ...], like: np.ndarray) -> Curves:
    """Return what an algorithm counted of its fits, if it does, as columns of the shape of `like`, (R, C)."""
    if not hasattr(algorithm, "count_fits"):
        return {}
    return {
        name: np.broadcast_to(count[:, None], like.shape)
        for name, count in zip(FITS, algorithm.count_fits(state).T, strict=True)
    }


def checkpoint_rounds(horizon: int) -> np.ndarray:
    """Return up to `CHECKPOINTS` evenly spaced rounds, the last of them `horizon`."""
    count = min(CHECKPOINTS, horizon)
    return np.arange(1, count + 1) * horizon // count


def _batches(
    game: AnyGame,
    algorithm: ModuleType,
    horizon: int,
    settings: Sequence[Setting],
    seeds: Sequence[int],
    variant: str,
    memory: int,
    device: str,
) -> list[np.ndarray]:
    """Return which replicas to play together: equal in all structural options, and as many as memory holds."""
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
            size = min(size, LOCKSTEP, max(1, LOCKSTEP_BYTES // needed))
        batches += [np.array(members[first : first + size]) for first in range(0, len(members), size)]
    return batches


def _start(
    game: AnyGame,
    algorithm: ModuleType,
    horizon: int,
    settings: Sequence[Setting],
    seeds: Sequence[int] | np.ndarray,
    variant: str,
    device: str,
) -> Any:
    """Return the state of the replicas before the first round."""
    random = streams.words(np.asarray(seeds), "policy")
    given = settings, variant == "released", random
    if hasattr(algorithm, "Policy") and not isinstance(game, Game):
        raise InputError(
            f"{algorithm.TITLE} is written for games that serve one user a round, which {game.facts['name']} is not: "
            "leave it out."
        )
    if isinstance(game, ReplayGame):
        seen = len(game.arrays["shown"]) if game.learns_from_all else horizon
        problem = contract.Problem(1, game.arms, game.arms, game.dimension, seen)
        return start_replicas(algorithm, problem._replace(mean_reward=game.arrays["click"].mean()), *given)
    if isinstance(game, ExplorationGame):
        problem = contract.Problem(1, 1, game.nodes, game.dimension, horizon, recurring=True)
        return start_replicas(algorithm, problem, *given)
    if isinstance(game, AgentGame):
        unique, stream = np.unique(seeds, return_inverse=True)
        population = game.population(unique)
        truth = contract.Truth(population.cluster[stream], population.theta.mean(axis=1)[stream])
        problem = contract.Problem(game.users, game.items, game.arms, game.dimension, horizon, truth)
        return start_replicas(algorithm, problem, *given)
    if isinstance(game, InstanceGame):
        problem = contract.Problem(game.users, game.items, game.arms, game.dimension, horizon)
        return start_replicas(algorithm, problem, *given)
    problem = contract.Problem(game.users, game.items, game.arms, game.dimension, horizon, blocks=game.blocks)
    if not hasattr(algorithm, "Policy"):
        # One instance in every block: what an algorithm may cluster as items are the blocks.
        items = game.arms if game.blocks > 1 else game.items
        stream = np.unique(seeds, return_inverse=True)[1]
        named = names_blocks(game, algorithm)
        log = new_log(stream, game.arrays["item_table"], game.blocks, horizon) if named else None
        dimension = game.dimension * game.blocks
        return start_replicas(algorithm, problem._replace(items=items, dimension=dimension, blocks=1, log=log), *given)
    return _batched().start(game, algorithm, problem, contract.stack(settings), *given[1:], device)


def _batched() -> ModuleType:
    """Import the harness of neural algorithms by name, so that no other play depends on its sources."""
    return importlib.import_module(BATCHED)


def tune_and_play(
    game: AnyGame,
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

    Returns the run table, the choice, and the seconds that each stage took.
    tuning_rounds: choose by the regret after so many rounds, and play the tuning seeds no longer.
    A grid of one point needs no tuning and plays the evaluation seeds only.
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
            ends = isinstance(game, ReplayGame | ExplorationGame)
            cure = "play fewer rounds" if ends else "give smaller step sizes"
            raise InputError(f"{algorithm.TITLE} {how_lost(game)} with every option of its grid: {cure}.")
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


def how_lost(game: AnyGame) -> str:
    """Say what befell a replica whose totals are no numbers."""
    if isinstance(game, ExplorationGame):
        return "queried all that is in reach"
    return "came to the end of the log" if isinstance(game, ReplayGame) else "diverged"


def report_divergence(table: pd.DataFrame, title: str, fate: str = "diverged") -> list[str]:
    """Return, and write to the log, which replicas have totals that are no numbers, and how it came."""
    lost = table[table["regret"].isna()].drop_duplicates(["stage", "options", "seed"])
    lines = [
        f"{row['stage']}, seed {row['seed']}, {row['options']}: before round {row['round']}"
        for row in lost.to_dict("records")
    ]
    for line in lines:
        sys.stderr.write(f"{title} {fate} in {line}\n")
    return lines


def run(
    environment: Path,
    name: str,
    out: Path,
    *,
    grid: Mapping[str, Sequence[object]],
    seeds: Sequence[int],
    tuning_seeds: Sequence[int],
    tuning: str = "tuning-seeds",
    tuning_rounds: int | None = None,
    title: str | None = None,
    variant: str = "paper",
    horizon: int = 10_000,
    threads: int = 1,
    memory: int = MEMORY,
    device: str = "cpu",
) -> str:
    """Play the frozen game `environment` with the algorithm called `name` and write the run table to `out`.

    Returns one line for people: what the play came to, and where its run table is.

    title: how figures and tables name the run, if not as the algorithm.
    """
    algorithm = catalogue.load(name)
    pick(variant, contract.VARIANTS, "variant")
    if set(seeds) & set(tuning_seeds) and len(seeds) and tuning == "tuning-seeds":
        raise InputError(f"seeds {sorted(set(seeds) & set(tuning_seeds))} are tuned on and reported: keep them apart.")
    if tuning_rounds is not None and not 1 <= tuning_rounds <= horizon:
        raise InputError(f"tuning on the first {tuning_rounds} rounds of {horizon}: give from 1 to {horizon}.")
    if horizon < 1 or len(seeds) == 0:
        raise InputError(f"{len(seeds)} seeds over {horizon} rounds: give at least one seed and one round.")
    grid = contract.known_to(variant, algorithm, grid)
    points = expand_grid(algorithm, grid, f"{name} on {environment.name}")
    settings = {
        "algorithm": name,
        "title": title or algorithm.TITLE,
        "reference": algorithm.REFERENCE,
        "variant": variant,
        "released": algorithm.RELEASED,
        "horizon": horizon,
        "seeds": list(seeds),
        "tuning_seeds": list(tuning_seeds),
        "tuning": tuning,
        "tuning_rounds": tuning_rounds,
        "grid": {option: list(values) for option, values in grid.items()},
    }
    game = load_game(environment)
    provenance = Provenance({**settings, "environment": game.facts}, (environment,))
    # A few rounds, the first training among them, so that all is compiled before the clock starts.
    first, warm = (game, algorithm, points[:1], seeds[:1]), min(10, horizon)
    play(*first, variant=variant, horizon=horizon, rounds=warm, device=device, progress=False)
    table, chosen, seconds = tune_and_play(
        game,
        algorithm,
        points,
        seeds=seeds,
        tuning_seeds=tuning_seeds,
        tuning=tuning,
        tuning_rounds=tuning_rounds,
        variant=variant,
        horizon=horizon,
        threads=threads,
        memory=memory,
        device=device,
    )
    fate = how_lost(game)
    diverged = report_divergence(table, algorithm.TITLE, fate)
    last = table.groupby(["stage", "options", "seed"])["round"].max()
    table.insert(0, "algorithm", name)
    table.insert(1, "variant", variant)
    save_table(out, table[list(COLUMNS)])
    facts = {
        "chosen": describe(chosen),
        "replicas": len(last),
        "diverged": diverged,
        "sources": digest(algorithm.__name__),
    }
    if set(FITS) <= set(table):
        reported = table[(table["stage"] == "evaluation") & table["chosen"] & (table["round"] == horizon)]
        facts["fits"] = {name: int(reported[name].sum()) for name in FITS}
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
    provenance.save(out, facts, costs)
    return outcome(title or algorithm.TITLE, table, points, chosen, fate, out)
