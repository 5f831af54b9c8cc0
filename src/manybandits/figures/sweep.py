"""How a result depends on a setting of the game: one line per algorithm, with its slope on two logarithmic axes.

The slope is fitted by least squares to the mean over runs; its interval is a bootstrap over the seeds, which all
settings share. A logarithmic axis cannot show points at 0 on either axis, and the fit leaves them out.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from manybandits.base.exceptions import InputError, run_script
from manybandits.base.statistics import slope
from manybandits.claims.rules import SLOPE_TOLERANCE
from manybandits.figures.kind import Games, Settings, of_runs
from manybandits.figures.palette import is_own, looks_of
from manybandits.figures.panel import Axis, Line, Mark, Panel, listed_names, log_axis, published_in, rows_of
from manybandits.results.display_names import name_before_verb
from manybandits.results.runs import Run
from manybandits.results.summaries import centre_and_band, flat
from manybandits.results.sweeps import AXES, GAME_AXES, RATES, RESULTS, SHARE, collect, collect_rate, whose

Rate = list[tuple[float, float]]
"""A rate that a paper states: place on the axis, value."""


def summarise(panels: Sequence[Sequence[Run]], x: str, y: str, band: str, each: str = "") -> pd.DataFrame:
    """Return algorithm, x, mean, low, high, n and the slope with its interval, one row per point.

    each: a second setting, of which every value is a sweep of its own; it is the first column then.
    """
    if each:
        parts = {value: summarise(games, x, y, band) for value, games in _split(panels, each).items()}
        return pd.concat(
            [part.assign(**{each: value})[[each, *part]] for value, part in parts.items()], ignore_index=True
        )
    rows = []
    for title, points in collect(panels, x, y).items():
        fitted = slope(points) if y != SHARE else (np.nan, np.nan, np.nan)
        for place, values in points.items():
            rows.append((title, place, *map(float, centre_and_band(values, band)), len(values), *fitted))
    columns = ["algorithm", "x", "mean", "low", "high", "n", "slope", "slope_low", "slope_high"]
    return pd.DataFrame(rows, columns=columns)


def _split(panels: Sequence[Sequence[Run]], each: str) -> dict[float, list[list[Run]]]:
    """Return the runs by the value of a setting of their games; raise InputError naming a run without it."""
    found: dict[float, list[list[Run]]] = {}
    for run in flat(panels):
        if each not in run.environment["settings"]:
            raise InputError(f"{run.path} was played on a game without {each!r}: choose another --each.")
        found.setdefault(GAME_AXES[each][1](run), []).append([run])
    return dict(sorted(found.items()))


def panels_of(drawn: pd.DataFrame, settings: Mapping[str, Any], facts: Mapping[str, Any]) -> Iterator[Panel | None]:
    """Return a panel, or one per value of the second setting.

    drawn: as `summarise` returns it; settings: x, y and each; facts: also ``places``, game -> its place on the axis,
    and ``rates``, the stated rate: value of the second setting, or "" -> place -> value.
    """
    x, y, each = settings["x"], settings["y"], settings.get("each", "")
    looks = looks_of(drawn["algorithm"])
    games, marks = facts["games"], published_in(facts)
    sweeps = {f"{value:g}": table for value, table in drawn.groupby(each, sort=False)} if each else {"": drawn}
    for value, table in sweeps.items():
        here = [one for one in marks if not each or f"{float(games[one.game]['settings'][each]):g}" == value]
        rows = rows_of(table) if y == SHARE else rows_of(table[table["x"] > 0])
        label = RESULTS[y][0].format(whose(next(iter(games.values()), {})))
        shown = {row["algorithm"]: _slope_words(row) for row in table.to_dict("records")} if y != SHARE else {}
        ticks = {one: f"{one:.3g}" if one < 1000 else f"{one:,.0f}" for one in sorted(rows["x"].unique())}
        yield Panel(
            title=f"{GAME_AXES[each][0]}: {value}" if each else "",
            rows=rows,
            x=Axis(AXES[x][0]) if y == SHARE else log_axis(AXES[x][0], rows["x"], ticks),
            y=Axis(label) if y == SHARE else log_axis(label, rows[["low", "high"]]),
            series=listed_names(rows, y == SHARE, shown),
            looks=looks,
            heading="slope and 95 % interval" if y != SHARE else "",
            marks=[Mark(one.title, facts["places"][one.game], one.value, bool(one.source)) for one in here],
            lines=_rate(facts.get("rates", {}).get(value), settings.get("stated"), table),
            stand_in=bool(facts["stand_in"]),
        )


def _slope_words(row: Mapping[Hashable, Any]) -> str:
    """Return the slope of a line with its interval."""
    return f"{row['slope']:+z.2f} [{row['slope_low']:+z.2f}, {row['slope_high']:+z.2f}]"


def _rate(rate: Rate | None, stated: str | None, table: pd.DataFrame) -> list[Line]:
    """Return the rate that a paper states, through the middle of the lines, if it states one."""
    if not rate or not stated:
        return []
    places, values = np.array(rate).T
    heights = table["mean"].median() * values / np.exp(np.log(values).mean())
    label = f"the rate stated, {RATES[stated][0]}  {table['stated_slope'].iloc[0]:+z.2f}"
    return [Line(places.tolist(), heights.tolist(), label)]


def with_rate(drawn: pd.DataFrame, rates: Mapping[str, Rate], each: str) -> pd.DataFrame:
    """Return a table with the slopes of the stated rates: value of the second setting, or "" -> (place, value)."""
    fitted = {value: slope({place: np.array([one]) for place, one in rate})[0] for value, rate in rates.items()}
    keys = drawn[each].map("{:g}".format) if each else pd.Series("", drawn.index)
    return drawn.assign(stated_slope=keys.map(fitted)) if rates else drawn


def rates_of(panels: Sequence[Sequence[Run]], x: str, stated: str | None, each: str) -> dict[str, Rate]:
    """Return the stated rate above 0: value of the second setting, or "" -> (place, value); none if none is stated."""
    sweeps = {f"{value:g}": games for value, games in _split(panels, each).items()} if each else {"": panels}
    rates = {value: collect_rate(games, x, stated) for value, games in sweeps.items()} if stated else {}
    return {value: [(place, one) for place, one in rate.items() if place > 0] for value, rate in rates.items()}


def seen(panels: Sequence[Sequence[Run]], x: str, y: str) -> str:
    """Return how the result of the papers' own method changes, by the runs alone; empty if there is no such method."""
    lines = {title: points for title, points in collect(panels, x, y).items() if is_own(title)}
    if not lines or y == SHARE:
        return ""
    title, points = next(iter(lines.items()))
    fitted, *_ = slope(points)
    if fitted != fitted:
        return ""
    how = "hardly changes" if abs(fitted) <= SLOPE_TOLERANCE else "grows" if fitted > 0 else "falls"
    result, setting = RESULTS[y][0].format("").capitalize(), re.split("[:,]", AXES[x][0])[0]
    return f"{result} of {name_before_verb(title)} {how} with {setting} (slope {fitted:z.2f})"


