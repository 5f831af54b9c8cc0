"""Interactive charts: the CSV of a figure as Vega-Lite, with zoom, hidden series and values at the pointer.

It shows the panels of which the picture is drawn, too (`manybandits.figures.panel`). Each is sent as a specification of
Vega-Lite without data, and its series as columns. The script of the page joins them, hides a series by the signal
``hidden``, and sets the scale of an axis that the panel names among its ``scales``.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from manybandits.base.table_files import Row
from manybandits.figures import clusters, dots, estimation_errors, grid, option_sweep, regret, runtime, sweep
from manybandits.figures.palette import Look, standing
from manybandits.figures.panel import Panel
from manybandits.report.inputs import ReportedFigure
from manybandits.results.display_names import algorithm_name

HEIGHT = 300
LABEL = 330
"""The longest label of an algorithm, in pixels."""
BAR = {"_": (1.0, 0.22), "|": (0.22, 1.0)}
"""Half the breadth and the height of markers that are a bar."""
Ends = tuple[float | None, float | None]
"""Of an axis, None for the default."""
STEP = 13
"""Pixels between the values of a grid, so that their labels have room; wider charts scroll."""
NUMBERS = ("mean", "low", "high")
WIDTH, OWN_WIDTH = 1.6, 2.8
"""Of a line, in pixels, and of that of a method that a paper proposes; dashes are multiples of the first."""
TEXT = frozenset(
    "panel algorithm share_of ratio_to measure regime swept estimator environment values mark data game".split()
)
"""The columns of figures that are words; all others are numbers."""
LOOK_CHANNELS = (
    ("color", "color"),
    ("stroke", "color"),
    ("strokeDash", "dash"),
    ("strokeWidth", "width"),
    ("shape", "marker"),
)
"""The channels of Vega-Lite that show which series it is, and the part of its look that each has."""
CONFIG: dict[str, Any] = {
    "background": "#ffffff",
    "view": {"stroke": "#c8c8d0"},
    "axis": {"gridColor": "#e4e4ea", "labelColor": "#1b1b1f", "titleColor": "#1b1b1f", "titleFontWeight": "normal"},
}


def chart_of(figure: ReportedFigure) -> dict[str, Any] | None:
    """Return the interactive chart of a figure for JSON, None for a kind of figure that has no chart.

    It has its panels, and the looks of all series: name -> label, color, dash, marker and width. A panel has its title,
    its spec, its series (name -> columns), its scales (axis -> linear or log, if it can change), and stand_in.
    """
    panels_of = CHARTS.get(figure.kind)
    if panels_of is None:
        return None
    every = panels_of(table_of(figure.rows), figure.made["settings"], figure.made["facts"])
    panels = [panel for panel in every if panel and panel.form != "forest"]
    words: dict[str, str] = {}
    for panel in panels:
        names = panel.series if len(panels) == 1 else {name: algorithm_name(name) for name in panel.series}
        words |= {name: names[name] for name in panel.series}
    looks = {name: look_of(panels[0].looks[name], words[name]) for name in sorted(words, key=standing)}
    return {"panels": [_panel(panel, looks) for panel in panels], "looks": looks}


CHARTS = {
    module.__name__.rpartition(".")[2]: module.KIND.panels_of
    for module in (clusters, dots, estimation_errors, grid, option_sweep, regret, runtime, sweep)
}
"""The function that makes the panels of a figure, by its kind."""


def table_of(rows: Sequence[Row]) -> pd.DataFrame:
    """Return the CSV of a figure as a table with numbers, NaN where a cell is empty."""
    table = pd.DataFrame(rows)
    for name in set(table) - TEXT:
        table[name] = pd.to_numeric(table[name], errors="coerce")
    return table


def look_of(look: Look, label: str) -> dict[str, Any]:
    """Return the look of a series for the script of the page: dashes in pixels, the marker as a path of SVG."""
    dash = [round(WIDTH * length, 2) for length in look.dash]
    width = OWN_WIDTH if look.own else WIDTH
    return {"label": label, "color": look.color, "dash": dash, "marker": marker_path(look.marker), "width": width}


@functools.cache
def marker_path(marker: str) -> str:
    """Return a marker of Matplotlib as a path of SVG in the square from -1 to 1; a cross or a bar gets a breadth."""
    from matplotlib.markers import MarkerStyle
    from matplotlib.transforms import Affine2D

    style = MarkerStyle({"x": "X", "+": "P", "_": "s", "|": "s"}.get(marker, marker))
    path = style.get_path().transformed(style.get_transform())
    corners: Any = np.asarray(path.vertices, float)
    width, height = BAR.get(marker, (1.0, 1.0))
    scaled = path.transformed(Affine2D().scale(width, -height).scale(1.0 / np.abs(corners).max()))
    letters = {1: "M", 2: "L", 3: "Q", 4: "C", 79: "Z"}
    drawn = [(letters[int(code)], points) for points, code in scaled.iter_segments(simplify=False)]
    return "".join(one if one == "Z" else one + ",".join(f"{number:.3g}" for number in points) for one, points in drawn)


def _panel(panel: Panel, looks: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return a panel as a specification and the columns of its series."""
    named, rows = "place" in panel.rows, panel.rows
    names_at = ("y" if panel.across else "x") if named else ""
    scales = {axis: one.scale for axis, one in (("x", panel.x), ("y", panel.y)) if axis != names_at}
    marks = [_published(panel)] if panel.marks and not named else []
    spec = _dressed(_named(panel) if named else _spec(panel), looks, *marks)
    found = {}
    for name in (one for one in panel.series if one in set(rows["series"])):
        points = rows[rows["series"] == name]
        columns: dict[str, list[Any]] = {"x": points["place"].tolist() if named else _numbers(points["x"])}
        columns |= {column: _numbers(points[column]) for column in NUMBERS}
        found[name] = {**columns, "n": sorted({int(count) for count in points["n"]})}
    return {"title": panel.title, "spec": spec, "series": found, "scales": scales, "stand_in": panel.stand_in}


