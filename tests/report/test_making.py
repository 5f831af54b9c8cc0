"""How a figure was made: its plays, their tuning, choices at the edge of a grid, and time."""

from __future__ import annotations

from pathlib import Path

from manybandits.report.inputs import ReportedFigure
from manybandits.report.making import summary_of

TUNED = {"game": "g", "algorithm": "CLUB", "rounds": 2000, "seeds": 6, "tuned": "alpha=0.1", "edges": {"alpha": "0.1"}}
NOT_TUNED = {**TUNED, "algorithm": "Random", "rounds": 1000, "tuned": "not tuned", "edges": {}}
COSTS = [{"environment": "g", "algorithm": "CLUB", "seconds": "12.5"}]


def told(*runs):
    return summary_of(ReportedFigure(Path("p_fig1"), {"facts": {"runs": list(runs)}}, [], "regret"), COSTS)


def test_the_summary_counts_choices_at_an_edge_and_the_seconds_that_are_known():
    assert told(TUNED, NOT_TUNED) == (
        "2 plays of 1,000 to 2,000 rounds, each with 6 runs, 1 tuned, 1 of them with the best value at the grid's "
        "boundary; 12 seconds, all replicas together."
    )
    assert told({**TUNED, "edges": {}}, TUNED, TUNED).startswith(
        "3 plays of 2,000 rounds, each with 6 runs, 3 tuned, 2 of them with the best value at the grid's boundary; 38 "
    )
    assert told(NOT_TUNED) == "1 play of 1,000 rounds, each with 6 runs; 0 seconds, all replicas together."
    assert told() == ""
