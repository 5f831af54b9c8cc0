"""Interactive charts: what the CSV of a figure holds, as Vega-Lite that can be zoomed, filtered and asked for values.

A chart is panels; a panel is a Vega-Lite specification without data, and its series as columns. The script of the page
joins them, hides a series by the signal ``hidden``, and sets the scale of an axis where `Panel.scales` allows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import altair as alt

from manybandits.figures import clusters, errors, regret, sweep
from manybandits.figures.dots import MARKS
from manybandits.report.content import Figure, Row
from manybandits.report.marks import MARKERS, WIDTH, series_look

POINTS = 100
"""The most points of a curve that are sent to the page; the CSV has all."""
HEIGHT = 300
NUMBERS = ("mean", "low", "high")
CONFIG = {
    "background": "#ffffff",
    "view": {"stroke": "#c8c8d0"},
    "axis": {"gridColor": "#e4e4ea", "labelColor": "#1b1b1f", "titleColor": "#1b1b1f", "titleFontWeight": "normal"},
}


@dataclass(frozen=True)
class Panel:
    """title: what was played. series: name -> columns. scales: axes that may be linear or log, and what they are."""

    title: str
    spec: Mapping[str, Any]
    series: Mapping[str, Mapping[str, list[Any]]]
    scales: Mapping[str, str]
    stand_in: bool = False


@dataclass(frozen=True)
class Chart:
    """panels; looks: name of a series -> label, color, dash, marker."""

    panels: Sequence[Panel]
    looks: Mapping[str, Mapping[str, Any]]

    def as_data(self) -> dict[str, Any]:
        """Return it as JSON can hold it."""
        return {"panels": [asdict(panel) for panel in self.panels], "looks": self.looks}


def chart_of(figure: Figure) -> Chart | None:
    """Return the interactive form of a figure, None where its kind has none."""
    return CHARTS[figure.kind](figure) if figure.kind in CHARTS else None


def looks_of(titles: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the looks of the algorithms of a figure, in the order given."""
    names = list(dict.fromkeys(titles))
    return {name: {"label": name, **series_look(name, sorted(names))} for name in names}


def _curves_of_rounds(figure: Figure) -> Chart:
    settings = figure.made["settings"]
    looks = looks_of(row["algorithm"] for row in figure.rows)
    panels = []
    for (name,), rows in _grouped(figure.rows, "panel"):
        game = figure.games.get(name, {})
        label = regret.axis_label(settings.get("measure", "regret"), settings.get("relative"), game)
        # Where all agents act, the random reference does not set the axis, as in the figure.
        top = None
        if game.get("all_act") and not settings.get("relative"):
            ends = [float(row["high"]) for row in rows if row["algorithm"] != "Random" and row["high"]]
            top = 1.6 * max(ends) if ends else None
        scales = {"y": settings.get("scale", "linear")}
        spec = _lines_spec(looks, "round", label, scales, top)
        panels.append(_panel(figure, name, spec, _series(rows, "algorithm", "round"), scales))
    return Chart(panels, looks)


def _curves_of_clusters(figure: Figure) -> Chart:
    looks = looks_of(row["algorithm"] for row in figure.rows)
    panels = []
    for (name, measure), rows in _grouped(figure.rows, "panel", "measure"):
        scales = {"y": "log" if measure == "size" else "linear"}
        spec = _lines_spec(looks, "round", clusters.MEASURES[measure][0], scales)
        panels.append(_panel(figure, name, spec, _series(rows, "algorithm", "round"), scales))
    return Chart(panels, looks)


def _sweep(figure: Figure) -> Chart:
    settings = figure.made["settings"]
    looks = looks_of(row["algorithm"] for row in figure.rows)
    for row in figure.rows:
        if row["slope"]:
            numbers = (float(row[name]) for name in ("slope", "slope_low", "slope_high"))
            looks[row["algorithm"]]["label"] = "{}, slope {:+.2f} [{:+.2f}, {:+.2f}]".format(row["algorithm"], *numbers)
    game = next(iter(figure.games.values()), {})
    label = sweep.RESULTS[settings["y"]][0].format(sweep.whose(game))
    kind = "linear" if settings["y"] == "recovered" else "log"
    scales = {"x": kind, "y": kind}
    spec = _lines_spec(looks, sweep.AXES[settings["x"]][0], label, scales)
    return Chart([Panel("", spec, _series(figure.rows, "algorithm", "x"), scales, figure.stand_in)], looks)


