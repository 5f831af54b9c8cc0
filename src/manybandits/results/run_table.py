"""The run table, which `manybandits.harness.play` writes: one row per reported replica and checkpoint.

Of tuning it has the last row of each replica, and measures have six digits. Everything else is made of run tables,
which are committed as they were written.

=========  ==========================================================================
algorithm  name of the algorithm's module
variant    the protocol, ``paper`` or ``released``
stage      ``tuning`` or ``evaluation``
options    the grid point, for example ``alpha=0.1 lambda=1``
chosen     whether this grid point is the reported one
seed       seed of the rounds
round      rounds played so far, t
regret     sum over t rounds of the expected reward of the best arm minus that of the chosen arm; averaged over agents
           if all act; over the rounds of the first instance only if the game counts no other; in the replay of a log:
           the rounds without a click; in the exploration of a network: the nodes newly seen by a greedy explorer with
           knowledge of the network, minus those of the algorithm
reward     sum over t rounds of the reward received; averaged likewise
clusters   number of clusters after t rounds, NaN if the algorithm has none
size       users in the cluster that was used for the served user, mean over the rounds since the last row
purity     share of these users that are of the same true group as the served user, likewise; NaN if the game has none
dead       share of the network's hidden units that are zero at all contexts played lately, after the last round; NaN
           before, and without a network
untried    arms that were not tried in t rounds; NaN if an arm is not the same action in all rounds
agreement  adjusted Rand index of the clusters and the true ones, 1 if they are equal; NaN if either is missing
=========  ==========================================================================

The table depends only on the game, the algorithm, the grid and the seeds, and so do its facts:

=========  ==========================================================================
settings   the settings of the play: algorithm, title, reference, variant, horizon, seeds, tuning, grid; and the
           facts of the game, as ``environment``
chosen     the reported grid point
replicas   number of replicas played, including those of tuning
diverged   the replicas whose totals were not finite
sources    digest of the code that played
effective  effective sample size of each reported run at the end, if its rewards are weighted by propensities
fits       if the algorithm counts them: regressions, ridge regressions, LASSO descents that did not converge
=========  ==========================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from manybandits.base.artifacts import save_table

if TYPE_CHECKING:
    import pandas as pd

COLUMNS: tuple[str, ...] = (
    *("algorithm", "variant", "stage", "options", "chosen", "seed", "round"),
    *("regret", "reward", "clusters", "size", "purity", "agreement", "untried", "dead"),
)
BITS = 20
"""The binary digits, after the first, to which measures are stored: see `kept`."""


def describe(setting: Mapping[str, object]) -> str:
    """Return options with their values as one line, for example ``alpha=0.1 lambda=1``."""
    return " ".join(
        f"{name}={value:g}" if isinstance(value, int | float) else f"{name}={value}"
        for name, value in sorted(setting.items())
    )


def save_run(path: Path, table: pd.DataFrame, settings: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
    """Write what is `kept` of a table with its facts. table: has at least `COLUMNS`; other columns are dropped."""
    save_table(path, kept(table[list(COLUMNS)]), {"settings": settings, **facts}, small=True)


def kept(table: pd.DataFrame) -> pd.DataFrame:
    """Return what a run table holds of all rows of a play.

    These are the evaluation rows, the last row of each tuning replica, and all measures to `BITS` binary digits, that
    is, with a relative error below 5e-7: whole numbers up to a million are exact. Nothing changes if it is done twice.
    """
    reported = (table["stage"] == "evaluation").to_numpy()
    if not reported.all():
        last = table.groupby(["stage", "options", "seed"])["round"].transform("max")
        table = table[reported | (table["round"] == last).to_numpy()]
    floats = table.select_dtypes("float64")
    return table.assign(**{str(name): rounded(values.to_numpy()) for name, values in floats.items()})


def rounded(values: np.ndarray) -> np.ndarray:
    """Return numbers, (n,), rounded to `BITS` binary digits if they are float64; NaN and infinity stay."""
    if values.dtype != np.float64:
        return values
    spare = 52 - BITS
    return ((values.copy().view(np.int64) + (1 << (spare - 1))) & -(1 << spare)).view(np.float64)
