"""Measures of a run, for figures, tables, claims and notebooks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from manybandits.base.statistics import Statistic, average, sample_deviation, variation
from manybandits.results.runs import Run, seconds_a_run


@dataclass(frozen=True)
class Measure:
    """A measure of a run.

    words: its name in a sentence. of: returns its values for n seeds at every checkpoint, (n, C), or at the end, (n,);
    for all seeds together, (1,). higher: whether larger is better. tolerance: the relative difference from a published
    value up to which both count as equal: it belongs to this kind of number. statistic: what is reported of the seeds.
    over: what is first taken, in every run, of the results at the values of an option; None if it is of one value.
    """

    words: str
    of: Callable[[Run], np.ndarray]
    higher: bool = False
    tolerance: float = 0.05
    statistic: Statistic = average
    over: Statistic | None = None


def final_regret(run: Run) -> np.ndarray:
    """Return the regret after all rounds, (n,); NaN for lost replicas."""
    last: np.ndarray = run.regret[:, -1]
    return last


def mean_final_regret(run: Run) -> float:
    """Return the mean final regret over seeds; infinite if a replica is lost, so that such runs are sorted last."""
    return np.inf if run.lost else float(final_regret(run).mean())


def half_way(run: Run) -> int | None:
    """Return the place of the last checkpoint in the first half of the rounds; None if there is none that early."""
    before = np.flatnonzero(run.rounds <= run.rounds[-1] / 2)
    return int(before[-1]) if len(before) else None


def late_regret(run: Run) -> np.ndarray:
    """Return the regret of the second half of the rounds, (n,); NaN if that of the first half is not known."""
    half = half_way(run)
    return np.full(len(run.regret), np.nan) if half is None else final_regret(run) - run.regret[:, half]


def regret_per_instance(run: Run) -> np.ndarray:
    """Return the final regret divided by the number of instances of the game, (n,)."""
    return final_regret(run) / run.environment["users"]


def recovered(run: Run) -> np.ndarray:
    """Return 1 for every seed that ended with the true clusters, else 0, (n,)."""
    return (run.agreement[:, -1] == 1.0).astype(float)


def share_recovered(run: Run) -> float:
    """Return the share of seeds that ended with the true clusters, NaN if there are no clusters to compare."""
    return float("nan") if np.isnan(run.agreement[:, -1]).any() else float(recovered(run).mean())


MEASURES = {
    "regret": Measure("regret", lambda run: run.regret),
    "regret_per_round": Measure("regret per round", lambda run: run.regret / run.rounds),
    "reward": Measure("reward", lambda run: run.reward, higher=True),
    "reward_per_round": Measure("reward per round", lambda run: run.reward / run.rounds, higher=True),
    "late": Measure("regret of the second half", late_regret),
    "each": Measure("regret per instance", regret_per_instance),
    "recovered": Measure("share of runs with the true clusters", recovered, higher=True),
    "seconds": Measure("seconds of one core per run", lambda run: np.array([seconds_a_run(run)]), tolerance=0.5),
    # Over 20 runs a standard deviation has a standard error of about 16 %, and the difference of two about 23 %.
    "std": Measure("standard deviation of the regret", lambda run: run.regret, False, 0.25, sample_deviation),
    "reward_std": Measure("standard deviation of the reward", lambda run: run.reward, False, 0.25, sample_deviation),
    "across": Measure(
        "standard deviation of the reward per round over values of an option",
        lambda run: run.reward / run.rounds,
        tolerance=0.25,
        over=sample_deviation,
    ),
    "across_relative": Measure(
        "standard deviation over mean of the reward over values of an option",
        lambda run: run.reward,
        tolerance=0.25,
        over=variation,
    ),
    "spread": Measure("standard deviation over mean of the regret", lambda run: run.regret, False, 0.25, variation),
    "clusters": Measure("clusters", lambda run: run.clusters),
    "size": Measure("users in the cluster that is played", lambda run: run.size),
    "purity": Measure("share of the cluster's users that are of the same group", lambda run: run.purity, higher=True),
}
"""Every measure by the name that paper files use. The words are part of verdicts: a change of them changes verdicts."""


def words_of(measure: str) -> str:
    """Return the name of a measure in a sentence; any other name is a column of a measurement."""
    return MEASURES[measure].words if measure in MEASURES else measure.replace("_", " ")