def _errors(figure: Figure) -> Chart:
    looks = looks_of(row["estimator"] for row in figure.rows)
    panels = []
    for (regime, swept), rows in _grouped(figure.rows, "regime", "swept"):
        scales = {"x": "linear" if swept in errors.LINEAR else "log", "y": "log"}
        spec = _lines_spec(looks, errors.AXES[swept], "error", scales)
        panels.append(Panel(f"{regime} regime", spec, _series(rows, "estimator", "value"), scales))
    return Chart(panels, looks)


def _runtime(figure: Figure) -> Chart:
    looks = looks_of(row["algorithm"] for row in figure.rows)
    panels = []
    for (name,), rows in _grouped(figure.rows, "panel"):
        scales = {"x": "log", "y": "linear"}
        axes = (_axis("x", "seconds a run", scales), _axis("mean", "final regret", scales, "y"))
        spec = _points_spec(looks, *axes, bar="y", tip="x:Q|seconds")
        panels.append(_panel(figure, name, spec, _series(rows, "algorithm", "seconds"), scales))
    return Chart(panels, looks)


def _grid(figure: Figure) -> Chart:
    looks = looks_of(row["algorithm"] for row in figure.rows)
    panels = []
    for (name,), rows in _grouped(figure.rows, "environment"):
        shown = [{**row, "x": f"{row['algorithm']}: {row['values']}", "mean": row["reward"]} for row in rows]
        scales = {"y": "linear"}
        labels = alt.Axis(labelAngle=-90, labelLimit=220, labelOverlap=False)
        x = alt.X("x:N", title="value of the grid", sort=None, axis=labels, scale=alt.Scale(padding=0.4))
        spec = _points_spec(looks, x, _axis("mean", "reward of all rounds", scales, "y"), bar="y", tip="x:N|value")
        panels.append(_panel(figure, name, spec, _series(shown, "algorithm", "x", words=True), scales))
    return Chart(panels, looks)


def _dots(figure: Figure) -> Chart:
    games = list(dict.fromkeys(row["game"] for row in figure.rows))
    marks = [MARKS[place % len(MARKS)] for place in range(len(games))]
    looks = {
        game: {"label": game, "color": color, "dash": [], "marker": MARKERS[marker]}
        for game, (marker, color) in zip(games, marks, strict=True)
    }
    scales = {"x": "linear"}
    y = alt.Y("x:N", title=None, sort=None, axis=alt.Axis(labelLimit=260))
    spec = _points_spec(looks, _axis("mean", "final regret", scales, "x"), y, bar="x", tip="x:N|algorithm")
    return Chart([Panel("", spec, _series(figure.rows, "game", "algorithm", words=True), scales)], looks)


CHARTS: dict[str, Callable[[Figure], Chart]] = {
    "regret": _curves_of_rounds,
    "clusters": _curves_of_clusters,
    "sweep": _sweep,
    "errors": _errors,
    "runtime": _runtime,
    "grid": _grid,
    "dots": _dots,
}
"""What turns a figure of each kind into a chart."""


def _panel(figure: Figure, name: str, spec: dict, series: Mapping, scales: Mapping[str, str]) -> Panel:
    """Return the panel of a game, titled by its data where the figure says what they are."""
    game = figure.games.get(name, {})
    return Panel(game.get("data_note", name), spec, series, scales, bool(game.get("stand_in", figure.stand_in)))


def _grouped(rows: Sequence[Row], *columns: str) -> list[tuple[tuple[str, ...], list[Row]]]:
    """Return rows by the values of some columns, in the order in which these come."""
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[column] for column in columns), []).append(row)
    return list(groups.items())


