"""Why curves are equal: what a figure says where all runs of a game that differ in options alone have one result."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manybandits.figures.outcomes import placed, short_names
from manybandits.figures.palette import algorithm_of
from manybandits.results.display_names import RANDOM, algorithm_name, listed
from manybandits.results.runs import Run


def why_identical(runs: Sequence[Run], marks: str = "curves") -> str:
    """Return why all runs of a game but Random's are equal, as a sentence; empty if they differ.

    Equal means: in regret and reward after every round that the run tables have. The reason is read from the sizes of
    clusters, if they were measured. marks: what the runs are in the figure.
    """
    compared = [run for run in runs if run.title != RANDOM]
    if len(compared) < 2 or not all(_equal(compared[0], run) for run in compared[1:]):
        return ""
    many = f"Both {marks} are" if len(compared) == 2 else f"All {len(compared)} {marks} are"
    return f"{many} identical: {_reason(compared)}."


def identical_words(panels: Sequence[Sequence[Run]]) -> str:
    """Return which runs of a game are equal, where not all are, as a sentence; empty if none are."""
    names = short_names(panels)
    games: dict[str, list[str]] = {}
    for runs in panels:
        whole = why_identical(runs)
        left = [run for run in runs if run.title != RANDOM]
        while left and not whole:
            alike = [run for run in left if _equal(left[0], run)]
            left = [run for run in left if not _equal(alike[0], run)]
            if len(alike) > 1:
                same = listed([algorithm_name(run.title) for run in alike])
                games.setdefault(same, []).append(names[runs[0].environment["name"]])
    told = [placed(same, where) for same, where in games.items()]
    return f"Identical curves: {'; '.join(told)}." if told else ""


def _equal(first: Run, second: Run) -> bool:
    return all(
        np.array_equal(getattr(first, name), getattr(second, name), equal_nan=True)
        for name in ("seeds", "regret", "reward")
    )


def _reason(runs: Sequence[Run]) -> str:
    sizes = np.concatenate([run.size.ravel() for run in runs])
    if not np.isnan(sizes).any():
        users = runs[0].environment.get("users")
        if users and (sizes == users).all():
            return f"the cluster that is played holds all {users} users in every round, whatever the value"
        if (sizes == 1).all():
            return "the cluster that is played holds the served user alone in every round, whatever the value"
    if len({algorithm_of(run.title) for run in runs}) == 1:
        return "the options that differ between them never changed which arm was chosen"
    return "they chose arms of equal value in every round"