def _spec(panel: Panel) -> Mapping[str, Any]:
    """Return the specification of a panel whose places are numbers."""
    joined = panel.form != "points"
    if joined:
        return _lines(panel.x.label, panel.y.label, panel.x.scale, panel.y.scale, panel.y.ends)
    axes = _axis("x", panel.x.label, panel.x.scale, padding=12), _axis("mean", panel.y.label, panel.y.scale, alt.Y)
    return _points(*axes, bar="y", tips=_tips("x:Q", panel.x.label))


def _named(panel: Panel) -> Mapping[str, Any]:
    """Return the specification of a panel whose places have names."""
    if panel.across:
        y = alt.Y("x:N", title=None, sort=None, axis=alt.Axis(labelLimit=LABEL))
        axes = _axis("mean", panel.x.label, panel.x.scale), y
        return _points(*axes, bar="x", tips=_tips("x:N", "algorithm"), width=520)
    labels = alt.Axis(labelAngle=-90, labelLimit=LABEL, labelOverlap=False)
    axes = (
        alt.X("x:N", title="value of the grid", sort=None, axis=labels),
        _axis("mean", panel.y.label, "linear", alt.Y),
    )
    return _points(*axes, bar="y", tips=_tips("x:N", "value"), width=alt.Step(STEP))


def _numbers(values: pd.Series) -> list[float | None]:
    return [float(f"{value:.6g}") if value == value else None for value in values]


def _axis(field: str, title: str, scale: str, channel: Any = alt.X, padding: int = 0, ends: Ends = (None, None)) -> Any:
    """Return the encoding of a number on an axis. padding: pixels at its ends, so that points there are not cut."""
    low, high = ends
    kind: Any = {"type": scale, "nice": scale == "linear", "padding": padding}
    if high is not None:
        kind["domainMax"] = high
    if low:  # 0 is where an axis of regrets begins, whose logarithm there is not
        kind["domainMin"] = low
    axis = alt.Axis(labelFlush=False, tickCount=6)
    return channel(f"{field}:Q", title=title, scale=alt.Scale(**kind), axis=axis)


def _series_by(channel: Any, kind: str = "nominal") -> Any:
    """Return the encoding of the series, whose looks `_dressed` fills in. kind: ordinal for what has sizes."""
    return channel("series", type=kind, legend=None)


