"""OFUL, as the multi-agent algorithms use it: confidence radius, index and options.

Source: Abbasi-Yadkori, Pal and Szepesvari 2011, *Improved algorithms for linear stochastic bandits*, Theorem 2.

    index    theta' x + radius sqrt(x' V^-1 x),   V = lambda I + sum x x'
    radius   width sqrt(d ln((1 + n / lambda) / delta)) after n observations

The multi-agent paper states no scale of the radius, so `width` is tuned, like CLUB's alpha.
"""

from __future__ import annotations

import numpy as np

from manybandits.algorithms.contract import Option
from manybandits.algorithms.linear._optimism import best
from manybandits.compiling.parts import part
from manybandits.numerics.ridge import Ridge, predict
from manybandits.numerics.vectors import any_true, dot

WIDTH = Option("width", 0.1, "scale of OFUL's confidence radius", low=0.0)
DELTA = Option("delta", 0.4, "probability that OFUL's confidence set may miss (section 6.1)", low=1e-12, below=1.0)


@part
def radius(width: float, delta: float, regularization: float, dimension: int, count: int) -> float:
    """Return the radius of the confidence set after `count` observations."""
    return width * np.sqrt(dimension * np.log((1.0 + count / regularization) / delta))


@part
def optimistic_arm(
    ridge: Ridge, learner: int, reach: float, contexts: np.ndarray, shift: np.ndarray, random: np.ndarray
) -> int:
    """Return the arm with the largest (theta + shift)' x + reach sqrt(x' V^-1 x). contexts: (K, d), shift: (d,)."""
    values, spread = np.empty(len(contexts)), np.empty(len(contexts))
    predict(ridge, learner, contexts, values, spread)
    for k in range(len(values)):
        values[k] += reach * np.sqrt(spread[k])
    if any_true(shift):
        for k in range(len(values)):
            values[k] += dot(shift, contexts[k])
    return best(values, random)
