"""Forest plots: one row per algorithm, with the ratio of its result to that of a reference and its 95 % interval.

The names of the rows carry the look of each algorithm, so that a forest beside curves is their legend.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from manybandits.base.statistics import paired_ratio
from manybandits.figures.palette import Look
from manybandits.figures.panel import Axis, Line, Panel
from manybandits.results.display_names import algorithm_name

if TYPE_CHECKING:
    import pandas as pd

WIDE = 4.0
"""The ratio of the largest to the smallest value from which on the axis is logarithmic."""


def ratio_to(values: np.ndarray, reference: np.ndarray) -> tuple[float, float, float]:
    """Return the ratio of the means of paired runs, (n,) each, and its 95 % interval; NaN where a run was lost."""
    if not (np.isfinite(values).all() and np.isfinite(reference).all()) or reference.mean() == 0:
        return np.nan, np.nan, np.nan
    if len(values) == 1:
        return float(values[0] / reference[0]), np.nan, np.nan
    return paired_ratio(values, reference)


def forest(
    rows: pd.DataFrame,
    looks: Mapping[str, Look],
    label: str,
    heading: str,
    title: str = "",
    samples: bool = True,
    cloud: pd.DataFrame | None = None,
) -> Panel:
    """Return a forest as a panel, with its rows from the top down.

    rows: series, mean, low and high, NaN where runs were lost, and words, which are written at the right below the
    heading; samples: whether names show their lines; cloud: series and mean of small dots behind the rows.
    """
    rows = rows.reset_index(drop=True)
    rows["x"] = rows.index.astype(float)
    places = dict(zip(rows["series"], rows["x"], strict=True))
    names = {name: algorithm_name(name) for name in rows["series"]}
    behind = None if cloud is None else cloud.assign(x=cloud["series"].map(places))
    dots = [] if behind is None else [behind["mean"].to_numpy(float)]
    ends = np.concatenate([[1.0], rows[["mean", "low", "high"]].to_numpy(float).ravel(), *dots])
    return Panel(
        title=title,
        rows=rows,
        x=_across(label, ends[np.isfinite(ends) & (ends > 0)]),
        y=Axis(ends=(len(rows) - 0.4, -0.6), ticks={places[name]: words for name, words in names.items()}),
        series=names,
        looks=looks,
        form="forest",
        across=True,
        heading=heading,
        beside=dict(zip(rows["x"], rows["words"], strict=True)),
        lines=[Line([1.0], color="#333333")],
        samples=samples,
        cloud=behind,
    )


def _across(label: str, ends: np.ndarray) -> Axis:
    """Return the axis of ratios: linear with room at its ends, or logarithmic if they differ by more than `WIDE`."""
    low, high = float(ends.min()), float(ends.max())
    if high / low > WIDE:
        room = (high / low) ** 0.06
        return Axis(label, "log", (low / room, high * room), (low, high))
    room = 0.06 * (high - low) or 0.05
    return Axis(label, ends=(low - room, high + room))
