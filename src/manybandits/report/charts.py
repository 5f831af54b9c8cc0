"""Interactive charts: the CSV of a figure as Vega-Lite, with zoom, hidden series and values at the pointer.

A chart is panels; a panel is a Vega-Lite specification without data, and its series as columns. The script of the page
joins them, hides a series by the signal ``hidden``, and sets the scale of an axis where `Panel.scales` allows it.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import altair as alt

from manybandits.base.table_files import Row
from manybandits.figures import clusters, regret
from manybandits.figures.palette import GAMES, standing
from manybandits.report.chart_looks import MARKERS, WIDTH, series_look
from manybandits.report.inputs import Figure
from manybandits.results import estimation_errors, sweeps
from manybandits.results.display_names import MEASURES, OPTION_AXES, algorithm_name

HEIGHT = 300
LABEL = 330
"""The longest label of an algorithm, in pixels."""
STEP = 13
"""Pixels between the values of a grid, so that their labels have room; wider charts scroll."""
NUMBERS = ("mean", "low", "high")
LOOK_CHANNELS = (("color", "color"), ("strokeDash", "dash"), ("strokeWidth", "width"), ("shape", "marker"))
"""The channels of Vega-Lite that show which series it is, and the part of its look that each has."""
CONFIG: dict[str, Any] = {
    "background": "#ffffff",
    "view": {"stroke": "#c8c8d0"},
    "axis": {"gridColor": "#e4e4ea", "labelColor": "#1b1b1f", "titleColor": "#1b1b1f", "titleFontWeight": "normal"},
}


@dataclass(frozen=True)
class Panel:
    """A panel. title: what was played. series: name -> columns. scales: axis -> linear or log, if it can change."""

    title: str
    spec: Mapping[str, Any]
    series: Mapping[str, Mapping[str, list[Any]]]
    scales: Mapping[str, str]
    stand_in: bool = False


@dataclass(frozen=True)
class Chart:
    """A chart. looks: name of a series -> label, color, dash and marker."""

    panels: Sequence[Panel]
    looks: Mapping[str, Mapping[str, Any]]

    def as_data(self) -> dict[str, Any]:
        """Return the chart as lists and dictionaries for JSON."""
        return {"panels": [asdict(panel) for panel in self.panels], "looks": self.looks}


def chart_of(figure: Figure) -> Chart | None:
    """Return the interactive chart of a figure, None for a kind of figure that has no chart."""
    return CHARTS[figure.kind](figure) if figure.kind in CHARTS else None


def looks_of(titles: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the looks of the algorithms of a figure: own methods first, then the others in the order given."""
    names = list(dict.fromkeys(titles))
    shown = sorted(names, key=standing)
    return {name: {"label": algorithm_name(name), **series_look(name, sorted(names))} for name in shown}


def _curves_of_rounds(figure: Figure) -> Chart:
    settings = figure.made["settings"]
    looks = looks_of(row["algorithm"] for row in figure.rows)
    panels = []
    for (name,), rows in _grouped(figure.rows, "panel"):
        game = figure.games.get(name, {})
        base = settings.get("relative") or rows[0]["share_of"]
        label = regret.axis_label(settings.get("measure", "regret"), base, game)
        scales = {"y": settings.get("scale", "linear")}
        spec = _dressed(_lines("round", label, y=scales["y"]), looks, _top(rows, game, base))
        panels.append(_panel(figure, name, spec, _series(drawn_curves(rows), "algorithm", "round"), scales))
    return Chart(panels, looks)


def drawn_curves(rows: Sequence[Row]) -> list[Row]:
    """Return the curves of a game as the figure draws them: those of a bundle as shares, without the first rounds."""
    if not rows[0]["share_of"]:
        return list(rows)
    first = regret.EARLY * max(float(row["round"]) for row in rows)
    shares = {"mean": "share", "low": "share_low", "high": "share_high"}
    return [{**row, **{to: row[of] for to, of in shares.items()}} for row in rows if float(row["round"]) >= first]


def _top(rows: Sequence[Row], game: Mapping[str, Any], relative: str | None) -> float | None:
    """Return the end of the axis, None for the default; where all agents act, Random does not set it."""
    ends = [float(row["high"]) for row in rows if row["algorithm"] != "Random" and row["high"]]
    return 1.6 * max(ends) if game.get("all_act") and not relative and ends else None


def _curves_of_clusters(figure: Figure) -> Chart:
    looks = looks_of(row["algorithm"] for row in figure.rows)
    panels = []
    for (name, measure), rows in _grouped(figure.rows, "panel", "measure"):
        scales = {"y": "log" if measure == "size" else "linear"}
        spec = _dressed(_lines("round", clusters.MEASURES[measure][0], y=scales["y"]), looks)
        panels.append(_panel(figure, name, spec, _series(rows, "algorithm", "round"), scales))
    return Chart(panels, looks)