def _with_rate(games: Games, given: Settings) -> pd.DataFrame:
    """Return the table of a sweep with the slopes of the rate that is stated."""
    rates = rates_of(games, given["x"], given["stated"], given["each"])
    return with_rate(summarise(games, given["x"], given["y"], given["band"], given["each"]), rates, given["each"])


def _note(given: Settings) -> str:
    """Return what the thick grey line is, if a rate is stated."""
    stated = given["stated"]
    return f"The thick grey line is the rate that the paper states, {RATES[stated][0]}." if stated else ""


KIND = of_runs(
    "Draw how a result depends on a setting of the game.",
    panels_of,
    _with_rate,
    size=(9.0, 3.7),
    columns=1,
    options={
        "x": {"required": True, "metavar": "axis", "among": AXES},
        "y": {"default": "regret", "metavar": "result", "among": RESULTS},
        "each": {"default": "", "metavar": "setting", "among": GAME_AXES, "help": "with a sweep per value"},
        "stated": {"metavar": "rate", "among": RATES, "help": "that the paper states"},
    },
    seen=lambda games, given: seen(games, given["x"], given["y"]),
    measure=lambda given: given["y"] if given["y"] != SHARE else "",
    note=_note,
    more=lambda games, given: {
        "places": {run.environment["name"]: AXES[given["x"]][1](run) for run in flat(games)},
        "rates": rates_of(games, given["x"], given["stated"], given["each"]),
    },
)
main = KIND.main

if __name__ == "__main__":
    run_script(main)
