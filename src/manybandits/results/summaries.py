"""Summaries of runs over their seeds: means, bands and intervals, curves against rounds, and paired comparisons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from manybandits.base.exceptions import InputError, pick
from manybandits.base.statistics import deviation, holm, summary, wilcoxon
from manybandits.results.measures import final_regret, mean_final_regret
from manybandits.results.runs import Run

if TYPE_CHECKING:
    import pandas as pd

BANDS = {"std": "mean and standard deviation", "interval": "mean and 95 % bootstrap interval of the mean"}
"""The bands of a figure, in words for its caption."""
POINTS = 100
"""The most points of a curve that are drawn, in figures and on pages; run tables have all checkpoints."""
LEVEL = 0.05
"""Significance level of the tests in figures, tables and verdicts."""


def flat(panels: Sequence[Sequence[Run]]) -> list[Run]:
    """Return the runs of all panels as one list."""
    return [run for runs in panels for run in runs]


def check_rounds(panels: Sequence[Sequence[Run]]) -> None:
    """Raise InputError if two runs on one game have different numbers of rounds: their regrets do not compare."""
    for runs in panels:
        longest, shortest = max(runs, key=_rounds), min(runs, key=_rounds)
        if _rounds(longest) != _rounds(shortest):
            raise InputError(
                f"{longest.title} played {_rounds(longest):,} rounds of {longest.environment['name']} and "
                f"{shortest.title} {_rounds(shortest):,}: regret grows with rounds, so compare runs of equally many."
            )


def _rounds(run: Run) -> int:
    return int(run.rounds[-1])


def centre_and_band(values: np.ndarray, band: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the mean over runs and the lower and upper end of the band, (...). values: (n, ...); band: see `BANDS`."""
    if band == "std":  # without the bootstrap, which takes most of the time
        mean = np.mean(values, axis=0)
        spread = np.std(values, axis=0, ddof=1) if len(values) > 1 else np.zeros_like(mean)
        return mean, mean - spread, mean + spread
    mean, _, low, high = summary(values)
    return mean, low, high


def summary_columns(values: np.ndarray, mean: str = "mean") -> dict[str, float]:
    """Return mean, std, low and high of the values of n runs, (n,), and n, as columns of a table. mean: its column."""
    numbers = map(float, summary(values))
    return {**dict(zip((mean, "std", "low", "high"), numbers, strict=True)), "n": len(values)}


def names_of(run: Run) -> dict[str, str]:
    """Return the game of a run, its data and the algorithm, as columns of a table."""
    return {"environment": run.environment["name"], "data": run.environment["data_note"], "algorithm": run.title}


def final_regrets(panels: Sequence[Sequence[Run]], band: str) -> pd.DataFrame:
    """Return panel, data, algorithm, mean, low, high and n of the final regret, one row per run table."""
    import pandas as pd  # here, because plans are read without it

    rows = []
    for run in flat(panels):
        numbers = map(float, centre_and_band(final_regret(run), band))
        rows.append((run.environment["name"], run.environment["data_note"], run.title, *numbers, len(run.seeds)))
    return pd.DataFrame(rows, columns=["panel", "data", "algorithm", "mean", "low", "high", "n"])


def curves(panels: Sequence[Sequence[Run]], band: str, measure: Callable[[Run], np.ndarray]) -> pd.DataFrame:
    """Return the curves of runs against rounds: panel, algorithm, round, mean, low, high and n, one row per checkpoint.

    measure: returns the curves, (n, C), of the n replicas of a run. Values are NaN once a replica is lost.
    """
    import pandas as pd

    rows = []
    for run in flat(panels):
        mean, low, high = centre_and_band(measure(run), band)
        columns = {"panel": run.environment["name"], "algorithm": run.title, "round": run.rounds}
        rows.append(pd.DataFrame({**columns, "mean": mean, "low": low, "high": high, "n": len(run.seeds)}))
    return pd.concat(rows, ignore_index=True)


def thinned(table: pd.DataFrame) -> pd.DataFrame:
    """Return at most `POINTS` rows of each curve, evenly spaced, the last one among them. table: as of `curves`."""
    curve = table.groupby(["panel", "algorithm"], sort=False)["round"]
    step = -(-curve.transform("size") // POINTS)
    return table[curve.cumcount(ascending=False) % step == 0].reset_index(drop=True)


def relative_to(
    panels: Sequence[Sequence[Run]], relative: str | None, measure: Callable[[Run], np.ndarray]
) -> Callable[[Run], np.ndarray]:
    """Return a measure, (n, C), divided by that of the run titled `relative` in the same panel; None divides by 1.

    Of runs with other seeds than that run, those on common seeds are left, so that n may be smaller.
    """
    if not relative:
        return measure
    bases = {run.path: reference(runs, relative) for runs in panels for run in runs}

    def divided(run: Run) -> np.ndarray:
        _, here, there = np.intersect1d(run.seeds, bases[run.path].seeds, return_indices=True)
        return measure(run)[here] / measure(bases[run.path])[there]

    return divided


def reference(runs: Sequence[Run], title: str) -> Run:
    """Return the run called `title`; raise InputError if the panel has none."""
    titles = {run.title: run for run in runs}
    return titles[pick(title, titles, f"algorithm on {runs[0].environment['name']}")]


def paired_final_regret(first: Run, second: Run) -> tuple[np.ndarray, np.ndarray]:
    """Return the final regrets of two runs on their common seeds, (m,) each, in the order of the seeds."""
    _, here, there = np.intersect1d(first.seeds, second.seeds, return_indices=True)
    return final_regret(first)[here], final_regret(second)[there]


def is_clear(gaps: np.ndarray) -> bool:
    """Return whether the mean of differences, (n,), is above zero by more than two standard errors."""
    return bool(gaps.mean() > 2 * deviation(gaps) / np.sqrt(len(gaps)))


def is_at_chance(run: Run, random: Run) -> bool:
    """Return whether the final regret is within two standard errors of Random's on the same seeds, or above it."""
    own, chance = paired_final_regret(run, random)
    gaps = chance - own  # NaN where runs were lost, of which nothing is said
    return len(gaps) > 1 and not np.isnan(gaps).any() and not is_clear(gaps)


def by_final_regret(runs: Sequence[Run]) -> list[Run]:
    """Return runs sorted by their mean final regret, the lowest first, those with lost replicas last."""
    return sorted(runs, key=mean_final_regret)


def significance_marks(ordered: Sequence[Run]) -> list[str]:
    """Return "=" for every run after the first that does not differ significantly from the first, else "".

    Two-sided Wilcoxon tests on common seeds, corrected by Holm's rule. The smallest p of n pairs is 2^(1 - n): if m
    tests of n pairs can never fall below the level, m 2^(1 - n) > `LEVEL`, a run is not tested and has no mark.
    """
    best, others = ordered[0], ordered[1:]
    known = [run for run in others if not run.lost]
    pairs = {run.path: paired_final_regret(run, best) for run in known}
    tested = [path for path, (own, _) in pairs.items() if len(known) * 0.5 ** (len(own) - 1) <= LEVEL]
    p_values = [wilcoxon(*pairs[path]) for path in tested]
    equal = {path for path, p in zip(tested, holm(np.array(p_values)), strict=True) if p > LEVEL} if tested else set()
    return ["=" if run.path in equal else "" for run in others]
