"""The specification curve as an interactive chart: the readings in short, and how Vega-Lite draws them.

The upper panel has one mark a reading, sorted by effect, with its interval; the lower one a row for each value of each
choice, with a dot for the readings that have it. The script of the page writes the rows out, and sets the signals:
``dropped``, the places of readings that a filter leaves out, and ``at``, the place of the reading that is looked at.
"""

from __future__ import annotations

import functools
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from manybandits.base.protocols import AS_WRITTEN
from manybandits.claims.verdict import Answer
from manybandits.figures.curve import PER_CENT, common_quantity, reach
from manybandits.figures.palette import ANSWERS
from manybandits.report.charts import CONFIG, marker_path
from manybandits.report.readings import HeadlineReadings
from manybandits.results.readings_table import NUMBERS

HEIGHT, ROW = 280, 17
"""Pixels: of the upper panel, and of a row of the lower one."""
LETTER, LABELS, TITLE = 6, 190, 76
"""Pixels: of a letter, the most of the label of a row, and the least beside the axis of effects, with its title."""
MARKED = "as written"
"""What the reading is called that is marked by a line."""
PALE, INK, GREY, HERE = 0.12, "#1b1b1f", "#6a6a73", "#ffe9a8"


def as_data(one: HeadlineReadings) -> dict[str, Any]:
    """Return the readings of a headline and their chart as lists and dictionaries for JSON.

    A reading is a list: verdict, effect, low, high, against, limits, chance, what it is called if it is marked, and the
    answers to the questions. Verdict, limits and chance are places in the lists of them, an answer one among the values
    of its question. The verdict is the `Answer` on the headline.
    They are sorted by effect, those without one last.
    """
    table = one.table.sort_values(["effect", "reading"], kind="stable").reset_index(drop=True)
    if table.loc[table["effect"].notna(), "quantity"].str.contains(PER_CENT, regex=False).all():
        table[list(NUMBERS)] *= 100  # shares of the rival's result
    questions = [
        {
            "key": key,
            "label": key.replace("_", " "),
            "asks": opening.asks,
            "values": [value for value in opening.values if value in set(table[key])],
            "written": opening.default,
        }
        for key, opening in one.openings.items()
    ]
    limits, chance = (list(dict.fromkeys(table[name])) for name in ("limits", "chance"))
    verdicts = [answer.value for answer in one.counts]
    readings = [
        [
            verdicts.index(row["answer"]),
            *(_number(row[name]) for name in ("effect", "low", "high", "against")),
            limits.index(row["limits"]),
            chance.index(row["chance"]),
            MARKED if row["reading"] == AS_WRITTEN else "",
            [question["values"].index(row[question["key"]]) for question in questions],
        ]
        for row in table.to_dict("records")
    ]
    looks = {answer.value: _look(answer) for answer in one.counts}
    labels = [len(label) for question in questions for label in _labels(question).values()]
    beside = max(TITLE, min(LABELS, LETTER * max(labels, default=0) + 8))
    return {
        "title": one.says,
        "verdicts": [
            {"word": answer.value, "judged": answer.is_judged, **looks[answer.value]} for answer in one.counts
        ],
        "questions": questions,
        "limits": limits,
        "chance": chance,
        "readings": readings,
        "beside": beside,
        "spec": _spec(table, questions, looks, beside),
    }


def _labels(question: Mapping[str, Any]) -> dict[str, str]:
    """Return the rows of a question with their labels; the first one has the question, too."""
    rows = {f"{question['key']}: {value}": value for value in question["values"]}
    return {
        row: f"{question['label']}: {value}" if place == 0 else value for place, (row, value) in enumerate(rows.items())
    }


def _look(answer: Answer) -> dict[str, str]:
    """Return the colour and the path of an answer."""
    marker, color = ANSWERS[answer]
    return {"color": color, "path": marker_path(marker)}


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(f"{value:.5g}")


def _spec(
    table: pd.DataFrame, questions: Sequence[Mapping[str, Any]], looks: Mapping[str, Mapping[str, str]], beside: int
) -> dict[str, Any]:
    """Return the chart. looks: color and path of each verdict that some reading has; beside: pixels of labels."""
    drawn = table[table["effect"].notna()]
    across = alt.Scale(domain=[-0.9, len(drawn) - 0.1], nice=False, zero=False)
    x, ends = (alt.X(f"{field}:Q", axis=None, scale=across) for field in ("place", "left"))
    kept = alt.condition("indexof(dropped, datum.place) < 0", alt.value(1), alt.value(PALE))
    here = _base("readings").transform_filter("datum.place === at").mark_rect(color=HERE).encode(x=ends, x2="right:Q")
    panels = [here, *_effects(drawn, x, kept, looks)], _answers(questions, x, kept, looks, here)
    extent = {"minExtent": beside, "maxExtent": beside, "labelLimit": beside - 8}
    axis: dict[str, Any] = {**CONFIG["axis"], "labelFontSize": 11, "titleFontSize": 12}
    look = {**CONFIG, "axis": axis, "axisY": extent}
    # Above all: a column for each reading, that has its tip and says where the pointer is.
    columns = _base("readings").mark_rect(opacity=0).encode(x=ends, x2="right:Q", tooltip=_tips(questions))
    shown = [alt.layer(*layers, columns) for layers in panels]
    upper = shown[0].properties(height=HEIGHT, width=600)
    lower = shown[1].properties(height=ROW * sum(len(one["values"]) for one in questions), width=600)
    # Without `add_params` and validation, which together double the time: some seconds for the curves of a whole site.
    whole = alt.vconcat(upper, lower, spacing=8).to_dict(validate=False)
    return {**whole, "params": [{"name": "dropped", "value": []}, {"name": "at", "value": -1}], "config": look}


