"""What can be measured of a run, and samples of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from manybandits.base.statistics import deviation
from manybandits.results.runs import Run, seconds_a_run
from manybandits.results.sweeps import RESULTS


@dataclass(frozen=True)
class Measure:
    """What can be measured of a run: one number a seed, or one of all seeds together."""

    words: str
    of: Callable[[Run], np.ndarray]  # (n, C) at every checkpoint, or (n,) or (1,) at the end
    higher: bool = False  # whether more is better
    tolerance: float = 0.05


MEASURES = {
    "regret": Measure("regret", lambda run: run.regret),
    "regret_per_round": Measure("regret a round", lambda run: run.regret / run.rounds),
    "reward": Measure("reward", lambda run: run.reward, higher=True),
    "reward_per_round": Measure("reward a round", lambda run: run.reward / run.rounds, higher=True),
    "late": Measure("regret of the second half", RESULTS["late"][1]),
    "each": Measure("regret an instance", RESULTS["each"][1]),
    "recovered": Measure("share of runs with the true clusters", RESULTS["recovered"][1], higher=True),
    "seconds": Measure("seconds of one core a run", lambda run: np.array([seconds_a_run(run)]), tolerance=0.5),
    # Of 20 runs a standard deviation is known to some 16 %, so two such numbers differ by 23 % by chance.
    "std": Measure("standard deviation of the regret", lambda run: deviation(run.regret)[None], tolerance=0.25),
    "reward_std": Measure("standard deviation of the reward", lambda run: deviation(run.reward)[None], tolerance=0.25),
    "across": Measure(
        "standard deviation of the reward a round over values of an option",
        lambda run: run.reward / run.rounds,
        tolerance=0.25,
    ),
    "spread": Measure(
        "standard deviation over mean of the regret",
        lambda run: (deviation(run.regret) / run.regret.mean(axis=0))[None],
        tolerance=0.25,
    ),
}


class Untestable(Exception):
    """A claim cannot be judged on what there is; the message says why."""


@dataclass(frozen=True)
class Sample:
    """A measure of one run on one game. values: (n,), of the seeds, or one number of all if there are none."""

    name: str
    game: str
    values: np.ndarray
    seeds: tuple[int, ...] = ()

    def paired(self, other: Sample) -> tuple[np.ndarray, np.ndarray]:
        """Return the values of both on their common seeds; Untestable where there are none."""
        if not self.seeds or not other.seeds:
            return self.values[:1], other.values[:1]
        common = sorted(set(self.seeds) & set(other.seeds))
        if not common:
            raise Untestable(f"{self.name} and {other.name} have no seed in common")
        first, second = (dict(zip(one.seeds, one.values, strict=True)) for one in (self, other))
        return np.array([first[seed] for seed in common]), np.array([second[seed] for seed in common])
