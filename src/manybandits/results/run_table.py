"""The run table: what `manybandits.harness.play` writes and the evidence floors read, one row a (replica, checkpoint).

=========  ==========================================================================
algorithm  name of the algorithm's file
variant    ``paper`` or ``released``
stage      ``tuning`` or ``evaluation``
options    the grid point, for example ``alpha=0.1 lambda=1``
chosen     whether this grid point is the one that is reported
seed       seed of the rounds
round      rounds played so far, t
regret     sum over t rounds of the best expected reward minus the chosen arm's; averaged over agents, where all
           act; over the rounds of the first instance, where a game counts no other; in the replay of a log: rounds
           without a click; in the exploration of a network: the nodes that a greedy explorer who knows the network
           has newly seen, minus those of the algorithm
reward     sum over t rounds of the reward received; averaged likewise
clusters   clusters after t rounds, NaN where the algorithm has none
size       users in the cluster that was played for the user served, mean over the rounds since the last row
purity     share of them that are of the same true group as the user served, likewise; NaN where a game has none
agreement  adjusted Rand index of the clusters and the true ones, NaN where either is missing; 1 = the same
=========  ==========================================================================

It depends on the game, the algorithm, the grid and the seeds only, and so do its facts:

=========  ==========================================================================
settings   what was asked for: algorithm, title, reference, variant, horizon, seeds, tuning, grid; and the facts of
           the game, as ``environment``
chosen     the grid point that is reported
replicas   how many were played, those of tuning included
diverged   which replicas ended in numbers that are not finite
sources    digest of the code that played
fits       of algorithms that count them: regressions, ridge regressions, LASSO descents that were given up
=========  ==========================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manybandits.base.artifacts import save_table

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = (
    *("algorithm", "variant", "stage", "options", "chosen", "seed", "round"),
    *("regret", "reward", "clusters", "size", "purity", "agreement"),
)


def describe(setting: Mapping[str, object]) -> str:
    """Return a setting as one line, for example ``alpha=0.1 lambda=1``."""
    return " ".join(
        f"{name}={value:g}" if isinstance(value, int | float) else f"{name}={value}"
        for name, value in sorted(setting.items())
    )


def save_run(path: Path, table: pd.DataFrame, settings: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
    """Write a run table with all that its readers need. table: has at least `COLUMNS`; others are left out."""
    save_table(path, table[list(COLUMNS)], {"settings": settings, **facts})
