"""Nearest-neighbour scores of an arm. A bound, or the variance of its rewards, sets the number of neighbours."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import Option, Options, Problem
from manybandits.compiling.parts import part
from manybandits.numerics.neighbours import Neighbours, nearest, new_neighbours, variance
from manybandits.numerics.vectors import total

MOST = Option("most", 5, "largest number of neighbours (LNUCB-TA, Appendix B)", low=1)
PHI = Option("phi", 0.0, "how much the reward may change per unit of distance between contexts", low=0.0)
RHO = Option("rho", 1.0, "exploration: multiplies ln t (theta in Reeve et al.)", low=0.0)
LOW = Option("theta_min", 1, "neighbours of an arm whose rewards do not vary", low=1)
HIGH = Option("theta_max", 5, "neighbours of an arm whose rewards have variance 1", low=1)
ROUNDING = Option("rounding", "nearest", "rounding of the number of neighbours", words=("nearest", "floor"))
WEIGHTS = Option("weights", "uniform", "weights of the neighbours' rewards", words=("uniform", "distance"))
MEAN = Option(
    "mean",
    "arms",
    "g: the mean of the arms' means (equation 101), of all rewards seen, or of the whole table",
    words=("arms", "seen", "table"),
)
TARGET = Option(
    "target",
    "residual",
    "what ridge regression fits: rewards minus their neighbours' score (equation 18), or rewards",
    words=("residual", "reward"),
)
TIES = Option("ties", "latest", "which of equally near observations come first", words=("latest", "earliest"))
ADAPTED = (LOW, HIGH, ROUNDING, WEIGHTS, TIES)
GAMMA = Option("gamma", 1.0, "how fast the attention to an arm falls with its pulls (not stated)", low=0.0)

SLACK = 1e-9
"""A variance that makes k a whole number, such as 2 / 9, may be rounded to a number just beside it."""


class Adapted(NamedTuple):
    """The observations of K arms, and which of the nearest count: see `score`."""

    theta_min: int
    theta_max: int
    round_down: bool
    distance_weighted: bool
    seen: Neighbours


def new_adapted(problem: Problem, options: Options) -> Adapted:
    """Return arms without observations. options: `ADAPTED`."""
    return Adapted(
        options["theta_min"],
        options["theta_max"],
        round_down=options["rounding"] == "floor",
        distance_weighted=options["weights"] == "distance",
        seen=new_neighbours(*problem.memory, earliest=options["ties"] == "earliest"),
    )


@part
def bounded(
    seen: Neighbours, arm: int, x: np.ndarray, most: int, rho: float, phi: float, t: int
) -> tuple[float, float, int]:
    """Return the mean of the k nearest rewards of an arm, phi times the distance of the k-th, and k.

    k is at most `most` and minimises sqrt(rho ln t / k) + phi times the distance (Reeve et al. 2018, Algorithm 1), so
    it is `most` for phi = 0; it is 0 if the arm has no observation.
    """
    distances, rewards = np.empty(most), np.empty(most)
    found = nearest(seen, arm, x, distances, rewards)
    mean, reach, chosen, lowest, total = 0.0, 0.0, 0, np.inf, 0.0
    level = rho * np.log(t)
    for k in range(1, found + 1):
        total += rewards[k - 1]
        doubt = np.sqrt(level / k) + phi * distances[k - 1]
        if doubt < lowest:
            lowest, mean, reach, chosen = doubt, total / k, phi * distances[k - 1], k
    return mean, reach, chosen


@part
def score(near: Adapted, arm: int, x: np.ndarray) -> float:
    """Return f_a, the mean of the k nearest rewards of an arm, 0 if it has fewer (LNUCB-TA, Algorithm 2, lines 4 to 7).

    k = theta_min + (theta_max - theta_min) variance of the arm's rewards, rounded; "fewer" is meant before rounding
    (line 6). distance_weighted: weigh a reward by 1 / distance, and use only those at distance 0 if there are any.
    """
    wanted = near.theta_min + (near.theta_max - near.theta_min) * variance(near.seen, arm)
    if near.seen.count[arm] < wanted - SLACK:
        return 0.0
    k = int(np.floor(wanted + (SLACK if near.round_down else 0.5 + SLACK)))
    distances, rewards = np.empty(k), np.empty(k)
    nearest(near.seen, arm, x, distances, rewards)
    total = weight = 0.0
    for j in range(k):
        share = 1.0
        if near.distance_weighted:
            share = (1.0 if distances[j] == 0.0 else 0.0) if distances[0] == 0.0 else 1.0 / distances[j]
        total += share * rewards[j]
        weight += share
    return total / weight


@part
def attention(seen: Neighbours, arms: np.ndarray, gamma: float) -> np.ndarray:
    """Return the attention weights, (K,), of the arms that are offered, (K,): how much each is explored.

    They are the softmax of -gamma N_a (LNUCB-TA, equation 116).
    """
    fewest = seen.count[arms[0]]
    for arm in arms:
        fewest = min(fewest, seen.count[arm])
    scores = np.empty(len(arms))
    for k in range(len(arms)):
        scores[k] = np.exp(-gamma * (seen.count[arms[k]] - fewest))
    everything = total(scores)
    for k in range(len(arms)):
        scores[k] /= everything
    return scores