def _tips(questions: Sequence[Mapping[str, Any]]) -> list[alt.Tooltip]:
    """Return what is said of a reading where the pointer is: verdict, numbers, limits and all answers."""
    return [
        alt.Tooltip("verdict:N"),
        alt.Tooltip("effect:Q", format=",.4~g"),
        alt.Tooltip("interval:N", title="95 % interval"),
        alt.Tooltip("against:Q", title="compared with", format=",.4~g"),
        alt.Tooltip("limits:N"),
        alt.Tooltip("chance:N", title="at chance"),
        *(alt.Tooltip(f"q{place}:N", title=question["label"]) for place, question in enumerate(questions)),
    ]


def _upright(drawn: pd.DataFrame) -> alt.Scale:
    """Return the scale of effects. One far from the others is drawn at its end; the tip of its reading tells it."""
    low, high = reach(drawn)
    if drawn["effect"].between(low, high).all():
        return alt.Scale(zero=False, nice=True)
    shown = drawn.loc[drawn["effect"].between(low, high), ["effect", "low", "high", "against"]].to_numpy(float)
    return alt.Scale(domain=[float(np.nanmin(shown)), float(np.nanmax(shown))], clamp=True, zero=False, nice=True)


def _effects(drawn: pd.DataFrame, x: Any, kept: Any, looks: Mapping[str, Mapping[str, str]]) -> list[Any]:
    """Return the layers of the upper panel: what effects are compared with, marked readings, intervals and effects."""
    words = textwrap.wrap(f"effect: {common_quantity(drawn['quantity'])}", 38)
    axis = alt.Axis(tickCount=6, titleX=-52)
    y = alt.Y("effect:Q", title=words, axis=axis, scale=_upright(drawn))
    base = _base("readings")
    against = drawn["against"].dropna().unique()
    lines = base.mark_tick(color=GREY, thickness=1.5, orient="horizontal").encode(
        x=x, y=alt.Y("against:Q", title=words)
    )
    if len(against) == 1:
        once = base.transform_filter("datum.place === 0")
        lines = once.mark_rule(color=GREY).encode(y=alt.datum(float(against[0])))
    marked = base.transform_filter("datum.special !== ''")
    colors = _scale(looks, "color")
    return [
        lines,
        _line(marked, x),
        base.mark_rule(strokeWidth=1.2).encode(
            x=x,
            y=alt.Y("low:Q", title=words),
            y2="high:Q",
            color=alt.Color("verdict:N", legend=None, scale=colors),
            opacity=kept,
        ),
        base.mark_point(filled=True, opacity=1, size=64, strokeWidth=1.4).encode(
            x=x,
            y=y,
            shape=alt.Shape("verdict:N", legend=None, scale=_scale(looks, "path")),
            fill=alt.condition(
                "datum.limits === 'none'", alt.Fill("verdict:N", legend=None, scale=colors), alt.value("#ffffff")
            ),
            stroke=alt.Stroke("verdict:N", legend=None, scale=colors),
            opacity=kept,
        ),
        marked.mark_text(text=MARKED, baseline="bottom", dy=-4, fontSize=11, color=INK).encode(x=x, y=alt.value(0)),
    ]


def _answers(
    questions: Sequence[Mapping[str, Any]], x: Any, kept: Any, looks: Mapping[str, Mapping[str, str]], here: Any
) -> list[Any]:
    """Return the layers of the lower panel: bands of questions, marked readings, and a dot for each answer.

    here: the layer that marks the reading that is looked at, which is above the bands.
    """
    labels = {row: label for one in questions for row, label in _labels(one).items()}
    rows = list(labels)
    named = " : ".join(f"datum.value === {_quoted(row)} ? {_quoted(label)}" for row, label in labels.items())
    axis = alt.Axis(labelExpr=f"{named} : ''", ticks=False, domain=False, labelOverlap=False)
    y = alt.Y("row:N", title=None, sort=rows, scale=alt.Scale(domain=rows), axis=axis)
    bands = _base("bands").mark_rect(color="#f0f0f3").encode(y=y)
    marked = _base("readings").transform_filter("datum.special !== ''")
    dots = _base("answers").mark_point(filled=True, opacity=1, size=26, shape="circle")
    color = alt.Color("verdict:N", legend=None, scale=_scale(looks, "color"))
    return [bands, here, _line(marked, x), dots.encode(x=x, y=y, color=color, opacity=kept)]


def _line(marked: Any, x: Any) -> Any:
    """Return the line of the reading that is marked."""
    return marked.mark_rule(color="#333333", strokeDash=[4, 3]).encode(x=x)


def _scale(looks: Mapping[str, Mapping[str, str]], part: str) -> alt.Scale:
    return alt.Scale(domain=list(looks), range=[look[part] for look in looks.values()])


def _base(data: str) -> alt.Chart:
    return alt.Chart(alt.NamedData(name=data))


@functools.cache
def _quoted(text: str) -> str:
    """Return a text as an expression of Vega."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
