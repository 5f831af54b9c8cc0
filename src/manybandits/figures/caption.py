"""What was run, and how to read a figure: its subtitle and caption.

The subtitle has the rounds, the runs and the band; the caption says how options were chosen, which runs were lost, and
whether the numbers that the paper publishes are in the figure.
"""

from __future__ import annotations

from collections.abc import Sequence

from manybandits.figures.outcomes import placed, short_names
from manybandits.results.display_names import TUNINGS, algorithm_name
from manybandits.results.runs import Run
from manybandits.results.summaries import BANDS, flat


def caption(panels: Sequence[Sequence[Run]], band: str, *notes: str) -> str:
    """Return the caption of some runs. band: one of `BANDS`; notes: sentences that are added."""
    runs = _distinct(panels)
    return " ".join([f"{_band_words(runs, band)}; {_chosen_words(runs)}.", *filter(None, notes)])


def subtitle(title: str, panels: Sequence[Sequence[Run]], band: str) -> str:
    """Return what was run: the experiment, rounds, runs and band. title: of the experiment, empty if it is above."""
    runs = _distinct(panels)
    lengths = sorted({int(run.rounds[-1]) for run in runs})
    rounds = f"{lengths[0]:,}" if len(lengths) == 1 else f"{lengths[0]:,} to {lengths[-1]:,}"
    played = f"{rounds} rounds; {_band_words(runs, band)}."
    return f"{title}. {played}" if title else played


def reading_help(panels: Sequence[Sequence[Run]], *notes: str, tuned: bool = True) -> str:
    """Return what is written below a figure: notes, how options were chosen, and which runs were lost.

    tuned: whether one value of each option is shown, so that it must be said how it was chosen.
    """
    runs = _distinct(panels)
    words = _chosen_words(runs) if tuned else _lost_words(runs)
    return " ".join(said for said in (*notes, f"{words[:1].upper()}{words[1:]}." if words else "") if said)


def _distinct(panels: Sequence[Sequence[Run]]) -> list[Run]:
    """Return the runs of all panels, each once."""
    return list({run.path: run for run in flat(panels)}.values())


def _band_words(runs: Sequence[Run], band: str) -> str:
    counts = sorted({len(run.seeds) for run in runs})
    return f"{BANDS[band]} over {' or '.join(map(str, counts))} runs on common rounds"


def _chosen_words(runs: Sequence[Run]) -> str:
    chosen = sorted({run.settings["tuning"] for run in runs if run.varied})
    tuned = "; ".join(TUNINGS[rule] for rule in chosen) or "no option was tuned"
    return "; ".join(filter(None, [tuned, _lost_words(runs)]))


def _lost_words(runs: Sequence[Run]) -> str:
    """Return how many runs of which algorithms were lost, and on which of several games; empty where none was."""
    games: dict[str, list[Run]] = {}
    for run in runs:
        games.setdefault(run.environment["name"], []).append(run)
    names = short_names(list(games.values())) if len(games) > 1 else dict.fromkeys(games, "")
    lost = [
        placed(
            f"{run.lost} of {len(run.seeds)} runs of {algorithm_name(run.title)} {run.loss}",
            [names[run.environment["name"]]],
        )
        for run in runs
        if run.lost
    ]
    return "; ".join(lost)
