"""Statistics of repeated runs: means, bootstrap intervals, paired tests. Pure functions of arrays.

Two algorithms face the same rounds on the same seeds, so their runs are compared in pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from manybandits.base.exceptions import InputError
from manybandits.base.seeds import stream

RESAMPLES = 10_000
"""Resamples of every bootstrap."""


def checked(values: np.ndarray, least: int = 1) -> np.ndarray:
    """Return `values`, (n, ...), as float64; raise InputError on NaN or fewer than `least` runs."""
    values = np.asarray(values, np.float64)
    if values.ndim == 0 or len(values) < least:
        raise InputError(f"{values.size} runs are too few: at least {least} are needed.")
    if not np.isfinite(values).all():
        raise InputError("a run holds NaN or infinity: it diverged, or its table is damaged.")
    return values


def deviation(values: np.ndarray) -> np.ndarray:
    """Return the sample standard deviation over runs, (...). values: (n, ...); zeros for a single run."""
    values = checked(values)
    return values.std(axis=0, ddof=1) if len(values) > 1 else np.zeros(values.shape[1:])


def bootstrap_interval(values: np.ndarray, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Return the percentile bootstrap interval of the mean over runs, two arrays (...). values: (n, ...)."""
    values = checked(values)
    means = _resampling(len(values)) @ values.reshape(len(values), -1)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return low.reshape(values.shape[1:]), high.reshape(values.shape[1:])


@lru_cache(maxsize=16)
def _resampling(runs: int) -> np.ndarray:
    """Return how much each run counts in each resample, (RESAMPLES, runs): all that a resampled mean depends on."""
    draws = stream("bootstrap", runs).integers(runs, size=(RESAMPLES, runs))
    return np.stack([(draws == run).sum(axis=1) for run in range(runs)], axis=1) / runs


