"""The bounds of the theorems on agents in clusters: their whole displayed sums, with constants of 1.

Source: Ghosh, Sankararaman and Ramchandran 2021, Lemma 1 (appendix 9), Theorems 1 and 2. rho_min is 1 / d, for both
distributions of the agents' contexts; p is the share of the smallest cluster; L clusters, N agents, T rounds.

    Lemma 1     [d (N T)^alpha / rho + sqrt(d (T - T_Explore) / (rho p N))] log(1/delta)
    Theorem 1   4 2^(1 / sqrt p) + [d (N T)^alpha / rho + sqrt(d T / (rho N))] log^2(T) log(1/delta)
    Theorem 2   4 2^(1 / sqrt p) + L T^(1 - alpha) / N^alpha log T + sqrt(d T / (rho N)) log^2(T) log(1/delta)

T_Explore is d (N T)^(2 alpha) log(1/delta) / rho. Where it is longer than the game, the root of Lemma 1 counts as 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np


def lemma1(settings: Mapping[str, Any], rounds: float) -> float:
    """Return the bound of Lemma 1. settings: those of `manybandits.environments.agents`; rounds: T."""
    dimension, logs = settings["dimension"], np.log(1 / settings["delta"])
    together = max(0.0, rounds - (dimension * _power(settings, rounds)) ** 2 * logs)
    members = _smallest(settings) * settings["agents"]
    return float((dimension**2 * _power(settings, rounds) + dimension * np.sqrt(together / members)) * logs)


def theorem1(settings: Mapping[str, Any], rounds: float) -> float:
    """Return the bound of Theorem 1; see `lemma1`."""
    alone = settings["dimension"] ** 2 * _power(settings, rounds)
    return _early(settings) + (alone + _known(settings, rounds)) * _logs(settings, rounds)


def theorem2(settings: Mapping[str, Any], rounds: float) -> float:
    """Return the bound of Theorem 2; see `lemma1`."""
    merged = settings["clusters"] * rounds / _power(settings, rounds) * float(np.log(rounds))
    return _early(settings) + merged + _known(settings, rounds) * _logs(settings, rounds)


def _power(settings: Mapping[str, Any], rounds: float) -> float:
    """Return (N T)^alpha."""
    return float((settings["agents"] * rounds) ** settings["exponent"])


def _known(settings: Mapping[str, Any], rounds: float) -> float:
    """Return sqrt(d T / (rho N)), the rate of an oracle that knows the clusters."""
    return float(settings["dimension"] * np.sqrt(rounds / settings["agents"]))


def _logs(settings: Mapping[str, Any], rounds: float) -> float:
    return float(np.log(rounds) ** 2 * np.log(1 / settings["delta"]))


def _early(settings: Mapping[str, Any]) -> float:
    """Return what the phases cost whose size parameter is above the share of a cluster."""
    return float(4 * 2 ** (1 / np.sqrt(_smallest(settings))))


def _smallest(settings: Mapping[str, Any]) -> float:
    """Return the share of the smallest of L clusters, of which that of cluster l is proportional to l^-z."""
    weights = np.arange(1, settings["clusters"] + 1) ** -float(settings["z"])
    return float(weights[-1] / weights.sum())
