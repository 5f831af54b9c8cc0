"""What the bandits of this family share: sums over the observations of each arm, forced samples, and screening.

Bastani and Bayati 2020, *Online decision making with high-dimensional covariates*, Algorithm 1, and before it
Goldenshluger and Zeevi 2013, *A linear response bandit problem*: every arm has two estimates. Arms whose forced-sample
estimate is within h / 2 of the best are kept; of these, the arm with the best all-sample estimate is played.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from manybandits.algorithms.contract import Option
from manybandits.algorithms.linear._optimism import best
from manybandits.compiling.parts import part
from manybandits.numerics.vectors import dot, fill, filled, largest

FORCED = Option("q", 1, "how often each arm is played in a run of forced samples", low=1)
H = Option("h", 5.0, "arms within h / 2 of the best forced-sample estimate are kept", low=0.0)


class Sums(NamedTuple):
    """Sums over the observations of every arm at every instance."""

    gram: np.ndarray  # (N, K, d, d): of x x'
    moment: np.ndarray  # (N, K, d): of r x
    count: np.ndarray  # (N, K)


def new_sums(instances: int, arms: int, dimension: int) -> Sums:
    """Return the sums over no observations."""
    shape = instances, arms, dimension
    return Sums(np.zeros((*shape, dimension)), np.zeros(shape), np.zeros(shape[:2], np.int64))


@part
def add(sums: Sums, instance: int, arm: int, context: np.ndarray, reward: float) -> None:
    """Add an observation. context: (d,)."""
    gram, moment = sums.gram[instance, arm], sums.moment[instance, arm]
    for i in range(len(context)):
        weight = context[i]
        moment[i] += reward * weight
        for j in range(len(context)):
            gram[i, j] += weight * context[j]
    sums.count[instance, arm] += 1


@part
def forget(sums: Sums) -> None:
    """Set all sums to zero."""
    instances, arms, dimension = sums.moment.shape
    for j in range(instances):
        for k in range(arms):
            sums.count[j, k] = 0
            fill(sums.moment[j, k], 0.0)
            for i in range(dimension):
                fill(sums.gram[j, k, i], 0.0)


@part
def forced_arm(arrival: int, q: int, arms: int) -> int:
    """Return the position of the arm that is forced at an arrival, or -1. arrival: 1, 2, ... at its instance.

    The arrivals (2^n - 1) K q + 1, ..., 2^n K q for n = 0, 1, ... are forced, each arm q times in a row.
    """
    run, place = divmod(arrival - 1, arms * q)
    return place // q if run & (run + 1) == 0 else -1


@part
def worth_comparing(forced: np.ndarray, h: float, items: np.ndarray, contexts: np.ndarray) -> np.ndarray:
    """Return which arms have forced-sample estimates within h / 2 of the best, (K,) bool.

    forced: (items, d), of one instance; contexts: (K, d).
    """
    values = np.empty(len(items))
    for k in range(len(items)):
        values[k] = dot(forced[items[k]], contexts[k])
    kept, least = np.empty(len(items), np.bool_), largest(values) - h / 2
    for k in range(len(items)):
        kept[k] = values[k] >= least
    return kept


@part
def prefer(kept: np.ndarray, estimates: np.ndarray, items: np.ndarray, contexts: np.ndarray, random: np.ndarray) -> int:
    """Return the position of the arm with the best estimate among those that are kept; ties are broken at random.

    kept: (K,) bool; estimates: (items, d), of one instance; contexts: (K, d).
    """
    values = filled(len(items), -np.inf)
    for k in range(len(items)):
        if kept[k]:
            values[k] = dot(estimates[items[k]], contexts[k])
    return best(values, random)


def new_fits() -> np.ndarray:
    """Return the counters of `count_fits`, (6,)."""
    return np.zeros(6, np.int64)


def count_fits(states: Any) -> np.ndarray:
    """Return the counts of R replicas, (R, 6).

    They are the numbers of fits, of fits that had to be ridge regressions, of LASSOs that did not converge, of trimmed
    means that cut one value at each end although omega N is below 1, of trimmed means that could cut none, and of
    batches whose trimming path was above what can be cut.
    states: of R replicas.
    """
    fits: np.ndarray = states.fits
    return fits