def _series(rows: Sequence[Row], by: str, x: str, words: bool = False) -> dict[str, dict[str, list[Any]]]:
    """Return the series of a panel as columns: x, mean, low, high, and n; numbers that are not there are None."""
    series = {}
    for (name,), points in _grouped(rows, by):
        step = -(-len(points) // POINTS)
        kept = points[(len(points) - 1) % step :: step]  # the last one is always kept
        columns: dict[str, list[Any]] = {"x": [row[x] if words else _number(row[x]) for row in kept]}
        columns |= {column: [_number(row[column]) for row in kept] for column in NUMBERS}
        series[name] = {**columns, "n": sorted({int(row["n"]) for row in kept})}
    return series


def _number(text: str) -> float | None:
    return float(f"{float(text):.6g}") if text not in ("", "nan") else None


def _axis(field: str, title: str, scales: Mapping[str, str], channel: str = "x", top: float | None = None) -> Any:
    """Return the encoding of a number on an axis. top: where it ends, if not where the numbers do."""
    kind = scales.get(channel, "linear")
    scale: dict[str, Any] = {"type": kind, "nice": kind == "linear", "clamp": True}
    if top is not None:
        scale["domainMax"] = top
    return (alt.X if channel == "x" else alt.Y)(
        f"{field}:Q", title=title, scale=alt.Scale(**scale), axis=alt.Axis(labelFlush=False, tickCount=6)
    )


def _look(looks: Mapping[str, Mapping[str, Any]], channel: Any, part: str) -> Any:
    """Return the encoding of a series by one part of its look."""
    values = [shown[part] for shown in looks.values()]
    return channel("series:N", scale=alt.Scale(domain=list(looks), range=values), legend=None)


def _lines_spec(
    looks: Mapping[str, Mapping[str, Any]],
    x_title: str,
    y_title: str,
    scales: Mapping[str, str],
    top: float | None = None,
) -> dict[str, Any]:
    """Return curves with bands, markers, and their values where the pointer is."""
    color, dash, shape = (
        _look(looks, channel, part)
        for channel, part in ((alt.Color, "color"), (alt.StrokeDash, "dash"), (alt.Shape, "marker"))
    )
    base = _base().encode(x=_axis("x", x_title, scales), color=color)
    line_y = _axis("mean", y_title, scales, "y", top)
    near = alt.selection_point(name="near", on="pointerover", nearest=True, empty=False, clear="pointerout")
    tips = _tips("x:Q", x_title)
    layers = [
        base.mark_area(opacity=0.18, clip=True).encode(y=alt.Y("low:Q", title=y_title), y2="high:Q"),
        base.mark_line(strokeWidth=WIDTH, clip=True).encode(y=line_y, strokeDash=dash),
        base.transform_filter("datum.marked")
        .mark_point(filled=True, opacity=1, size=28, clip=True)
        .encode(y=line_y, shape=shape),
        base.mark_point(filled=True, size=60, clip=True)
        .encode(y=line_y, shape=shape, tooltip=tips, opacity=alt.condition(near, alt.value(1), alt.value(0)))
        .add_params(near, _zoom()),
    ]
    return _finished(alt.layer(*layers))


def _points_spec(looks: Mapping[str, Mapping[str, Any]], x: Any, y: Any, bar: str, tip: str) -> dict[str, Any]:
    """Return points with error bars. bar: the axis that the bars run along; tip: what is shown of a point as x."""
    tips = _tips(*tip.split("|"))
    color, shape = _look(looks, alt.Color, "color"), _look(looks, alt.Shape, "marker")
    base = _base().encode(color=color)
    if bar == "y":
        ends = base.mark_rule(clip=True).encode(x=x, y=alt.Y("low:Q"), y2="high:Q")
    else:
        ends = base.mark_rule(clip=True).encode(y=y, x=alt.X("low:Q"), x2="high:Q")
    points = base.mark_point(filled=True, opacity=1, size=70, clip=True)
    return _finished(alt.layer(ends, points.encode(x=x, y=y, shape=shape, tooltip=tips).add_params(_zoom())))


def _base() -> alt.Chart:
    return alt.Chart(alt.NamedData(name="rows")).transform_filter("indexof(hidden, datum.series) < 0")


def _tips(x: str, title: str) -> list[alt.Tooltip]:
    return [
        alt.Tooltip("series:N", title="series"),
        alt.Tooltip(x, title=title),
        *(alt.Tooltip(f"{name}:Q", title=name, format=",.4~g") for name in NUMBERS),
        alt.Tooltip("n:N", title="runs"),
    ]


def _zoom() -> Any:
    """Return the selection that zooms by Ctrl or Shift and the wheel, so that the wheel alone scrolls the page."""
    return alt.selection_interval(name="zoom", bind="scales", zoom="wheel![event.ctrlKey || event.shiftKey]")


def _finished(chart: Any) -> dict[str, Any]:
    """Return the specification of a chart, as wide as where it is shown."""
    hidden = alt.param(name="hidden", value=[])
    shown = chart.add_params(hidden).properties(width="container", height=HEIGHT)
    return {**shown.to_dict(), "config": CONFIG}
