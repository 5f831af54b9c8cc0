"""Optimism in the face of uncertainty for linear models: the index, and how ties are broken.

    index = theta' x + alpha sqrt(x' M^-1 x ln(t + 1))          (Gentile et al. 2014, Figure 1, of CLUB)

M-CNB section 6 and Meta-Ban section 7 state no index: all methods have a lambda, at the start, and an alpha, which
adjusts the bound. So methods whose sources give the width a constant of their theorems have CLUB's here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import Options, Problem
from manybandits.base.exceptions import Uncomputable
from manybandits.compiling.parts import part
from manybandits.numerics.draws import below
from manybandits.numerics.ridge import Ridge, new_ridge, predict, root
from manybandits.numerics.vectors import largest

TIE = 1e-9
"""Indices closer than this are a tie, so that rounding errors do not choose an arm."""


class State(NamedTuple):
    """The state of a policy that has ridge regressions and an optimistic index."""

    alpha: float
    models: Ridge
    random: np.ndarray  # (1,) uint64


def optimistic(models: int, problem: Problem, options: Options, random: np.ndarray) -> State:
    """Return the state before the first round of a policy with this number of models."""
    return State(options["alpha"], new_ridge(options["lambda"], models, *problem.contexts), random)


@part
def width_factor(alpha: float, t: int) -> float:
    """Return the factor of sqrt(x' M^-1 x) in round t = 1, 2, ..."""
    return alpha * np.sqrt(np.log(t + 1.0))


@part
def fill_indices(alpha: float, ridge: Ridge, learner: int, t: int, contexts: np.ndarray, values: np.ndarray) -> None:
    """Fill values, (K,), with the indices of the contexts, (K, d), under one learner in round t."""
    spread = np.empty(len(contexts))
    predict(ridge, learner, contexts, values, spread)
    factor = width_factor(alpha, t)
    for k in range(len(values)):
        values[k] += factor * root(spread[k])


@part
def best(values: np.ndarray, random: np.ndarray) -> int:
    """Return the position of the largest of `values`, (K,); ties are broken uniformly from `random`.

    Raises Uncomputable if one of them is NaN.
    """
    top = largest(values)
    tied = 0
    for value in values:
        if value >= top - TIE:
            tied += 1
    ticket = below(random, tied) if tied > 1 else 0
    for arm in range(len(values)):
        if values[arm] >= top - TIE:
            if ticket == 0:
                return arm
            ticket -= 1
    raise Uncomputable
