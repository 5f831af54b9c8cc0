"""Choose the point of a grid that is reported, and play it.

Options are tuned on the papers' grids, but not on the runs that are reported: every grid point plays the tuning seeds,
and the point with the lowest mean final regret plays the evaluation seeds. With ``best-of-grid``, which is how the
papers tune, every point plays the evaluation seeds, and the best of them is marked as chosen.
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


def tune_and_play(
    game: Game,
    algorithm: ModuleType,
    grid: Sequence[Setting],
    *,
    seeds: Sequence[int],
    tuning_seeds: Sequence[int],
    tuning: str = "tuning-seeds",
    tuning_rounds: int | None = None,
    snapshots: Snapshots | None = None,
    **how: object,
) -> tuple[pd.DataFrame, Setting, dict[str, float]]:
    """Choose the grid point by the rule `tuning` and play the evaluation seeds.

    tuning_rounds: play the tuning seeds for this many rounds only, and choose by the regret after them; snapshots: with
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
    how = {**how, "snapshots": snapshots}
    if len(grid) > 1:
        stage = "evaluation" if on_reported else "tuning"
        began = time.perf_counter() - (snapshots.begin(stage) if snapshots else 0.0)
        settings = [setting for setting in grid for _ in trial_seeds]
        trial = play_replicas(game, algorithm, settings, list(trial_seeds) * len(grid), rounds=rounds, **how)  # type: ignore[arg-type]
        last = trial[trial["round"] == trial["round"].max()]
        mean = last.groupby("options", sort=False)["regret"].apply(lambda regret: regret.mean(skipna=False))
        if mean.isna().all():
            raise InputError(f"{algorithm.TITLE} {game.nan_reason} with every option of its grid: {game.nan_remedy}.")
        chosen = next(setting for setting in grid if describe(setting) == mean.idxmin())
        tables.append(trial.assign(stage=stage))
        seconds[stage] = time.perf_counter() - began
    if len(grid) == 1 or not on_reported:
        began = time.perf_counter() - (snapshots.begin("evaluation") if snapshots else 0.0)
        table = play_replicas(game, algorithm, [chosen] * len(seeds), seeds, **how)  # type: ignore[arg-type]
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
