"""How a figure was made: what was played for it, how options were tuned, which were chosen, and how long it took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from manybandits.base.table_files import Row
from manybandits.report.inputs import Figure

NOT_TUNED = "not tuned"


def plays_of(figure: Figure, costs: Sequence[Row]) -> list[dict[str, Any]]:
    """Return one row for each play that a figure was drawn from. costs: the rows of its paper.

    seconds: of all replicas together; "" where costs do not name the play. edge: options at the end of their grid.
    """
    seconds = {(row["environment"], row["algorithm"]): row["seconds"] for row in costs}
    notes = {name: str(game.get("data_note", name)) for name, game in figure.games.items()}
    return [
        {
            "data": notes.get(run["game"], run["game"]),
            "algorithm": run["algorithm"],
            "rounds": run["rounds"],
            "runs": run["seeds"],
            "tuned_on": _effort(run["tuning"]),
            "chosen": run["tuned"],
            "edge": ", ".join(f"{name} = {value}" for name, value in run["edges"].items()),
            "seconds": seconds.get((run["game"], run["algorithm"]), ""),
        }
        for run in figure.runs
    ]


def summary_of(plays: Sequence[Mapping[str, Any]]) -> str:
    """Return what was played in a sentence: plays, rounds, runs, choices at the edge of their grid, and time."""
    tuned = [one for one in plays if one["chosen"] != NOT_TUNED]
    edge = [one for one in tuned if one["edge"]]
    seconds = sum(float(one["seconds"] or 0) for one in plays)
    words = [f"{len(plays)} play{'s' if len(plays) != 1 else ''} of {_ends(plays, 'rounds')} rounds"]
    words.append(f"each with {_ends(plays, 'runs')} runs")
    if tuned:
        words.append(f"{len(tuned)} tuned, {len(edge)} of them at an edge of the grid")
    return f"{', '.join(words)}; {seconds:,.0f} seconds, all replicas together."


def _ends(plays: Sequence[Mapping[str, Any]], name: str) -> str:
    """Return the least and the largest number of a column, or the one that all have."""
    found = [int(one[name]) for one in plays]
    return f"{min(found):,}" if min(found) == max(found) else f"{min(found):,} to {max(found):,}"


def _effort(tuning: Mapping[str, int]) -> str:
    """Return in words on how many points, runs and rounds options were tuned; "" if they were not."""
    if tuning["points"] == 1:
        return ""
    runs = f"{tuning['runs']} run{'s' if tuning['runs'] != 1 else ''}"
    return f"{tuning['points']} points, {runs} of {tuning['rounds']:,} rounds each"
