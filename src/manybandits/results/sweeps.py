"""Sweeps over a setting of a game: the settings, the results, and the rates that papers state.

A sweep over rounds takes the results of one run after all rounds, half of them, a quarter, and so on. A sweep over the
horizon takes the results of several runs, each planned for its own number of rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from manybandits.base.exceptions import InputError
from manybandits.results import agent_rates
from manybandits.results.display_names import SETTINGS
from manybandits.results.measures import final_regret, late_regret, recovered, regret_per_instance
from manybandits.results.runs import MEASURED, Run
from manybandits.results.summaries import flat

HALVINGS = 5
"""The number of times that the rounds of a run are halved."""


def setting(name: str) -> Callable[[Run], float]:
    """Return a function that returns a setting of the game of a run."""
    return lambda run: float(run.environment["settings"][name])


def _rounds_each(run: Run) -> float:
    """Return the expected number of arrivals at one of the instances, which are equally likely."""
    return float(run.rounds[-1]) / setting("instances")(run)


def _poor_rounds(run: Run) -> float:
    """Return the expected number of arrivals at the first instance, if it is the data-poor one."""
    return float(run.rounds[-1]) / (1.0 + setting("dimension")(run) ** 2 * (setting("instances")(run) - 1.0))


def _theorem2(run: Run, inside: float) -> float:
    """Return the rate of Theorem 2 of Xu and Bastani. inside: a factor inside of the logarithm of T / N."""
    arms, instances, dimension, few = (setting(name)(run) for name in ("arms", "instances", "dimension", "sparsity"))
    logs = np.log(instances) * np.log(inside * _rounds_each(run)) ** 2
    return float(arms * dimension * (few * instances + dimension) * logs)


def _of_agents(bound: Callable[[Mapping[str, Any], float], float]) -> Callable[[Run], float]:
    """Return a function that returns a bound on agents in clusters for a run."""
    return lambda run: bound(run.environment["settings"], float(run.rounds[-1]))


GAME_AXES: dict[str, tuple[str, Callable[[Run], float]]] = {
    name: (SETTINGS[name], setting(name))
    for name in ("agents", "separation", "instances", "arms", "dimension", "sparsity", "groups")
}
"""Setting of a made game -> its label on the axis, and a function that returns its value for a run."""
AXES: dict[str, tuple[str, Callable[[Run], float]]] = {
    **GAME_AXES,
    # The expected length of theta_i minus the mean of N such vectors, which is N(0, sigma (1 - 1/N) I).
    "epsilon": (
        SETTINGS["epsilon"],
        lambda run: np.sqrt(
            setting("sigma")(run) * (1 - 1 / setting("agents")(run)) * setting("dimension")(run),
        ),
    ),
    "rounds": (SETTINGS["rounds"], lambda run: float(run.rounds[-1])),
    "horizon": (SETTINGS["horizon"], lambda run: float(run.settings["horizon"])),
}
"""Swept setting -> its label on the axis, and a function that returns its value for a run."""
SHARE = "recovered"
"""The result that is a share of runs, so that neither logarithms nor slopes mean anything."""
RESULTS: dict[str, tuple[str, Callable[[Run], np.ndarray]]] = {
    "regret": ("regret{}", final_regret),
    "late": ("regret{}, second half of the rounds", late_regret),
    "each": ("regret per instance", regret_per_instance),
    SHARE: ("share of runs with the true clusters", recovered),
}
"""Result -> its label, with a place for `whose` regret it is, and a function that returns its values, (n,)."""
RATES: dict[str, tuple[str, Callable[[Run], float]]] = {
    "theorem2": ("K d (s N + d) log N log^2(T / N)", lambda run: _theorem2(run, 1.0)),
    # What the proof of Theorem 2 arrives at, in place of what the theorem states.
    "theorem2_proof": ("K d (s N + d) log N log^2(d T / N)", lambda run: _theorem2(run, setting("dimension")(run))),
    # That of one instance: with T / p_j rounds in all it has T of them.
    "corollary3": (
        "K d (s + d / N) log N log^2 T",
        lambda run: _theorem2(run, 1.0) / setting("instances")(run),
    ),
    "corollary4": (
        "K d^((2 alpha + 1) / (alpha + 1)) log d log^2 T",
        lambda run: float(
            setting("arms")(run)
            * setting("dimension")(run) ** ((2 * setting("alpha")(run) + 1) / (setting("alpha")(run) + 1))
            * np.log(setting("dimension")(run))
            * np.log(_rounds_each(run)) ** 2
        ),
    ),
    # The first instance has 1 / d^2 of the arrivals of each other one.
    "theorem3": (
        "K s^2 log^2(d T)",
        lambda run: float(
            setting("arms")(run)
            * setting("sparsity")(run) ** 2
            * np.log(setting("dimension")(run) * _poor_rounds(run)) ** 2
        ),
    ),
    "meta_ban_theorem5_3": ("sqrt(T log T)", lambda run: float(np.sqrt(run.rounds[-1] * np.log(run.rounds[-1])))),
    "sclb_lemma1": ("d^2 (N T)^alpha + d sqrt((T - T_Explore) / (p N))", _of_agents(agent_rates.lemma1)),
    "sclb_theorem1": ("(d^2 (N T)^alpha + d sqrt(T / N)) log^2 T, and a constant", _of_agents(agent_rates.theorem1)),
    "sclb_theorem2": (
        "L T^(1 - alpha) / N^alpha log T + d sqrt(T / N) log^2 T, and a constant",
        _of_agents(agent_rates.theorem2),
    ),
    "pmlb_theorem3": (
        "epsilon sqrt(d T) + d sqrt(d / N) T^(1/4)",
        lambda run: float(
            AXES["epsilon"][1](run) * np.sqrt(setting("dimension")(run) * run.rounds[-1])
            + np.sqrt(setting("dimension")(run) ** 3 / setting("agents")(run)) * run.rounds[-1] ** 0.25
        ),
    ),
}
"""Stated rate -> its formula, and a function that returns it for a run, with constants 1.

