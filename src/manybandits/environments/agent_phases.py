"""Whether an agent of CMLB or SCLB ever acts with others by the proofs of its theorems, in a game of clustered agents.

Source: Ghosh, Sankararaman and Ramchandran 2021, appendices 9, 10 and 12. rho_min is 1 / d; N agents; T rounds.

    T_Explore(T, delta)   d (N T)^(2 alpha) ln(1 / delta) / rho_min: agents learn alone for so long      (appendix 9)
    Lemmas 1 and 2        have the square root of T - T_Explore(T, delta), so that CMLB needs T > T_Explore
    Theorems 1 and 2      apply a lemma to every phase of SCLB from i* = ceil(1 / sqrt(p)) on (eq. 4), which has
                          2^i rounds and delta / 2^i, so that 2^i > T_Explore(2^i, delta / 2^i) for all of them

Here p is the share of the largest cluster, because regret is averaged over all agents, and the constant of T_Explore is
1, as in `manybandits.environments.agent_conditions`. The facts that games are frozen with lack this condition. It
depends on the algorithm as well as on the game, and is added where claims are judged, so that no game is made anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

CMLB, SCLB = "cmlb", "sclb"
"""The algorithms that learn alone first: once, or in every phase."""


def exploration(settings: Mapping[str, Any], rounds: int, delta: float) -> float:
    """Return T_Explore of so many rounds. settings: those of `manybandits.environments.agents`."""
    power = (float(settings["agents"]) * rounds) ** (2 * settings["exponent"])
    return float(settings["dimension"] ** 2 * power * np.log(1 / delta))


def first_phase(settings: Mapping[str, Any]) -> int:
    """Return i*, the number of the first phase to which the proof of Theorem 1 applies a lemma."""
    weights = np.arange(1, settings["clusters"] + 1) ** -float(settings["z"])
    largest = 1.0 if settings["sizes"] == "drawn" else float(weights[0] / weights.sum())
    return int(np.ceil(round(1 / np.sqrt(largest), 12)))


def too_short(settings: Mapping[str, Any], algorithm: str, horizon: int) -> str:
    """Return why T_Explore is too long for what an algorithm plays in a game; "" if it is not.

    algorithm: its name in the catalogue; one that is neither CMLB nor SCLB has no T_Explore.
    """
    if algorithm not in (CMLB, SCLB) or settings.get("population") != "clusters":
        return ""
    if algorithm == CMLB:
        alone = exploration(settings, horizon, settings["delta"])
        return "" if horizon > alone else f"CMLB learns alone for {alone:,.0f} rounds, and {horizon:,} were played"
    phases = range(first_phase(settings), int(np.log2(horizon)) + 1)
    short = [one for one in phases if 2**one <= exploration(settings, 2**one, settings["delta"] / 2**one)]
    if not short:
        return ""
    return (
        f"its proof needs every phase of SCLB from phase {phases[0]} on to be longer than T_Explore, and phase "
        f"{short[-1]}, of {2 ** short[-1]:,} rounds, is not"
    )