def summary(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return mean, sample standard deviation and the ends of the bootstrap interval of the mean over runs, (...) each.

    values: (n, ...); where a run is NaN, because it diverged, all four are NaN.
    """
    columns = np.asarray(values, np.float64).reshape(len(values), -1)
    known = np.isfinite(columns).all(axis=0)
    found = np.full((4, columns.shape[1]), np.nan)
    if known.any():
        shown = columns[:, known]
        found[:, known] = shown.mean(axis=0), deviation(shown), *bootstrap_interval(shown)
    mean, spread, low, high = found.reshape(4, *np.shape(values)[1:])
    return mean, spread, low, high


def interval_of(draws: np.ndarray, level: float = 0.05) -> tuple[float, float]:
    """Return the ends of the interval of resampled values, (m,), that leaves out the share `level` of them."""
    if np.isnan(draws).all():
        return np.nan, np.nan
    with np.errstate(invalid="ignore"):
        low, high = np.nanquantile(draws, [level / 2, 1 - level / 2])
    return float(low), float(high)


def two_sided(against: np.ndarray) -> float:
    """Return a two-sided p-value: twice the share of resamples that speak against an answer, at most 1.

    against: (m,) of truth values. One resample is added to those against, so that p is never 0.
    """
    return min(1.0, 2 * (int(against.sum()) + 1) / (len(against) + 1))


def slope(points: dict[float, np.ndarray]) -> tuple[float, float, float]:
    """Return the slope of log mean against log x, and its 95 % bootstrap interval; see `resampled_slope`."""
    found, draws = resampled_slope(points)
    return found, *interval_of(draws)


def resampled_slope(points: dict[float, np.ndarray]) -> tuple[float, np.ndarray]:
    """Return the slope of log mean against log x, and its resampled values, (RESAMPLES,); NaN with one point or none.

    points: x -> (n,), of the same n runs at every x, which are resampled together. Points where x or the mean is 0 are
    left out.
    """
    shown = {x: values for x, values in points.items() if x > 0 and values.mean() > 0}
    if len(shown) < 2:
        return np.nan, np.full(1, np.nan)
    x = np.log(list(shown))
    values = np.stack(list(shown.values()))  # (points, n)
    draws = stream("slope", values.shape[1]).integers(values.shape[1], size=(RESAMPLES, values.shape[1]))
    with np.errstate(divide="ignore"):
        means = np.log(np.concatenate([values.mean(axis=1)[:, None], values[:, draws].mean(axis=2)], axis=1))
    centred = x - x.mean()
    slopes = centred @ means / (centred @ centred)
    return float(slopes[0]), slopes[1:]


def paired_difference(first: np.ndarray, second: np.ndarray, level: float = 0.95) -> tuple[float, float, float]:
    """Return the mean of first - second over paired runs, (n,) each, and its bootstrap interval."""
    gaps = checked(_paired(first, second))
    low, high = bootstrap_interval(gaps, level)
    return float(gaps.mean()), float(low), float(high)


Statistic = Callable[[np.ndarray], np.ndarray]
"""A function of runs, (..., n), to a number, (...): a mean, a standard deviation."""


def average(values: np.ndarray) -> np.ndarray:
    """Return the mean over runs, (...). values: (..., n)."""
    return np.asarray(values.mean(axis=-1))


def sample_deviation(values: np.ndarray) -> np.ndarray:
    """Return the sample standard deviation over runs, (...). values: (..., n), two runs or more."""
    return np.asarray(values.std(axis=-1, ddof=1))


def variation(values: np.ndarray) -> np.ndarray:
    """Return the sample standard deviation over runs divided by their mean, (...). values: (..., n), two or more.

    It is NaN or infinite where the mean is 0.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return sample_deviation(values) / average(values)


def estimate(values: np.ndarray, statistic: Statistic = average, level: float = 0.95) -> tuple[float, float, float]:
    """Return a statistic of runs, (n,), and its percentile bootstrap interval."""
    values = checked(values)
    found = statistic(values[stream("bootstrap", len(values)).integers(len(values), size=(RESAMPLES, len(values)))])
    low, high = np.quantile(found, [(1 - level) / 2, (1 + level) / 2])
    return float(statistic(values)), float(low), float(high)


def paired_lead(
    first: np.ndarray,
    second: np.ndarray,
    statistic: Statistic = average,
    *,
    higher: bool = True,
    margin: float = 0.0,
) -> tuple[float, float, float, float]:
    """Return by how much a statistic of first is better than that of second, as a share of the latter's size.

    first, second: (n,) each, of the same seeds, which are resampled together; higher: whether more is better; margin:
    by how much it may be worse. Returns the lead, its 95 % bootstrap interval, and the two-sided p-value of a lead of
    -margin: twice the share of resampled leads on the other side of it, with one resample added to that side, so that
    p is never 0.
    """
    checked(_paired(first, second))
    unit = (1 if higher else -1) / (abs(float(statistic(second))) or 1.0)
    draws = stream("lead", len(first)).integers(len(first), size=(RESAMPLES, len(first)))
    with np.errstate(invalid="ignore"):
        leads = unit * (statistic(first[draws]) - statistic(second[draws]))
    lead = unit * float(statistic(first) - statistic(second))
    low, high = np.quantile(leads, [0.025, 0.975])
    return lead, float(low), float(high), two_sided(leads <= -margin if lead > -margin else leads >= -margin)


def paired_ratio(
    first: np.ndarray, second: np.ndarray, statistic: Statistic = average, level: float = 0.95
) -> tuple[float, float, float]:
    """Return the ratio of a statistic of first and second, paired runs, (n,) each, and its bootstrap interval."""
    ratio, draws = resampled_ratio(first, second, statistic)
    return ratio, *interval_of(draws, 1 - level)


def resampled_ratio(first: np.ndarray, second: np.ndarray, statistic: Statistic = average) -> tuple[float, np.ndarray]:
    """Return the ratio of a statistic of first and second, paired runs, (n,) each, and its resampled values.

    They are NaN or infinite where the statistic of second is 0.
    """
    _paired(first, second)
    draws = stream("ratio", len(first)).integers(len(first), size=(RESAMPLES, len(first)))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = statistic(checked(first)[draws]) / statistic(checked(second)[draws])
        ratio = float(statistic(first) / statistic(second))
    return ratio, ratios


def wilcoxon(first: np.ndarray, second: np.ndarray) -> float:
    """Return the two-sided p-value of the Wilcoxon signed-rank test on paired runs, (n,) each; 1 if all are equal."""
    from scipy import stats  # here, because the import takes half a second and few processes need it

    gaps = checked(_paired(first, second), least=2)
    return 1.0 if not gaps.any() else float(stats.wilcoxon(gaps).pvalue)


def holm(p_values: np.ndarray) -> np.ndarray:
    """Return p-values, (m,), corrected for m tests by Holm's step-down procedure."""
    p_values = checked(p_values)
    order = np.argsort(p_values)
    steps = np.maximum.accumulate(p_values[order] * np.arange(len(p_values), 0, -1))
    corrected = np.empty(len(p_values))
    corrected[order] = np.minimum(steps, 1.0)
    return corrected


def _paired(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    first, second = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if first.shape != second.shape:
        raise InputError(f"runs of shapes {first.shape} and {second.shape} cannot be paired: play the same seeds.")
    return first - second
