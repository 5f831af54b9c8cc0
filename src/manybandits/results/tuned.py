"""How the options of a run were tuned: on what, which values were chosen, and whether the grid ends there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from manybandits.results.run_table import describe
from manybandits.results.runs import Run, load_trials
from manybandits.results.summaries import is_clear


class Effort(NamedTuple):
    """How much an algorithm was tuned: points of its grid, and runs and rounds for each; 1, 0, 0 if not at all."""

    points: int
    runs: int
    rounds: int


def effort(run: Run) -> Effort:
    """Return on how many points of a grid, and by how many runs of how many rounds, an algorithm was tuned."""
    settings = run.settings
    points = int(np.prod([len(values) for values in settings["grid"].values()]))
    if points == 1:
        return Effort(1, 0, 0)
    alike = settings["tuning"] == "best-of-grid"
    runs = len(run.seeds if alike else settings["tuning_seeds"])
    return Effort(points, runs, settings["horizon"] if alike else settings["tuning_rounds"] or settings["horizon"])


def tuned_options(run: Run) -> str:
    """Return the chosen values of the options that were tuned; the provenance of the run has all others."""
    words = [word for word in str(run.facts["chosen"]).split() if word.partition("=")[0] in run.varied]
    return " ".join(words) or "not tuned"


def edges(run: Run) -> dict[str, str]:
    """Return the tuned options whose chosen value is the end of their grid, of three values or more, and better there.

    An end is better if the next value inside, all else equal, had more regret in the runs that chose, by more than two
    standard errors over the seeds that both played; with fewer than two seeds, or if that value diverged, it counts as
    better. Where it is not, the grid ends on a plateau, and a wider one promises nothing. 0 is no edge, because no grid
    could go further.
    """
    chosen = dict(word.split("=", 1) for word in str(run.facts["chosen"]).split())
    found = {}
    for name in run.varied:
        values = run.settings["grid"][name]
        if len(values) < 3 or any(isinstance(value, str) for value in values):
            continue
        ordered = [f"{value:g}" for value in sorted(values)]
        inside = {ordered[0]: ordered[1], ordered[-1]: ordered[-2]}.get(chosen[name])
        if inside and chosen[name] != "0" and _is_better(run, {**chosen, name: inside}):
            found[name] = chosen[name]
    return found


def _is_better(run: Run, other: Mapping[str, str]) -> bool:
    """Return whether the chosen point had less regret than another one where it was chosen. other: its options."""
    trials = load_trials(run)
    chosen, inside = (trials.get(options, {}) for options in (str(run.facts["chosen"]), describe(other)))
    gaps = np.array([inside[seed] - chosen[seed] for seed in chosen.keys() & inside.keys()])
    known = len(gaps) > 1 and bool(np.isfinite(gaps).all())
    return not known or is_clear(gaps)
