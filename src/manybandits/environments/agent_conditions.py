"""The number of rounds from which on the conditions of the multi-agent theorems hold in a game of synthetic agents.

Source: Ghosh, Sankararaman and Ramchandran 2021: equation 3, Theorem 1, Corollary 1. rho_min is the least eigenvalue of
the contexts' covariance, 1 / d for both distributions of `manybandits.environments.agents`; N agents; T rounds.

    tau(T)       (16 / rho_min^2 + 8 / (3 rho_min)) ln(2 d T / delta)                                          (eq. 3)
    all of       T >= (tau rho_min / (d ln(1 / delta)))^(1 / (2 alpha)) / N                                    (eq. 3)
    section 4    contexts in the unit ball; N^2 delta < 1, else the probability, 1 - c N^2 delta, is none
    Lemma 1      and every two clusters at a distance of 5 / (N T)^alpha or more                       (Definition 1)
    Theorem 1    and alpha <= ln(rho_min T / (d p N)) / (2 ln(N T)) for the share p of every cluster
    Theorem 2    and clusters at a smaller distance than 5 / (N T)^alpha                               (Definition 1)
    close        and all at a distance of 1 / (N T)^alpha or less: the special case of section 4.1
    Corollary 1  T >= tau^2; contexts N(0, I / d); vectors no longer than 1
    Theorem 3    what Corollary 1 needs, and d >= C ln(K^2 T)

The constants C and c are universal but not stated; they are 1 here, except for that of Theorem 3, of which the largest
possible value is given. These are facts that a game is frozen with. Not among them is that the individual learning of
CMLB, and of every phase of SCLB, must end: `manybandits.environments.agent_phases` adds this where claims are judged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

MOST = 2**62
"""Conditions that do not hold within so many rounds never do."""


def conditions(settings: Mapping[str, Any], largest: int) -> dict[str, float | int | None]:
    """Return the least horizons at which the theorems' conditions hold in a game; None where they never do.

    settings: those of `manybandits.environments.agents`; largest: the number of agents in the largest cluster.
    """
    corollary = least_horizon(lambda rounds: _corollary1(settings, rounds))
    log = None if corollary is None else 2 * np.log(settings["arms"]) + np.log(corollary)
    return {
        "delta": settings["delta"],
        "exponent": settings["exponent"],
        "rho_min": 1.0 / settings["dimension"],
        "sclb_theorem1": least_horizon(lambda rounds: _theorem1(settings, largest, rounds)),
        "pmlb_corollary1": corollary,
        "pmlb_theorem3_constant": None if log is None else float(settings["dimension"] / log),
    }


def theorems(settings: Mapping[str, Any], largest: int) -> dict[str, list[float | None] | None]:
    """Return for each theorem the first and the last horizon at which a game meets its conditions; None if none does.

    Theorem 3 needs d >= ln(K^2 T) as well, with its constant taken to be 1: so its last horizon is e^d / K^2.
    """
    found = conditions(settings, largest)
    ends: dict[str, list[float | None] | None] = {
        name: None if found[name] is None else [found[name], None] for name in ("sclb_theorem1", "pmlb_corollary1")
    }
    lemma = least_horizon(lambda rounds: _lemma1(settings, rounds))
    ends["sclb_lemma1"] = None if lemma is None else [lemma, None]
    ends["sclb_theorem2"], ends["sclb_close"] = (_closer_than(settings, distance) for distance in (5.0, 1.0))
    first, last = found["pmlb_corollary1"], float(np.exp(settings["dimension"])) / settings["arms"] ** 2
    ends["pmlb_theorem3"] = None if first is None or first > last else [first, last]
    return ends


def least_horizon(holds: Callable[[int], bool]) -> int | None:
    """Return the least number of rounds, two or more, from which on a condition holds; None if it never does."""
    high = 2
    while not holds(high):
        high *= 2
        if high > MOST:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def matching_rounds(dimension: int, delta: float, rounds: int) -> float:
    """Return tau_min of equation 3 for T = `rounds`."""
    rho = 1.0 / dimension
    return (16.0 / rho**2 + 8.0 / (3.0 * rho)) * float(np.log(2.0 * dimension * rounds / delta))


def _section4(settings: Mapping[str, Any], rounds: int) -> bool:
    agents, dimension = settings["agents"], settings["dimension"]
    delta, alpha, rho = settings["delta"], settings["exponent"], 1.0 / settings["dimension"]
    if settings["population"] != "clusters" or settings["contexts"] != "sphere" or agents**2 * delta >= 1 or not alpha:
        return False
    ratio = matching_rounds(dimension, delta, rounds) * rho / (dimension * np.log(1.0 / delta))
    return bool(rounds >= ratio ** (1.0 / (2.0 * alpha)) / agents)


def _lemma1(settings: Mapping[str, Any], rounds: int) -> bool:
    pairs = float(settings["agents"]) * rounds
    return _section4(settings, rounds) and bool(settings["separation"] >= 5.0 / pairs ** settings["exponent"])


def _theorem1(settings: Mapping[str, Any], largest: int, rounds: int) -> bool:
    dimension, pairs = settings["dimension"], float(settings["agents"]) * rounds
    return _lemma1(settings, rounds) and bool(
        settings["exponent"] <= np.log(rounds / (dimension**2 * largest)) / (2.0 * np.log(pairs))
    )


def _closer_than(settings: Mapping[str, Any], distance: float) -> list[float | None] | None:
    """Return the first and last horizon of section 4 at which clusters are closer than `distance` / (N T)^alpha."""
    first = least_horizon(lambda rounds: _section4(settings, rounds))
    if first is None or not settings["separation"]:  # 0: every vector is drawn on its own
        return None
    last = (distance / settings["separation"]) ** (1.0 / settings["exponent"]) / settings["agents"]
    return [first, float(last)] if first <= last else None


def _corollary1(settings: Mapping[str, Any], rounds: int) -> bool:
    if settings["population"] != "mean" or settings["contexts"] != "gaussian" or not 0 < settings["longest"] <= 1:
        return False
    return rounds >= matching_rounds(settings["dimension"], settings["delta"], rounds) ** 2