@functools.cache
def _lines(
    x_title: str, y_title: str, x: str = "linear", y: str = "linear", ends: Ends = (None, None)
) -> Mapping[str, Any]:
    """Return curves with bands, markers, and their values where the pointer is. x, y: linear or log; ends: of y."""
    base = _base().encode(x=_axis("x", x_title, x))
    y_axis, dash, shape = _axis("mean", y_title, y, alt.Y, ends=ends), _series_by(alt.StrokeDash), _series_by(alt.Shape)
    width = _series_by(alt.StrokeWidth, "ordinal")  # Vega warns of widths without an order
    near = alt.selection_point(name="near", on="pointerover", nearest=True, empty=False, clear="pointerout")
    seen = alt.condition(near, alt.value(1), alt.value(0))
    points = base.mark_point(filled=True, clip=True, opacity=1, size=28)
    found = points.encode(y=y_axis, shape=shape, tooltip=_tips("x:Q", x_title), opacity=seen, size=alt.value(60))
    return _finished(
        base.mark_area(opacity=0.18, clip=True).encode(y=_axis("low", y_title, y, alt.Y, ends=ends), y2="high:Q"),
        base.mark_line(clip=True).encode(y=y_axis, strokeDash=dash, strokeWidth=width),
        points.transform_filter("datum.marked").encode(y=y_axis, shape=shape),
        found.add_params(near, _zoom("x", "y")),
    )


def _points(x: Any, y: Any, bar: str, tips: list[alt.Tooltip], width: Any = "container") -> Mapping[str, Any]:
    """Return points with error bars. bar: the axis that the bars run along."""
    upright = {"x": x, "y": alt.Y("low:Q"), "y2": "high:Q"}
    ends = upright if bar == "y" else {"y": y, "x": alt.X("low:Q"), "x2": "high:Q"}
    numbers = [axis for axis, encoding in (("x", x), ("y", y)) if encoding.to_dict()["type"] == "quantitative"]
    points = _base().mark_point(filled=True, opacity=1, size=70, clip=True)
    return _finished(
        _base().mark_rule(clip=True).encode(**ends),
        points.encode(x=x, y=y, shape=_series_by(alt.Shape), tooltip=tips).add_params(_zoom(*numbers)),
        width=width,
    )


def _base() -> alt.Chart:
    shown = alt.Chart(alt.NamedData(name="rows")).transform_filter("indexof(hidden, datum.series) < 0")
    return shown.encode(color=_series_by(alt.Color))


def _tips(x: str, title: str) -> list[alt.Tooltip]:
    return [
        alt.Tooltip("label:N", title="series"),
        alt.Tooltip(x, title=title),
        *(alt.Tooltip(f"{name}:Q", title=name, format=",.4~g") for name in NUMBERS),
        alt.Tooltip("n:N", title="runs"),
    ]


def _zoom(*axes: Any) -> Any:
    """Return the selection that zooms some axes by Ctrl or Shift and the wheel; the wheel alone scrolls the page."""
    wheel = "wheel![event.ctrlKey || event.shiftKey]"
    return alt.selection_interval(name="zoom", bind="scales", encodings=list(axes), zoom=wheel)


def _finished(*layers: Any, width: Any = "container") -> Mapping[str, Any]:
    """Return the specification of some layers, by default as wide as its container."""
    hidden = alt.param(name="hidden", value=[])
    shown: Any = alt.layer(*layers)
    return {**shown.add_params(hidden).properties(width=width, height=HEIGHT).to_dict(), "config": CONFIG}


def _published(panel: Panel) -> dict[str, Any]:
    """Return the layer of the published numbers: hollow diamonds, or hollow squares if they are quoted."""
    rows = [
        {"x": one.x, "mean": one.y, "series": one.series, "shape": "square" if one.quoted else "diamond"}
        for one in panel.marks
    ]
    said = [alt.Tooltip("series:N"), alt.Tooltip("mean:Q", title="published", format=",.4~g")]
    shown = alt.Chart(alt.Data(values=rows)).transform_filter("indexof(hidden, datum.series) < 0")
    marks = shown.mark_point(filled=True, fill="#ffffff", strokeWidth=1.6, size=80, opacity=1, clip=True)
    encoded = marks.encode(alt.X("x:Q"), alt.Y("mean:Q"), alt.Shape("shape:N", scale=None, legend=None), tooltip=said)
    layer = encoded.encode(stroke=_series_by(alt.Stroke)).to_dict()
    return {key: value for key, value in layer.items() if key in ("data", "mark", "encoding", "transform")}


def _dressed(spec: Mapping[str, Any], looks: Mapping[str, Mapping[str, Any]], *more: dict[str, Any]) -> dict[str, Any]:
    """Return a specification with further layers and the looks of its series."""
    filled: dict[str, Any] = copy.deepcopy(dict(spec))
    filled["layer"] += more
    for layer in filled["layer"]:
        for channel, part in LOOK_CHANNELS:
            if layer["encoding"].get(channel, {}).get("field") == "series":
                values = [shown[part] for shown in looks.values()]
                layer["encoding"][channel]["scale"] = {"domain": list(looks), "range": values}
    return filled
