"""Whether batch 0 of RMBandit has the forced samples of its theorems, in a game of instances.

Source: Xu and Bastani 2021, appendices C.1 and D.1. B_0 = q log T; N instances, d dimensions, K arms, p_j the
probability of an arrival at instance j. q is the largest of several terms, most of which divide by the square of the
unknown gap h. Those without h, with the largest p_* = psi = x_max = 1, and with C = 1/2, are a bound from below:

    Theorem 2, Corollaries 3 and 4   q >= 96 K d log(d N) / min_j p_j,   q >= 60 K log(N) / min_j p_j           (C.1)
    Theorem 3                        q >= 96 K d log(d) / p_l,   q >= 48 K log(d) / p_j,   q >= 20 K / p_j      (D.1)

The facts that games are frozen with lack this condition. It is added where claims are judged, so that no game is made
anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from manybandits.environments.instances import probabilities

POOR = "rmbandit_theorem3"
"""The theorem on a data-poor instance, which is the first, and learns from one other."""


def forced_samples(settings: Mapping[str, Any], theorem: str, horizon: int) -> float:
    """Return the least B_0 with which a theorem can hold. settings: those of `manybandits.environments.instances`."""
    arms, dimension, instances = settings["arms"], settings["dimension"], settings["instances"]
    probability = probabilities(settings["arrivals"], instances, dimension)
    least, most = float(probability.min()), float(probability.max())
    if theorem == POOR:
        terms = [96 * dimension * np.log(dimension) / most, 48 * np.log(dimension) / least, 20 / least]
    else:
        terms = [96 * dimension * np.log(dimension * instances) / least, 60 * np.log(instances) / least]
    return float(arms * max(terms) * np.log(horizon))


def too_few(settings: Mapping[str, Any], theorem: str, horizon: int) -> str:
    """Return why a run of so many rounds is too short for the forced samples of a theorem; "" if it is not."""
    samples = forced_samples(settings, theorem, horizon)
    if samples < horizon:
        return ""
    appendix = "D.1" if theorem == POOR else "C.1"
    return (
        f"it asks for at least {samples:,.0f} forced samples (appendix {appendix}), and {horizon:,} rounds were played"
    )
