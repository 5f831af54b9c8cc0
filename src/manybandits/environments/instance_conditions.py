"""The horizons at which the conditions of the RMBandit paper's theorems hold in a game, but for those on q.

Source: Xu and Bastani 2021. N instances, d dimensions, s components in which one differs, p_j the probability of an
arrival at instance j, T rounds in all. Omega(.) is taken with the constant 1.

    Theorem 2     p_j = Theta(1 / N); d > 4 s; d and N >= log(d N T); and for the trimming path to stay below 1/2,
                  N (1/2 - c - sqrt(s / d))^2 / 9 >= log(d T / 2)                             (inequality 29)
    Corollary 4   the same for the neighbourhood: N is its size, and s = min(N^alpha, d)
    Theorem 3     p_l / p_j = d^2; d > 4 s; d >= log(d N T p_j). Nothing on N: appendix D.1 learns from one neighbour

rho is 1, as every arm is the best one for some contexts at every instance. Not checked here: q, the number of forced
samples of appendices C.1 and D.1, divided by log T. No game that is played meets it: one of its parts, with p_* and psi
at most 1 and x_max 1, is 96 K d log(d N) / min_j p_j in C.1, and 48 K log(d) / p_j in D.1, and that many times log T is
more than T. So claims about these theorems are outside of their conditions (`outside` in the paper's claims). Nor is
the constraint on T at the end of appendix C.7, T = O(e^(1 / (d log d))), which as printed no T of two or more meets.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

LEAST_C = 1 / (16 * np.sqrt(6))
"""The smallest c for which the proof of Proposition 2 holds (appendix C.3)."""
MOST = 700.0
"""The log of the longest horizon that is told from no end."""


def theorem2(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the conditions of Theorem 2 on N, d, s and T that a game meets, as facts."""
    instances, dimension, sparsity = settings["instances"], settings["dimension"], settings["sparsity"]
    room = max(0.5 - LEAST_C - float(np.sqrt(sparsity / dimension)), 0.0)
    return {
        "d > 4 s": dimension > 4 * sparsity,
        "log of the longest horizon at which d and N are log(d N T)": float(
            min(dimension, instances) - np.log(dimension * instances)
        ),
        "log of the longest horizon of inequality 29": float(instances * room**2 / 9 - np.log(dimension / 2)),
    }


def theorems(settings: Mapping[str, Any], probability: np.ndarray, most: int) -> dict[str, list[float | None] | None]:
    """Return for each theorem the first and the last horizon at which a game meets its conditions; None if none does.

    settings: those of `manybandits.environments.instances`; probability: of an arrival at each instance, (N,); most:
    the largest number of components in which an instance differs.
    """
    sparse, even = settings["structure"] == "sparse", bool(np.ptp(probability) == 0)
    enough, *ends = theorem2({**settings, "sparsity": most}).values()
    same = _up_to(min(ends)) if enough and even else None
    return {
        "rmbandit_theorem2": same if sparse else None,
        "rmbandit_corollary4": None if sparse else same,
        "rmbandit_theorem3": _theorem3(settings, probability, most),
    }


def _theorem3(settings: Mapping[str, Any], probability: np.ndarray, most: int) -> list[float | None] | None:
    dimension, instances = settings["dimension"], settings["instances"]
    rich = instances > 1 and np.isclose(probability[1:] / probability[0], dimension**2).any()
    if not rich or dimension <= 4 * most:
        return None
    return _up_to(float(dimension - np.log(dimension * instances * probability[0])))


def _up_to(last: float) -> list[float | None] | None:
    """Return the horizons from one round on; None if there is none. last: the log of the longest one."""
    return [1.0, float(np.exp(min(last, MOST)))] if last >= 0 else None
