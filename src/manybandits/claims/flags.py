"""Flags: what a reader should know about compared runs before believing a verdict (VERDICTS, section 3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manybandits.base.statistics import deviation
from manybandits.results.measures import final_regret
from manybandits.results.runs import Run

RANDOM = "Random"
"""The title of the algorithm that chooses arms at random."""


def flags_of(compared: Sequence[Run], played: Sequence[Run]) -> list[str]:
    """Return the flags of compared runs, each once. played: all runs of the experiment, among them Random's."""
    found = []
    chance = {run.environment["name"]: run for run in played if run.title == RANDOM}
    for run in compared:
        random = chance.get(run.environment["name"])
        own = [*run.flags, *edges(run)]
        if random and run.title != RANDOM and is_at_chance(run, random):
            own.append("at chance")
        found += [f"{run.title}: {flag}" for flag in own]
    return list(dict.fromkeys([*found, *unequal_tuning(compared)]))


def is_at_chance(run: Run, random: Run) -> bool:
    """Return whether the final regret is within two standard errors of Random's on the same seeds, or above it."""
    common, mine, theirs = np.intersect1d(run.seeds, random.seeds, return_indices=True)
    if len(common) < 2:
        return False
    gaps = final_regret(random)[theirs] - final_regret(run)[mine]
    return bool(gaps.mean() <= 2 * deviation(gaps) / np.sqrt(len(gaps)))


def edges(run: Run) -> list[str]:
    """Return which tuned options have the least or the largest value of their grid, of three values or more.

    0 is no edge, because no grid could go further.
    """
    chosen = dict(word.split("=", 1) for word in str(run.facts["chosen"]).split())
    found = []
    for name in run.varied:
        values = run.settings["grid"][name]
        if len(values) < 3 or any(isinstance(value, str) for value in values):
            continue
        ends = {f"{min(values):g}", f"{max(values):g}"}
        if chosen[name] in ends - {"0"}:
            found.append(f"{name} {chosen[name]} is the edge of its grid")
    return found


def unequal_tuning(compared: Sequence[Run]) -> list[str]:
    """Return how many points of their grids the compared algorithms were tuned on, if it is not the same number."""
    points = {run.title: int(np.prod([len(values) for values in run.settings["grid"].values()])) for run in compared}
    if len(set(points.values())) < 2:
        return []
    counts: dict[int, list[str]] = {}
    for title, count in points.items():
        counts.setdefault(count, []).append(title)
    # A "; " separates flags in the table of verdicts.
    words = " and ".join(f"{count} for {', '.join(titles)}" for count, titles in sorted(counts.items(), reverse=True))
    return [f"unequal tuning: points of the grid {words}"]
