"""OFUL, as the multi-agent algorithms use it: confidence radius, index and options.

Source: Abbasi-Yadkori, Pal and Szepesvari 2011, *Improved algorithms for linear stochastic bandits*, Theorem 2.

    index    theta' x + radius sqrt(x' V^-1 x),   V = lambda I + sum x x'
    radius   sigma sqrt(d ln((1 + n / lambda) / delta)) + sqrt(lambda) S  after n observations

`region` = ball takes the smallest ball around this ellipsoid, as footnote 1 of the multi-agent paper may be read:

    index    theta' x + radius |x| sqrt(largest eigenvalue of V^-1)

sigma is the scale of the rewards' noise, S a bound on the length of the unknown vector; both are 1 in the multi-agent
paper (section 3), whose experiments tune nothing of OFUL. `width` multiplies the whole radius: 1 is the theory's.

What learns from averages of m rewards may know that their noise is smaller by sqrt(m): sigma / sqrt(m) in place of
sigma. The other term of the radius is about the vector, not about noise, and stays.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import LAMBDA, Option, Options, fields_of
from manybandits.algorithms.linear._optimism import best
from manybandits.compiling.parts import part
from manybandits.numerics.ridge import Ridge, predict, root
from manybandits.numerics.vectors import any_true, dot

WIDTH = Option("width", 1.0, "multiplies OFUL's confidence radius; 1: as in its theory", low=0.0)
DELTA = Option("delta", 0.4, "probability that OFUL's confidence set may miss (section 6.1)", low=1e-12, below=1.0)
NOISE_SCALE = Option("noise_scale", 1.0, "sigma: the noise of rewards that OFUL expects (section 3)", low=0.0)
NORM = Option("norm", 1.0, "S: the bound on the length of the unknown vector (section 3)", low=0.0)
REGION = Option("region", "ellipsoid", "OFUL's confidence set, or the ball around it", words=("ellipsoid", "ball"))
OFUL = (WIDTH, DELTA, LAMBDA, NOISE_SCALE, NORM, REGION)
"""The options of everything that plays OFUL."""


class Oful(NamedTuple):
    """The options of OFUL except for delta and S, which may change from phase to phase."""

    width: float
    noise_scale: float  # sigma
    regularization: float  # lambda
    ball: bool  # region=ball


def new_oful(options: Options) -> Oful:
    """Return the part of an algorithm's options that is OFUL's."""
    return Oful(**fields_of(Oful, options), regularization=options["lambda"], ball=options["region"] == "ball")


@part
def radius(oful: Oful, norm: float, delta: float, dimension: int, count: int, averaged: float) -> float:
    """Return the radius of the confidence set after `count` rewards, each known to average `averaged` rewards."""
    spread = np.sqrt(dimension * np.log((1.0 + count / oful.regularization) / delta) / averaged)
    return oful.width * (oful.noise_scale * spread + np.sqrt(oful.regularization) * norm)


@part(inlined=False)
def widest(ridge: Ridge, learner: int) -> float:
    """Return the largest sqrt(x' V^-1 x) of contexts of length 1."""
    return np.sqrt(np.linalg.eigvalsh(ridge.inverse[learner])[-1])


@part
def optimistic_arm(
    oful: Oful,
    ridge: Ridge,
    learner: int,
    reach: float,
    contexts: np.ndarray,
    shift: np.ndarray,
    random: np.ndarray,
) -> int:
    """Return the arm with the largest index, plus shift' x. contexts: (K, d), shift: (d,)."""
    values, spread = np.empty(len(contexts)), np.empty(len(contexts))
    predict(ridge, learner, contexts, values, spread)
    if oful.ball:
        largest = widest(ridge, learner) ** 2
        for k in range(len(values)):
            spread[k] = largest * dot(contexts[k], contexts[k])
    for k in range(len(values)):
        values[k] += reach * root(spread[k])
    if any_true(shift):
        for k in range(len(values)):
            values[k] += dot(shift, contexts[k])
    return best(values, random)
