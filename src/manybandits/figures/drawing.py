"""Pictures of panels: seaborn draws lines, bands, bars and points from the columns of a panel; this adds the words."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from manybandits.figures.canvas import (
    SMALL,
    Words,
    emphasise,
    mark_stand_in,
    new_figure,
    panel_title,
    set_words,
)
from manybandits.figures.palette import INK, RED, Look, is_own
from manybandits.figures.panel import Axis, Panel, shown_number
from manybandits.results.display_names import algorithm_name

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    PanelsOf = Callable[[pd.DataFrame, Mapping[str, Any], Mapping[str, Any]], Iterable[Panel | None]]
    FigureOf = Callable[[pd.DataFrame, Words, Mapping[str, Any], Mapping[str, Any]], Figure]

MARKERS = 5
"""The markers of a curve; those of several curves are shifted, so that curves that coincide all show theirs."""
WIDTH, OWN_WIDTH, SIZE, OWN_SIZE = 1.3, 2.2, 4.5, 6.0
"""The width of a line and the size of a marker, and those of a method that a paper proposes, in points."""
SAMPLE = (-0.1, -0.02)
"""Where the sample of a line lies beside a forest, as shares of its width."""
HOLLOW: Any = {"markerfacecolor": "white", "linestyle": ""}
"""How published numbers are drawn."""
LONG = 10_000
"""Rounds whose numbers are too long for more than a few ticks."""
CROWDED = 16
"""More ticks than these are written upwards."""
WIDEST = 40
"""The letters of a line of the legend."""


def tiled(panels: Iterable[Panel | None], words: Words, width: float, height: float, columns: int = 2) -> Figure:
    """Return a figure of panels that are all of one size.

    width, height: of a panel with its legend, in inches; columns: panels in a row, if there are as many.
    """
    panels = list(panels)
    across = min(columns, len(panels))
    return figure_of(panels, words, (width * across, height * -(-len(panels) // across)), across)


def figure_of(
    panels: Sequence[Panel | None],
    words: Words,
    size: tuple[float, float],
    columns: int = 1,
    widths: Sequence[float] | None = None,
) -> Figure:
    """Return a figure of panels with its words; see `canvas.new_figure` for what its arguments are."""
    figure, every = new_figure(len(panels), columns, size, widths=widths)
    for axes, panel in zip(every, panels, strict=True):
        if panel is None:
            axes.axis("off")
        else:
            draw_panel(axes, panel)
    set_words(figure, words)
    return figure


def draw_panel(axes: Axes, panel: Panel) -> None:
    """Draw a panel on axes."""
    if panel.cloud is not None:
        for name, dots in panel.cloud.groupby("series"):
            faint: Any = {"color": panel.looks[str(name)].color, "alpha": 0.35, "linestyle": ""}
            axes.plot(dots["mean"], dots["x"], marker=".", markersize=4, **faint)
    _draw_rows(axes, panel)
    above = 15.0 if panel.across and panel.lines else 6.0  # the words of lines are below the title
    panel_title(axes, panel.title, 110 if panel.legend else 58, above)
    _draw_lines(axes, panel)
    _set_axis(axes, "x", panel.x)
    _set_axis(axes, "y", panel.y)
    for mark in panel.marks:
        hollow: Any = {
            **HOLLOW,
            "marker": "s" if mark.quoted else "D",
            "markeredgecolor": panel.looks[mark.series].color,
        }
        axes.plot([mark.x], [mark.y], markersize=6, markeredgewidth=1.3, zorder=5, clip_on=False, **hollow)
        if not panel.across:
            _make_room(axes, mark.y)
    _write_words(axes, panel)
    if panel.form == "forest":
        _finish_forest(axes, panel)
    elif panel.legend:
        _draw_legend(axes, panel)
    if panel.stand_in:
        mark_stand_in(axes)


def _draw_lines(axes: Axes, panel: Panel) -> None:
    """Draw the lines for reference: rates through points, and lines across the panel with words above it."""
    for number, line in enumerate(panel.lines):
        if line.y:
            axes.plot(line.x, line.y, color=line.color, linewidth=3.0, alpha=0.6, zorder=0)
            continue
        axes.axvline(line.x[0], color=line.color, linewidth=1.0, linestyle=_dashes(line.dash), zorder=1)
        top: Any = {"xycoords": axes.get_xaxis_transform(), "textcoords": "offset points", "fontsize": SMALL}
        side = "right" if number == 0 else "center"
        axes.annotate(line.label, (line.x[0], 1.0), (0, 2), color=line.color, ha=side, **top)


def _write_words(axes: Axes, panel: Panel) -> None:
    """Write what stands at values: names of own methods, numbers, words at the right, and the note of the panel."""
    at: Any = {"textcoords": "offset points", "fontsize": SMALL}
    if panel.form == "points" and not panel.across:
        for row in panel.rows[panel.rows["series"].map(is_own)].to_dict("records"):
            name = algorithm_name(row["series"])
            axes.annotate(name, (row["x"], row["mean"]), (7, 5), color=RED, fontweight="bold", **at)
    for label, name in zip(axes.get_yticklabels(), panel.emphasis, strict=False):
        emphasise(label, name)
    for place, words in panel.beside.items():
        axes.annotate(words, (1.0, place), (3, 0), xycoords=axes.get_yaxis_transform(), va="center", **at)
    for row in panel.rows.to_dict("records") if panel.numbered else ():
        spot = (row["mean"], row["x"]) if panel.across else (row["x"], row["mean"])
        axes.annotate(shown_number(row["mean"]), spot, (0, 5), ha="center", **at)
    if panel.note:
        axes.text(0.03, 0.97, panel.note, transform=axes.transAxes, va="top", fontsize=8, style="italic")


def _dashes(dash: tuple[float, ...]) -> Any:
    """Return dashes as Matplotlib takes them."""
    return (0, dash) if dash else "-"


def _draw_rows(axes: Axes, panel: Panel) -> None:
    """Draw the rows of a panel with seaborn: the first of its series last, above the others."""
    import seaborn.objects as so

    other, value = ("y", "x") if panel.across else ("x", "y")
    order = [name for name in reversed([*panel.series]) if name in set(panel.rows["series"])]
    shown = {name: panel.looks[name] for name in order}
    columns = {other: "x", value: "mean", f"{value}min": "low", f"{value}max": "high"}
    looks = {
        "color": {name: one.color for name, one in shown.items()},
        "marker": {name: one.marker for name, one in shown.items()},
        "linestyle": {name: _dashes(one.dash) for name, one in shown.items()},
        "linewidth": {name: OWN_WIDTH if one.own else WIDTH for name, one in shown.items()},
        "pointsize": {name: OWN_SIZE if one.own else SIZE for name, one in shown.items()},
    }
    scales = {channel: so.Nominal(values, order=order) for channel, values in looks.items()}
    layer: Any = {"orient": other, "legend": False, "color": "series", **columns}
    rows = panel.rows[panel.rows["series"].isin(order)].reset_index(drop=True)
    plot, joined = so.Plot().on(axes).scale(**scales), panel.form in ("curves", "lines")
    if panel.form == "curves":
        plot = plot.add(so.Band(alpha=0.12), data=rows, **layer)
    elif rows["low"].notna().any():
        plot = plot.add(so.Range(), data=rows[rows["low"].notna()], **layer, linewidth="series")
    if joined:
        group = {"group": "group"} if "group" in rows else {}
        plot = plot.add(so.Line(marker=""), data=rows, **layer, **group, linestyle="series", linewidth="series")
    marked = _marked(rows, order) if panel.form == "curves" else rows
    plot.add(so.Dot(), data=marked, **layer, marker="series", pointsize="series").plot()
    for line, name in zip(axes.get_lines() if panel.form == "curves" else (), order, strict=False):
        line.set_label(panel.series[name])  # so that whoever changes the figure finds a line by its name


def _marked(rows: pd.DataFrame, order: Sequence[str]) -> pd.DataFrame:
    """Return the rows of curves that have a marker."""
    place = rows.groupby("series", sort=False).cumcount()
    gap = (rows.groupby("series", sort=False)["x"].transform("size") // MARKERS).clip(lower=1)
    shift = (rows["series"].map({name: number + 1 for number, name in enumerate(order)}) * gap) // (len(order) + 1)
    return rows[place % gap == shift % gap]


def _set_axis(axes: Axes, which: str, axis: Axis) -> None:
    """Set the label, the scale, the ends and the ticks of an axis."""
    from matplotlib.ticker import FixedFormatter, FixedLocator, MaxNLocator, NullLocator

    from manybandits.figures.ticks import PlainNumbers, plain_log

    drawn = axes.xaxis if which == "x" else axes.yaxis
    lines = [textwrap.fill(line, 44 if which == "x" else 36) for line in axis.label.splitlines()]
    axes.set(**{f"{which}label": "\n".join(lines)})
    if axis.scale == "log":
        plain_log(drawn, *axis.reach, most=8 if which == "y" else 5)
    else:
        most = 7 if which == "y" else 3 if (axis.ends[1] or 0.0) >= LONG else 5
        drawn.set_major_locator(MaxNLocator(most, steps=[1, 2, 2.5, 5, 10]))
        drawn.set_major_formatter(PlainNumbers())
    if axis.ticks:
        drawn.set_major_locator(FixedLocator([*axis.ticks]))
        drawn.set_major_formatter(FixedFormatter([*axis.ticks.values()]))
        if which == "x" and len(axis.ticks) > CROWDED:
            axes.tick_params(axis="x", labelrotation=90, labelsize=6.5)
    drawn.set_minor_locator(NullLocator())
    low, high = axis.ends
    (axes.set_xlim if which == "x" else axes.set_ylim)(low, high)


def _make_room(axes: Axes, value: float) -> None:
    """Let a published number lie inside its panel: below, it would be taken for one of the next panel."""
    low, high = axes.get_ylim()
    room = 0.05 * (high - low)
    if value < low:
        axes.set_ylim(bottom=value - room if axes.get_yscale() == "linear" else 0.9 * value)
    elif value > high:
        axes.set_ylim(top=value + room)


def _sample(one: Look) -> dict[str, Any]:
    """Return how the sample of a series is drawn, in legends and beside forests."""
    return {
        "color": one.color,
        "linestyle": _dashes(one.dash),
        "marker": one.marker,
        "linewidth": OWN_WIDTH if one.own else WIDTH,
        "markersize": OWN_SIZE if one.own else SIZE,
    }


def _draw_legend(axes: Axes, panel: Panel) -> None:
    """Draw the legend beside a panel, because lines may be anywhere in it."""
    from matplotlib.lines import Line2D

    joined: dict[str, Any] = {} if panel.form in ("curves", "lines") else {"linestyle": ""}
    handles = [Line2D([], [], **{**_sample(panel.looks[name]), **joined}) for name in panel.series]
    labels = [textwrap.fill(words, WIDEST) for words in panel.series.values()]
    for line in (line for line in panel.lines if line.y and line.label):
        handles.append(Line2D([], [], color=line.color, linewidth=3.0, alpha=0.6))
        labels.append(textwrap.fill(line.label, WIDEST))
    for quoted in sorted({mark.quoted for mark in panel.marks}):
        marker = "s" if quoted else "D"
        handles.append(Line2D([], [], marker=marker, markeredgecolor=INK, **HOLLOW))
        labels.append("quoted by the paper" if quoted else "published")
    how: Any = {
        "title": panel.heading or None,
        "loc": "upper left",
        "bbox_to_anchor": (1.08 if panel.beside else 1.0, 1.0),
        "handlelength": 3.2,
    }
    legend = axes.legend(handles, labels, fontsize=SMALL, title_fontsize=SMALL, **how)
    for text, name in zip(legend.get_texts(), panel.series, strict=False):
        emphasise(text, name)


def _finish_forest(axes: Axes, panel: Panel) -> None:
    """Write names and samples of lines at the left of a forest, and numbers at its right."""
    at_side: Any = {"xycoords": axes.get_yaxis_transform(), "textcoords": "offset points", "fontsize": SMALL}
    axes.annotate(panel.heading, (1.0, -0.75), (3, 0), color="#555555", va="center", **at_side)
    for place, name in enumerate(panel.series if panel.samples else ()):
        across: Any = {"transform": axes.get_yaxis_transform(), "clip_on": False, "markevery": [1]}
        sample: dict[str, Any] = {**_sample(panel.looks[name]), "markersize": 4}
        axes.plot(np.linspace(*SAMPLE, 3), [place] * 3, **sample, **across)
    axes.tick_params(axis="y", length=0, pad=26 if panel.samples else 4, labelsize=8)
    for label, name in zip(axes.get_yticklabels(), panel.series, strict=True):
        emphasise(label, name)
    axes.grid(axis="y", visible=False)
    axes.spines["left"].set_visible(False)
