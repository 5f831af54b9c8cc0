"""Forest plots: one row per algorithm, with the ratio of its result to that of a reference and its 95 % interval.

The names of the rows carry the look of each algorithm, so that a forest beside curves is their legend.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from manybandits.base.statistics import paired_ratio
from manybandits.figures.canvas import SMALL, emphasise, plain_log
from manybandits.figures.palette import is_own, look
from manybandits.results.display_names import algorithm_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDE = 4.0
"""The ratio of the largest to the smallest value from which on the axis is logarithmic."""
TICKS = 4
"""The most ticks of a logarithmic axis: more would run into each other in a narrow panel."""
SAMPLE = (-0.1, -0.02)
"""Where the sample of a line lies beside the axis, as shares of its width."""


@dataclass(frozen=True)
class Row:
    """A row of a forest. ratio, low, high: to the reference, NaN where runs were lost; shown: what is written after."""

    title: str
    ratio: float
    low: float
    high: float
    shown: str


def ratio_to(values: np.ndarray, reference: np.ndarray) -> tuple[float, float, float]:
    """Return the ratio of the means of paired runs, (n,) each, and its 95 % interval; NaN where a run was lost."""
    if not (np.isfinite(values).all() and np.isfinite(reference).all()) or reference.mean() == 0:
        return np.nan, np.nan, np.nan
    if len(values) == 1:
        return float(values[0] / reference[0]), np.nan, np.nan
    return paired_ratio(values, reference)


def draw_forest(
    axes: Axes,
    rows: Sequence[Row],
    others: Sequence[str],
    heading: str = "",
    lines: bool = True,
    ends: np.ndarray | None = None,
) -> None:
    """Draw rows from the top down.

    others: all titles of the figure, sorted; heading: of the column of numbers; lines: whether names show their lines;
    ends: further values that the axis has room for.
    """
    beside: dict[str, Any] = {"xycoords": axes.get_yaxis_transform(), "textcoords": "offset points", "fontsize": SMALL}
    axes.annotate(heading, (1.0, -0.75), (3, 0), color="#555555", va="center", **beside)
    for place, row in enumerate(rows):
        shown = look(row.title, others)
        own = is_own(row.title)
        mark: dict[str, Any] = {"color": shown["color"], "marker": shown["marker"]}
        axes.plot(row.ratio, place, linestyle="", markersize=6.5 if own else 5, zorder=3, **mark)
        axes.plot([row.low, row.high], [place, place], color=shown["color"], linewidth=2.2 if own else 1.2, zorder=2)
        axes.annotate(row.shown, (1.0, place), (3, 0), va="center", **beside)
        if lines:
            sample = {**shown, "linewidth": 2.2 if own else 1.4, "markersize": 4, "markevery": [1]}
            across: dict[str, Any] = {"transform": axes.get_yaxis_transform(), "clip_on": False}
            axes.plot(np.linspace(*SAMPLE, 3), [place] * 3, **sample, **across)
    axes.axvline(1.0, color="#333333", linewidth=0.9, zorder=1)
    axes.set_yticks(range(len(rows)), [algorithm_name(row.title) for row in rows], fontsize=8)
    axes.tick_params(axis="y", length=0, pad=26 if lines else 4)
    for label, row in zip(axes.get_yticklabels(), rows, strict=True):
        emphasise(label, row.title)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.grid(axis="y", visible=False)
    axes.spines["left"].set_visible(False)
    every = np.array([1.0, *(end for row in rows for end in (row.ratio, row.low, row.high))])
    _scale(axes, every if ends is None else np.append(every, ends))


def _scale(axes: Axes, ends: np.ndarray) -> None:
    """Choose the axis of ratios: linear with room at its ends, or logarithmic if they differ by more than `WIDE`."""
    from matplotlib.ticker import MaxNLocator

    ends = ends[np.isfinite(ends) & (ends > 0)]
    low, high = float(ends.min()), float(ends.max())
    if high / low > WIDE:
        room = (high / low) ** 0.06
        plain_log(axes.xaxis, low, high, TICKS)
        axes.set_xlim(low / room, high * room)
    else:
        room = 0.06 * (high - low) or 0.05
        axes.set_xlim(low - room, high + room)
        axes.xaxis.set_major_locator(MaxNLocator(5))
