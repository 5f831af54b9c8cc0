"""How a figure was made, in a sentence: what was played for it, how options were tuned, and how long it took."""

from __future__ import annotations

from collections.abc import Sequence

from manybandits.base.table_files import Row
from manybandits.report.inputs import ReportedFigure

NOT_TUNED = "not tuned"


def summary_of(figure: ReportedFigure, costs: Sequence[Row]) -> str:
    """Return what was played for a figure: plays, rounds, runs, choices at the edge of their grid, and time.

    costs: the rows of its paper; a play that they do not name adds no time. Returns "" if nothing was played.
    """
    if not figure.runs:
        return ""
    took = {(row["environment"], row["algorithm"]): float(row["seconds"]) for row in costs}
    seconds = sum(took.get((run["game"], run["algorithm"]), 0.0) for run in figure.runs)
    tuned = [run for run in figure.runs if run["tuned"] != NOT_TUNED]
    words = [f"{len(figure.runs)} play{'s' if len(figure.runs) != 1 else ''} of {_ends(figure, 'rounds')} rounds"]
    words.append(f"each with {_ends(figure, 'seeds')} runs")
    if tuned:
        edges = sum(bool(run["edges"]) for run in tuned)
        words.append(f"{len(tuned)} tuned, {edges} of them with the best value at the grid's boundary")
    return f"{', '.join(words)}; {seconds:,.0f} seconds, all replicas together."


def _ends(figure: ReportedFigure, name: str) -> str:
    """Return the least and the largest of a number of the runs, or the one that all have."""
    found = [int(run[name]) for run in figure.runs]
    return f"{min(found):,}" if min(found) == max(found) else f"{min(found):,} to {max(found):,}"
