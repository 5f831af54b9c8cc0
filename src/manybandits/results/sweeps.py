"""Sweeps over a setting of a game: what is swept, what is measured, and the rates that papers state.

Rounds are swept within a run: what it had reached after all of them, a half, a quarter, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from manybandits.results.runs import Run

HALVINGS = 5
"""How often the rounds of a run are halved."""


def setting(name: str) -> Callable[[Run], float]:
    """Return what reads a setting of the game that a run was played on."""
    return lambda run: float(run.environment["settings"][name])


AXES: dict[str, tuple[str, Callable[[Run], float]]] = {
    "agents": ("agents N", setting("agents")),
    "separation": ("distance of two clusters' vectors", setting("separation")),
    # theta_i - mean of N such vectors ~ N(0, sigma (1 - 1/N) I), whose expected squared length this is.
    "epsilon": (
        "epsilon: distance of an agent's vector from the mean",
        lambda run: np.sqrt(
            setting("sigma")(run) * (1 - 1 / setting("agents")(run)) * setting("dimension")(run),
        ),
    ),
    "instances": ("instances N", setting("instances")),
    "dimension": ("dimension d", setting("dimension")),
    "sparsity": ("s: components in which an instance differs", setting("sparsity")),
    "rounds": ("rounds t", lambda run: float(run.rounds[-1])),
}
RESULTS: dict[str, tuple[str, Callable[[Run], np.ndarray]]] = {
    "regret": ("regret{}", lambda run: run.regret[:, -1]),
    "late": ("regret{}, second half of the rounds", lambda run: run.regret[:, -1] - half_way(run)),
    "each": ("regret an instance", lambda run: run.regret[:, -1] / run.environment["users"]),
    "recovered": ("share of runs with the true clusters", lambda run: (run.agreement[:, -1] == 1.0).astype(float)),
}
"""What is swept: its name on the axis, with whose it is, and where it is from."""
RATES: dict[str, tuple[str, Callable[[Run], float]]] = {
    "theorem2": (
        "d (s N + d)",
        lambda run: (
            setting("dimension")(run)
            * (setting("sparsity")(run) * setting("instances")(run) + setting("dimension")(run))
        ),
    ),
    # Of agents whose contexts are N(0, I / d), so that rho_min = 1 / d.
    "sclb_theorem1": (
        "d sqrt(T / N)",
        lambda run: setting("dimension")(run) * np.sqrt(run.rounds[-1] / setting("agents")(run)),
    ),
    "pmlb_theorem3": (
        "epsilon sqrt(d T) + d sqrt(d / N) T^(1/4)",
        lambda run: float(
            AXES["epsilon"][1](run) * np.sqrt(setting("dimension")(run) * run.rounds[-1])
            + np.sqrt(setting("dimension")(run) ** 3 / setting("agents")(run)) * run.rounds[-1] ** 0.25
        ),
    ),
}
"""Rates that a paper states: the formula, and its value for a run, constants 1 and logarithms left out."""


def half_way(run: Run) -> np.ndarray:
    """Return the regret after half of the rounds, (n,)."""
    return run.regret[:, np.flatnonzero(run.rounds <= run.rounds[-1] / 2)[-1]]


def halved(run: Run) -> list[Run]:
    """Return a run as it stood after all of its rounds, a half of them, a quarter, and so on."""
    ends = {int(np.searchsorted(run.rounds, run.rounds[-1] / 2**times)) + 1 for times in range(HALVINGS + 1)}
    curves = ("regret", "reward", "clusters", "size", "purity", "agreement")
    return [
        replace(run, rounds=run.rounds[:end], **{name: getattr(run, name)[:, :end] for name in curves})
        for end in sorted(ends)
    ]


def collect_rate(panels: Sequence[Sequence[Run]], x: str, rate: str) -> dict[float, float]:
    """Return the value of a stated rate, one of `RATES`, where runs were played: x -> value."""
    _, value = RATES[rate]
    return dict(sorted({AXES[x][1](run): value(run) for runs in panels for run in runs}.items()))
