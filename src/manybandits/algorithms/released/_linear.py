"""What the public linear algorithms share: the index of CLUB, SCLUB and LOCB, how clusters learn, and ties.

    index = theta' x + beta(N, t) x' S^-1 x,    beta(N, t) = 1 + sqrt(d ln(1 + N / d) + 4 ln t + ln 2)

There is no root over x' S^-1 x. Their t counts from 0: in the first round ln 0 makes all indices NaN, and arm 0 is
played.
"""

from __future__ import annotations

import numpy as np

from manybandits.algorithms.contract import Problem
from manybandits.algorithms.linear._optimism import TIE
from manybandits.base.exceptions import InputError, Uncomputable
from manybandits.compiling.parts import part
from manybandits.numerics import ridge
from manybandits.numerics.ridge import Ridge, accumulate, predict, refresh
from manybandits.numerics.sparse_blocks.block_log import LONGEST
from manybandits.numerics.vectors import largest


@part
def best_arm(models: Ridge, learner: int, count: int, t: int, contexts: np.ndarray, values: np.ndarray) -> int:
    """Fill values, (K,), with the indices of contexts, (K, d), in round t = 1, 2, ..., and return the best arm.

    count: N, the observations of the cluster that `learner` is the model of.
    """
    dimension = contexts.shape[1]
    spread = np.empty(len(contexts))
    predict(models, learner, contexts, values, spread)
    check_spread(spread)
    beta = 1.0 + np.sqrt(dimension * np.log(1.0 + count / dimension) + 4.0 * np.log(t - 1.0) + np.log(2.0))
    for k in range(len(values)):
        values[k] += beta * spread[k]
    return first_best(values)


@part
def check_spread(spread: np.ndarray) -> None:
    """Raise Uncomputable if one of x' M^-1 x, (K,), is negative or NaN."""
    for k in range(len(spread)):
        if not spread[k] >= 0.0:
            raise Uncomputable


@part
def first_best(values: np.ndarray) -> int:
    """Return the first of the largest of values, (K,); 0 if there is NaN among them, as in the first round.

    Values closer than `TIE` are equal, so that rounding errors do not decide between equal contexts.
    """
    top = largest(values)
    for arm in range(len(values)):
        if values[arm] >= top - TIE:
            return arm
    return 0


@part
def observe(models: Ridge, learner: int, stale: np.ndarray, x: np.ndarray, reward: float) -> None:
    """Add an observation at x, (d,), to the model of a cluster; compute it anew if users left or joined before.

    stale: (n,) bool, of every learner, whether its inverse and its estimate wait for an observation.
    """
    if stale[learner]:
        accumulate(models, learner, x, reward)
        refresh(models, learner)
        stale[learner] = False
    else:
        ridge.observe(models, learner, x, reward)


def check_written_out(problem: Problem, title: str) -> None:
    """Raise InputError if contexts are references, which the public code does not know."""
    if problem.log is not None:
        raise InputError(
            f"{title} plays contexts that are written out, and block contexts of more than {LONGEST} numbers are not: "
            "give it a game with fewer features or arms."
        )
