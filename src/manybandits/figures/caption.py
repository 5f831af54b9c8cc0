"""The caption of a figure: what the band is, over how many runs, how options were chosen, and which runs were lost."""

from __future__ import annotations

from collections.abc import Sequence

from manybandits.results.runs import Run
from manybandits.results.summaries import BANDS


def caption(panels: Sequence[Sequence[Run]], band: str) -> str:
    """Say what the band is, over how many runs, and how the options were chosen."""
    runs = list({run.path: run for panel in panels for run in panel}.values())
    counts = sorted({len(run.seeds) for run in runs})
    over = " or ".join(map(str, counts))
    chosen = sorted({run.settings["tuning"] for run in runs if run.varied})
    how = {
        "tuning-seeds": "options chosen on other seeds than those shown",
        "best-of-grid": "the best grid point on the seeds shown",
    }
    words = ("; ".join(how[rule] for rule in chosen) or "no option was tuned") + lost_words(runs)
    return f"{BANDS[band]} over {over} runs on common rounds; {words}."


def lost_words(runs: Sequence[Run]) -> str:
    """Say of which algorithms how many replicas have no numbers at the end, if there are any."""
    lost = [
        f"{run.lost} of {len(run.seeds)} runs of {run.title} on {run.environment['name']}" for run in runs if run.lost
    ]
    return f"; lost, because they diverged or their log ended: {', '.join(lost)}" if lost else ""