Logarithms are part of a formula where the paper states them; it does not where it writes O with a tilde.
"""


def halved(run: Run) -> list[Run]:
    """Return a run cut off after 1/32, 1/16, 1/8, 1/4 and 1/2 of its rounds, and the whole run."""
    ends = {int(np.searchsorted(run.rounds, run.rounds[-1] / 2**times)) + 1 for times in range(HALVINGS + 1)}
    return [cut(run, end) for end in sorted(ends)]


def cut(run: Run, checkpoints: int) -> Run:
    """Return a run cut off after its first checkpoints."""
    kept = {name: getattr(run, name)[:, :checkpoints] for name in MEASURED}
    return replace(run, rounds=run.rounds[:checkpoints], **kept)


def parts(run: Run, x: str) -> list[Run]:
    """Return the runs that are points of a sweep over `x`: the run itself, or its halvings if rounds are swept."""
    return halved(run) if x == "rounds" else [run]


def collect_rate(panels: Sequence[Sequence[Run]], x: str, rate: str) -> dict[float, float]:
    """Return a stated rate at the points of a sweep over `x`: x -> value. rate: one of `RATES`."""
    _, value = RATES[rate]
    return dict(sorted({AXES[x][1](part): value(part) for run in flat(panels) for part in parts(run, x)}.items()))


def whose(environment: Mapping[str, object]) -> str:
    """Return whose regret a game counts, in words; empty if it counts that of all."""
    if environment.get("all_act"):
        return " per agent"
    return " of the first instance" if environment.get("counts_first") else ""


def collect(panels: Sequence[Sequence[Run]], x: str, y: str) -> dict[str, dict[float, np.ndarray]]:
    """Return the results of runs by algorithm and setting: title -> x -> (n,).

    Raises InputError naming a run without the setting, or two games of an algorithm at one point of the sweep.
    """
    found: dict[str, dict[float, np.ndarray]] = {}
    games: dict[tuple[str, float], str] = {}
    for whole in flat(panels):
        for run in parts(whole, x):
            try:
                place = AXES[x][1](run)
                found.setdefault(run.title, {})[place] = RESULTS[y][1](run)
            except KeyError as error:
                raise InputError(
                    f"{run.path} was played on a game without {error}: it has no {x!r} to sweep; choose another --x."
                ) from error
            game = run.environment["name"]
            if (other := games.setdefault((run.title, place), game)) != game:
                raise InputError(
                    f"{run.title} was played on {other} and on {game}, which are one point of a sweep over {x!r}: "
                    "give each of these games a figure of its own."
                )
    return {title: dict(sorted(points.items())) for title, points in found.items()}
