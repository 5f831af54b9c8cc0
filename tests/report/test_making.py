"""How a figure was made: its plays, their tuning, choices at the edge of a grid, and time."""

from __future__ import annotations

from pathlib import Path

from manybandits.report.inputs import Figure
from manybandits.report.making import plays_of, summary_of

RUN = {"game": "g", "algorithm": "CLUB", "rounds": 2000, "seeds": 6, "tuned": "alpha=0.1", "edges": {"alpha": "0.1"}}
TUNED = {**RUN, "tuning": {"points": 9, "runs": 1, "rounds": 500}}
PLAIN = {**RUN, "algorithm": "Random", "rounds": 1000, "tuned": "not tuned", "edges": {}}
NOT_TUNED = {**PLAIN, "tuning": {"points": 1, "runs": 0, "rounds": 0}}
COSTS = [{"environment": "g", "algorithm": "CLUB", "seconds": "12.5"}]


def figure(*runs):
    facts = {"runs": list(runs), "games": {"g": {"data_note": "MovieLens"}}}
    return Figure(Path("p_fig1"), {"facts": facts}, [], "regret")


def test_every_play_has_its_tuning_its_choice_and_its_time():
    first, second = plays_of(figure(TUNED, NOT_TUNED), COSTS)
    assert first["data"] == "MovieLens"
    assert first["tuned_on"] == "9 points, 1 run of 500 rounds each"
    assert (first["chosen"], first["edge"], first["seconds"]) == ("alpha=0.1", "alpha = 0.1", "12.5")
    assert (second["tuned_on"], second["edge"], second["seconds"]) == ("", "", "")


def test_the_summary_counts_choices_at_an_edge():
    plays = plays_of(figure(TUNED, NOT_TUNED), COSTS)
    assert summary_of(plays) == (
        "2 plays of 1,000 to 2,000 rounds, each with 6 runs, 1 tuned, 1 of them at an edge of the grid; "
        "12 seconds, all replicas together."
    )
    assert summary_of(plays[1:]) == "1 play of 1,000 rounds, each with 6 runs; 0 seconds, all replicas together."
