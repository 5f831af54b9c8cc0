"""A panel of a figure as data: what is drawn, from which columns, with which words; pictures and charts show it.

A kind of figure turns its table, which is its CSV, into panels; `manybandits.figures.drawing` draws them with seaborn,
and `manybandits.report.charts` with Altair.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from manybandits.figures.palette import Look, in_order
from manybandits.figures.published import Published
from manybandits.results.display_names import algorithm_name, note_words

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("series", "x", "mean", "low", "high", "n")
Form = Literal["curves", "lines", "points", "forest"]
"""Curves have bands and few markers; lines a marker and a bar at each value; points are not joined; a forest has its
names at the left, and is the legend of the curves beside it."""


@dataclass(frozen=True)
class Axis:
    """An axis. ends: of the axis, None for the default; ticks: place -> label, none for the default.

    reach: the least and the largest number on a logarithmic axis, above 0.
    """

    label: str = ""
    scale: str = "linear"
    ends: tuple[float | None, float | None] = (None, None)
    reach: tuple[float, float] = (1.0, 1.0)
    ticks: Mapping[float, str] = field(default_factory=dict)


class Mark(NamedTuple):
    """A published number. quoted: whether the paper quotes it from another one."""

    series: str
    x: float
    y: float
    quoted: bool = False


class Line(NamedTuple):
    """A line for reference: through points, or across the whole panel at `x`, if there is no `y`."""

    x: Sequence[float]
    y: Sequence[float] = ()
    label: str = ""
    color: str = "#999999"
    dash: tuple[float, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Panel:
    """A panel.

    title: what was played. rows: series, x, mean, low, high and n, one row per value, and place where places have
    names, and group where a series is several lines. Values are drawn against x or, if they run across, along the
    horizontal axis at heights x. series: those of the panel as they are listed, with the words of each. looks: of all
    series of the figure. legend: whether there is one beside the panel. heading: above the legend, or above `beside`,
    the words at the right, place -> words. marks: published numbers. lines: for reference. note: written into the
    panel. stand_in: whether data replace those of the paper. samples: whether the names of a forest have samples of
    the lines beside it. emphasis: the methods at the ticks of the vertical axis, of which own ones stand out. numbered:
    whether values have their number written above them. cloud: series, x and mean of small dots behind the rows.
    """

    title: str
    rows: pd.DataFrame
    x: Axis
    y: Axis
    series: Mapping[str, str]
    looks: Mapping[str, Look]
    form: Form = "curves"
    across: bool = False
    heading: str = ""
    beside: Mapping[float, str] = field(default_factory=dict)
    marks: Sequence[Mark] = ()
    lines: Sequence[Line] = ()
    note: str = ""
    stand_in: bool = False
    samples: bool = False
    emphasis: Sequence[str] = ()
    numbered: bool = False
    legend: bool = True
    cloud: pd.DataFrame | None = None


def rows_of(table: pd.DataFrame, **columns: str) -> pd.DataFrame:
    """Return the columns of a panel from a table that may call them otherwise: name in the panel -> in the table."""
    renamed = {**{name: name for name in COLUMNS}, "series": "algorithm", **columns}
    found = {name: column for name, column in renamed.items() if column in table}
    return table[[*found.values()]].set_axis([*found], axis=1)


def listed_names(rows: pd.DataFrame, higher: bool = False, words: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the series of a panel with their names, as legends list them: own methods, then the best by last value.

    words: what is written after a name.
    """
    ends = {str(name): float(mean.iloc[-1]) for name, mean in rows.groupby("series")["mean"]}
    return {
        title: "  ".join(filter(None, [algorithm_name(title), (words or {}).get(title, "")]))
        for title in in_order(list(ends), ends, higher)
    }


def log_axis(label: str, numbers: pd.DataFrame | pd.Series, ticks: Mapping[float, str] | None = None) -> Axis:
    """Return a logarithmic axis that reaches all numbers above 0; a linear one if there are none."""
    above = numbers.to_numpy(float)
    above = above[above > 0]
    return Axis(label, "log", reach=(above.min(), above.max()), ticks=ticks or {}) if len(above) else Axis(label)


def panel_of(facts: Mapping[str, Any], game: str, **how: Any) -> Panel:
    """Return the panel of a game, with what the facts about a figure say of it. how: the other parts of the panel."""
    environment = facts.get("games", {}).get(game, {})
    told: dict[str, Any] = {
        "title": note_words(str(environment.get("data_note", game))),
        "note": textwrap.fill(facts.get("notes", {}).get(game, ""), 52),
        "stand_in": bool(environment.get("stand_in", facts["stand_in"])),
    }
    return Panel(**{**told, **how})


def shown_number(value: float) -> str:
    """Return a number with three significant digits, or as a whole number from 100 on."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:#.3g}"


def published_in(facts: Mapping[str, Any], game: str = "") -> list[Published]:
    """Return the published numbers that the facts about a figure hold, of a game or of all."""
    return [one for one in (Published(**mark) for mark in facts.get("published", ())) if game in ("", one.game)]
