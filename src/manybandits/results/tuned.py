"""How the options of a run were tuned: on what, which values were chosen, and whether the grid ends there."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.results.runs import Run


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
    """Return the tuned options that have the least or the largest value of their grid, of three values or more.

    0 is no edge, because no grid could go further.
    """
    chosen = dict(word.split("=", 1) for word in str(run.facts["chosen"]).split())
    found = {}
    for name in run.varied:
        values = run.settings["grid"][name]
        if len(values) < 3 or any(isinstance(value, str) for value in values):
            continue
        if chosen[name] in {f"{min(values):g}", f"{max(values):g}"} - {"0"}:
            found[name] = chosen[name]
    return found
