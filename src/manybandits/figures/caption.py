"""Captions of figures: what the band is, over how many runs, how options were chosen, and which runs were lost."""

from __future__ import annotations

from collections.abc import Sequence

from manybandits.results.display_names import TUNINGS, algorithm_name
from manybandits.results.runs import Run
from manybandits.results.summaries import BANDS


def caption(panels: Sequence[Sequence[Run]], band: str) -> str:
    """Return the caption of some runs. band: one of `BANDS`."""
    runs = list({run.path: run for panel in panels for run in panel}.values())
    counts = sorted({len(run.seeds) for run in runs})
    over = " or ".join(map(str, counts))
    chosen = sorted({run.settings["tuning"] for run in runs if run.varied})
    words = ("; ".join(TUNINGS[rule] for rule in chosen) or "no option was tuned") + lost_words(runs)
    return f"{BANDS[band]} over {over} runs on common rounds; {words}."


def lost_words(runs: Sequence[Run]) -> str:
    """Return how many runs of which algorithms were lost, empty where none was."""
    lost = [
        f"{run.lost} of {len(run.seeds)} runs of {algorithm_name(run.title)} on {run.environment['name']}"
        for run in runs
        if run.lost
    ]
    return f"; lost, because they diverged or their log ended: {', '.join(lost)}" if lost else ""
