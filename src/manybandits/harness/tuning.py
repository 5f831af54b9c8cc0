"""Choose the point of a grid that is reported, and play it.

Options are tuned on the papers' grids, but not on the runs that are reported: every grid point plays the tuning seeds,
and the point with the lowest mean final regret plays the evaluation seeds. With ``best-of-grid``, which is how the
papers tune, every point plays the evaluation seeds, and the best of them is marked as chosen.

``halving`` gives up the worse half of the points after an eighth, a quarter and a half of the tuning rounds (successive
halving: Jamieson and Talwalkar 2016). It takes half the time, and chooses another point where the best starts slowly.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from types import ModuleType

import pandas as pd

from manybandits.base.exceptions import InputError, pick
from manybandits.environments.kinds.game import Game
from manybandits.harness.arguments import TUNING, Setting
from manybandits.harness.replicas import play_replicas
from manybandits.harness.snapshots import Snapshots
from manybandits.results.run_table import describe

HALVINGS = 3
"""How often ``halving`` gives up the worse half of the grid points that are left."""


def tune_and_play(
    game: Game,
    algorithm: ModuleType,
    grid: Sequence[Setting],
    *,
    seeds: Sequence[int],
    tuning_seeds: Sequence[int],
    tuning: str = "tuning-seeds",
    tuning_rounds: int | None = None,
    horizon: int = 10_000,
    snapshots: Snapshots | None = None,
    **how: object,
) -> tuple[pd.DataFrame, Setting, dict[str, float]]:
    """Choose the grid point by the rule `tuning` and play the evaluation seeds.

    tuning_rounds: play the tuning seeds for this many rounds only, and choose by the regret after them; horizon: rounds
    of the game, which evaluation seeds play, and tuning seeds unless there are `tuning_rounds`; snapshots: with
    which the play goes on after it was stopped; how: further arguments of `play_replicas`. A grid of one point needs no
    tuning and plays the evaluation seeds only.

    Returns the run table, the chosen grid point, and the seconds of each stage. Raises InputError if the regret is NaN
    at every grid point.
    """
    pick(tuning, TUNING, "tuning rule")
    on_reported = tuning == "best-of-grid"
    rounds = None if on_reported else tuning_rounds
    trial_seeds = seeds if on_reported else tuning_seeds
    tables, seconds = [], {}
    chosen = grid[0]
    how = {**how, "horizon": horizon, "snapshots": snapshots}
    if len(grid) > 1:
        stage = "evaluation" if on_reported else "tuning"
        began = time.perf_counter() - (snapshots.begin(stage) if snapshots else 0.0)
        tried = list(grid)
        rungs = rungs_of(rounds or horizon) if tuning == "halving" else [rounds]
        for rung in rungs:
            settings = [setting for setting in tried for _ in trial_seeds]
            # pyrefly: ignore[bad-argument-type]
            trial = play_replicas(game, algorithm, settings, list(trial_seeds) * len(tried), rounds=rung, **how)
            last = trial[trial["round"] == trial["round"].max()]
            mean = last.groupby("options", sort=False)["regret"].apply(lambda regret: regret.mean(skipna=False))
            if mean.isna().all():
                reason = f"{algorithm.TITLE} {game.nan_reason} with every option of its grid"
                raise InputError(f"{reason}: {game.nan_remedy}.")
            ranked = mean.sort_values(kind="stable").index
            left = set(ranked[: -(-len(ranked) // 2)])
            ended = trial if rung == rungs[-1] else trial[~trial["options"].isin(left)]
            tables.append(ended.assign(stage=stage))
            tried = [setting for setting in tried if describe(setting) in left]
        chosen = next(setting for setting in tried if describe(setting) == ranked[0])
        seconds[stage] = time.perf_counter() - began
    if len(grid) == 1 or not on_reported:
        began = time.perf_counter() - (snapshots.begin("evaluation") if snapshots else 0.0)
        # pyrefly: ignore[bad-argument-type]
        table = play_replicas(game, algorithm, [chosen] * len(seeds), seeds, **how)
        tables.append(table.assign(stage="evaluation"))
        seconds["evaluation"] = time.perf_counter() - began
    run = pd.concat(tables, ignore_index=True)
    run["chosen"] = run["options"] == describe(chosen)
    return run, chosen, seconds


def rungs_of(rounds: int) -> list[int]:
    """Return the rounds after which the points that are left are compared, the last of them all `rounds`."""
    return sorted({max(1, rounds >> halving) for halving in range(HALVINGS + 1)})


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
