"""Sweeps over a setting of a game: what is swept, what is measured, and the rates that papers state.

Rounds are swept within a run: what it had reached after all of them, a half, a quarter, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from manybandits.base.exceptions import InputError
from manybandits.results.measures import final_regret, late_regret, recovered, regret_per_instance
from manybandits.results.runs import Run
from manybandits.results.summaries import flat

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
    "regret": ("regret{}", final_regret),
    "late": ("regret{}, second half of the rounds", late_regret),
    "each": ("regret an instance", regret_per_instance),
    "recovered": ("share of runs with the true clusters", recovered),
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


def halved(run: Run) -> list[Run]:
    """Return a run as it stood after all of its rounds, a half of them, a quarter, and so on."""
    ends = {int(np.searchsorted(run.rounds, run.rounds[-1] / 2**times)) + 1 for times in range(HALVINGS + 1)}
    curves = ("regret", "reward", "clusters", "size", "purity", "agreement")
    return [
        replace(run, rounds=run.rounds[:end], **{name: getattr(run, name)[:, :end] for name in curves})
        for end in sorted(ends)
    ]


def parts(run: Run, x: str) -> list[Run]:
    """Return the runs that are points of a sweep over `x`: the run itself, or its halvings where rounds are swept."""
    return halved(run) if x == "rounds" else [run]


def collect_rate(panels: Sequence[Sequence[Run]], x: str, rate: str) -> dict[float, float]:
    """Return the value of a stated rate, one of `RATES`, where runs were played: x -> value."""
    _, value = RATES[rate]
    return dict(sorted({AXES[x][1](run): value(run) for run in flat(panels)}.items()))


def whose(environment: Mapping[str, Any]) -> str:
    """Say of whom the regret of a game is, if not of all."""
    if environment.get("all_act"):
        return " an agent"
    return " of the first instance" if environment.get("counts_first") else ""


def collect(panels: Sequence[Sequence[Run]], x: str, y: str) -> dict[str, dict[float, np.ndarray]]:
    """Return, for every algorithm and setting, the results of its runs: title -> x -> (n,)."""
    found: dict[str, dict[float, np.ndarray]] = {}
    for whole in flat(panels):
        for run in parts(whole, x):
            try:
                found.setdefault(run.title, {})[AXES[x][1](run)] = RESULTS[y][1](run)
            except KeyError as error:
                raise InputError(
                    f"{run.path} was played on a game without {error}: it has no {x!r} to sweep; choose another --x."
                ) from error
    return {title: dict(sorted(points.items())) for title, points in found.items()}