def _sweep(figure: Figure) -> Chart:
    settings = figure.made["settings"]
    each = settings.get("each", "")
    looks = looks_of(row["algorithm"] for row in figure.rows)
    for row in figure.rows:
        if row["slope"] and not each:
            numbers = (float(row[name]) for name in ("slope", "slope_low", "slope_high"))
            looks[row["algorithm"]]["label"] = "{}, slope {:+z.2f} [{:+z.2f}, {:+z.2f}]".format(
                algorithm_name(row["algorithm"]), *numbers
            )
    game = next(iter(figure.games.values()), {})
    label = sweeps.RESULTS[settings["y"]][0].format(sweeps.whose(game))
    kind = "linear" if settings["y"] == sweeps.SHARE else "log"
    spec = _dressed(_lines(sweeps.AXES[settings["x"]][0], label, kind, kind), looks)
    scales = {"x": kind, "y": kind}
    panels = [
        Panel(
            "".join(f"{each} {value}" for value in values),
            spec,
            _series(rows, "algorithm", "x"),
            scales,
            figure.stand_in,
        )
        for values, rows in _grouped(figure.rows, *([each] if each else []))
    ]
    return Chart(panels, looks)


def _option_sweep(figure: Figure) -> Chart:
    option = figure.made["settings"]["x"]
    rows = [row for row in figure.rows if row["x"]]  # an algorithm without the option has no value of it
    looks = looks_of(row["algorithm"] for row in rows)
    panels, scales = [], {"x": "linear", "y": "linear"}
    for (name,), here in _grouped(rows, "panel"):
        spec = _dressed(_lines(OPTION_AXES.get(option, option), MEASURES["final"], **scales), looks)
        panels.append(_panel(figure, name, spec, _series(here, "algorithm", "x"), scales))
    return Chart(panels, looks)


def _errors(figure: Figure) -> Chart:
    looks = looks_of(row["estimator"] for row in figure.rows)
    panels = []
    for (regime, swept), rows in _grouped(figure.rows, "regime", "swept"):
        scales = {"x": "linear" if swept in estimation_errors.LINEAR else "log", "y": "log"}
        spec = _dressed(_lines(estimation_errors.AXES[swept], MEASURES["error"], **scales), looks)
        panels.append(Panel(f"{regime} regime", spec, _series(rows, "estimator", "value"), scales))
    return Chart(panels, looks)


def _runtime(figure: Figure) -> Chart:
    looks = looks_of(row["algorithm"] for row in figure.rows)
    scales = {"x": "log", "y": "linear"}
    axes = (_axis("x", MEASURES["seconds"], "log", padding=12), _axis("mean", MEASURES["final"], "linear", alt.Y))
    spec = _dressed(_points(*axes, bar="y", tips=_tips("x:Q", "seconds")), looks)
    panels = [
        _panel(figure, name, spec, _series(rows, "algorithm", "seconds"), scales)
        for (name,), rows in _grouped(figure.rows, "panel")
    ]
    return Chart(panels, looks)


def _grid(figure: Figure) -> Chart:
    looks = looks_of(row["algorithm"] for row in figure.rows)
    labels = alt.Axis(labelAngle=-90, labelLimit=LABEL, labelOverlap=False)
    x = alt.X("x:N", title="value of the grid", sort=None, axis=labels)
    axes = (x, _axis("mean", "reward of all rounds", "linear", alt.Y))
    spec = _dressed(_points(*axes, bar="y", tips=_tips("x:N", "value"), width=alt.Step(STEP)), looks)
    panels = []
    for (name,), rows in _grouped(figure.rows, "environment"):
        shown = [
            {**row, "x": f"{algorithm_name(row['algorithm'])}: {row['values']}", "mean": row["reward"]} for row in rows
        ]
        panels.append(_panel(figure, name, spec, _series(shown, "algorithm", "x", words=True), {"y": "linear"}))
    return Chart(panels, looks)


def _dots(figure: Figure) -> Chart:
    games = list(dict.fromkeys(row["game"] for row in figure.rows))
    marks = [GAMES[place % len(GAMES)] for place in range(len(games))]
    looks = {
        game: {"label": game, "color": color, "dash": [], "marker": MARKERS[marker], "width": WIDTH}
        for game, (marker, color) in zip(games, marks, strict=True)
    }
    y = alt.Y("x:N", title=None, sort=None, axis=alt.Axis(labelLimit=LABEL))
    axes = (_axis("mean", MEASURES["final"], "linear"), y)
    spec = _dressed(_points(*axes, bar="x", tips=_tips("x:N", "algorithm"), width=520), looks)
    rows = [{**row, "algorithm": algorithm_name(row["algorithm"])} for row in figure.rows]
    series = _series(rows, "game", "algorithm", words=True)
    return Chart([Panel("", spec, series, {"x": "linear"}, figure.stand_in)], looks)


CHARTS: dict[str, Callable[[Figure], Chart]] = {
    "regret": _curves_of_rounds,
    "clusters": _curves_of_clusters,
    "sweep": _sweep,
    "option_sweep": _option_sweep,
    "estimation_errors": _errors,
    "runtime": _runtime,
    "grid": _grid,
    "dots": _dots,
}
"""The function that makes the chart of a figure, by its kind."""


def _panel(figure: Figure, name: str, spec: dict, series: Mapping, scales: Mapping[str, str]) -> Panel:
    """Return the panel of a game, titled by its data where the figure says what they are."""
    game = figure.games.get(name, {})
    return Panel(game.get("data_note", name), spec, series, scales, bool(game.get("stand_in", figure.stand_in)))


def _grouped(rows: Sequence[Row], *columns: str) -> list[tuple[tuple[str, ...], list[Row]]]:
    """Return rows grouped by the values of some columns, in the order of their first rows."""
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[column] for column in columns), []).append(row)
    return list(groups.items())


def _series(rows: Sequence[Row], by: str, x: str, words: bool = False) -> dict[str, dict[str, list[Any]]]:
    """Return the series of a panel as columns: x, mean, low, high, and n; missing numbers are None."""
    series = {}
    for (name,), points in _grouped(rows, by):
        columns: dict[str, list[Any]] = {"x": [row[x] if words else _number(row[x]) for row in points]}
        columns |= {column: [_number(row[column]) for row in points] for column in NUMBERS}
        series[name] = {**columns, "n": sorted({int(row["n"]) for row in points})}
    return series


def _number(text: str) -> float | None:
    return float(f"{float(text):.6g}") if text not in ("", "nan") else None


def _axis(field: str, title: str, scale: str, channel: Any = alt.X, padding: int = 0) -> Any:
    """Return the encoding of a number on an axis. padding: pixels at its ends, so that points there are not cut."""
    kind: Any = {"type": scale, "nice": scale == "linear", "padding": padding}
    axis = alt.Axis(labelFlush=False, tickCount=6)
    return channel(f"{field}:Q", title=title, scale=alt.Scale(**kind), axis=axis)


def _series_by(channel: Any, kind: str = "nominal") -> Any:
    """Return the encoding of the series, whose looks `_dressed` fills in. kind: ordinal for what has sizes."""
    return channel("series", type=kind, legend=None)


@functools.cache
def _lines(x_title: str, y_title: str, x: str = "linear", y: str = "linear") -> Mapping[str, Any]:
    """Return curves with bands, markers, and their values where the pointer is. x, y: linear or log."""
    base = _base().encode(x=_axis("x", x_title, x))
    y_axis, dash, shape = _axis("mean", y_title, y, alt.Y), _series_by(alt.StrokeDash), _series_by(alt.Shape)
    width = _series_by(alt.StrokeWidth, "ordinal")  # Vega warns of widths without an order
    near = alt.selection_point(name="near", on="pointerover", nearest=True, empty=False, clear="pointerout")
    seen = alt.condition(near, alt.value(1), alt.value(0))
    points = base.mark_point(filled=True, clip=True, opacity=1, size=28)
    found = points.encode(y=y_axis, shape=shape, tooltip=_tips("x:Q", x_title), opacity=seen, size=alt.value(60))
    return _finished(
        base.mark_area(opacity=0.18, clip=True).encode(y=_axis("low", y_title, y, alt.Y), y2="high:Q"),
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


def _dressed(
    spec: Mapping[str, Any], looks: Mapping[str, Mapping[str, Any]], top: float | None = None
) -> dict[str, Any]:
    """Return a specification with the looks of its series. top: the end of the vertical axis, if it is set."""
    filled: dict[str, Any] = copy.deepcopy(dict(spec))
    for layer in filled["layer"]:
        for channel, part in LOOK_CHANNELS:
            if channel in layer["encoding"]:
                values = [shown[part] for shown in looks.values()]
                layer["encoding"][channel]["scale"] = {"domain": list(looks), "range": values}
        if top is not None:
            layer["encoding"]["y"]["scale"]["domainMax"] = top
    return filled
