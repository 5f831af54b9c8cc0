"""How a result depends on a setting of the game: one line per algorithm, with its slope on two logarithmic axes.

The slope is fitted by least squares to the mean over runs; its interval is a bootstrap over the seeds, which all
settings share. A logarithmic axis cannot show points at 0 on either axis, and the fit leaves them out.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from manybandits.base.exceptions import InputError, pick, run_script
from manybandits.base.statistics import slope
from manybandits.figures.canvas import SMALL, Words, emphasise, new_figure, plain_log, save_figure, set_words
from manybandits.figures.command_line import arguments, write_figure
from manybandits.figures.palette import in_order, is_own, look
from manybandits.figures.published import Published, draw_mark, make_room
from manybandits.results.display_names import algorithm_name, name_before_verb
from manybandits.results.runs import Run
from manybandits.results.summaries import centre_and_band, flat
from manybandits.results.sweeps import AXES, GAME_AXES, RATES, RESULTS, SHARE, collect, collect_rate, whose

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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


def draw(
    panels: Sequence[Sequence[Run]],
    words: Words,
    band: str,
    stem: Path,
    x: str,
    y: str,
    stated: str | None,
    each: str = "",
    marks: Sequence[Published] = (),
) -> pd.DataFrame:
    """Write the figure to ``<stem>.svg``; return what was drawn. stated: one of `RATES`; marks: published numbers."""
    drawn = summarise(panels, x, y, band, each)
    places_of = {run.environment["name"]: AXES[x][1](run) for run in flat(panels)}
    sweeps = _split(panels, each) if each else {0.0: panels}
    figure, places = new_figure(len(sweeps), columns=1)
    # With room for the legend beside the lines, which may be anywhere.
    figure.set_size_inches(9.0, 4.2 if len(sweeps) == 1 else 0.6 + 3.3 * len(sweeps))
    titles = sorted(drawn["algorithm"].unique())
    for axes, (value, games) in zip(places, sweeps.items(), strict=True):
        here = drawn[drawn[each] == value] if each else drawn
        _draw_sweep(axes, here, titles, x, y)
        for mark in (one for one in marks if one.game in {run.environment["name"] for run in flat(games)}):
            draw_mark(axes, mark, places_of[mark.game], mark.value, look(mark.title, titles)["color"])
            make_room(axes, mark.value)
        if stated is not None:
            drawn.loc[here.index, "stated_slope"] = _draw_rate(axes, games, x, stated, here["mean"].median())
        axes.set_ylabel(RESULTS[y][0].format(whose(panels[0][0].environment)))
        if each:
            axes.set_title(f"{GAME_AXES[each][0]}: {value:g}", fontsize=9, loc="left")
        _draw_legend(axes, "slope and 95 % interval" if y != SHARE else None)
    places[-1].set_xlabel(AXES[x][0])
    set_words(figure, words)
    save_figure(figure, stem)
    return drawn


def _draw_sweep(axes: Axes, drawn: pd.DataFrame, titles: list[str], x: str, y: str) -> None:
    """Draw the lines of one sweep, and the ticks of what is swept."""
    logarithmic = y != SHARE
    ends = {str(name): float(line["mean"].iloc[-1]) for name, line in drawn.groupby("algorithm")}
    for name in in_order(list(drawn["algorithm"].unique()), ends, higher=not logarithmic):
        _draw_line(axes, name, drawn[drawn["algorithm"] == name], titles, logarithmic)
    if logarithmic:
        axes.set_xscale("log")
        shown = drawn[(drawn["x"] > 0) & (drawn["low"] > 0)]
        if not shown.empty:
            plain_log(axes.yaxis, float(shown["low"].min()), float(shown["high"].max()))
        swept = sorted(drawn.loc[drawn["x"] > 0, "x"].unique())
        axes.set_xticks(swept, [f"{value:.3g}" if value < 1000 else f"{value:,.0f}" for value in swept])
        axes.set_xticks([], minor=True)


def _draw_legend(axes: Axes, heading: str | None) -> None:
    """Draw the legend beside the lines."""
    beside: Any = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0)}
    legend = axes.legend(title=heading, fontsize=SMALL, title_fontsize=SMALL, **beside)
    for text in legend.get_texts():
        emphasise(text, text.get_text().partition("  ")[0])


def _draw_line(axes: Axes, name: str, line: pd.DataFrame, titles: list[str], logarithmic: bool) -> None:
    """Draw an algorithm with its band, and its slope in the legend where both axes are logarithmic."""
    line = line[line["x"] > 0] if logarithmic else line
    label, own, shown = algorithm_name(name), is_own(name), look(name, titles)
    if logarithmic and not line.empty:
        fitted, low, high = line[["slope", "slope_low", "slope_high"]].iloc[0]
        label += f"  {fitted:+z.2f} [{low:+z.2f}, {high:+z.2f}]"
    how: dict[str, Any] = {"linewidth": 2.2, "zorder": 3} if own else {"linewidth": 1.3}
    axes.plot(line["x"], line["mean"], label=label, markersize=4.5, **how, **shown)
    axes.fill_between(line["x"], line["low"], line["high"], color=shown["color"], alpha=0.14, linewidth=0)


def _draw_rate(axes: Axes, panels: Sequence[Sequence[Run]], x: str, stated: str, middle: float) -> float:
    """Draw the rate that a paper states, through the middle of the lines; return its slope."""
    rate = {place: value for place, value in collect_rate(panels, x, stated).items() if place > 0}
    fitted, _, _ = slope({place: np.array([value]) for place, value in rate.items()})
    values = np.array(list(rate.values()))
    label = f"the rate stated, {RATES[stated][0]}  {fitted:+z.2f}"
    heights = middle * values / np.exp(np.log(values).mean())
    axes.plot(list(rate), heights, color="0.6", linewidth=3, alpha=0.6, zorder=0, label=label)
    return fitted


def seen(panels: Sequence[Sequence[Run]], x: str, y: str) -> str:
    """Return the slope of the papers' own method with its interval, by the runs alone; empty if there is none."""
    lines = {title: points for title, points in collect(panels, x, y).items() if is_own(title)}
    if not lines or y == SHARE:
        return ""
    title, points = next(iter(lines.items()))
    fitted, low, high = slope(points)
    if fitted != fitted:
        return ""
    return f"The slope of {name_before_verb(title)} is {fitted:z.2f} [{low:z.2f}, {high:z.2f}]"


def main(argv: list[str] | None = None) -> None:
    """Draw a sweep from run tables."""
    parser = arguments("Draw how a result depends on a setting of the game.")
    parser.add_argument("--x", required=True, help=f"one of {', '.join(AXES)}")
    parser.add_argument("--y", default="regret", help=f"one of {', '.join(RESULTS)}")
    parser.add_argument("--each", default="", help=f"a setting with a sweep per value, one of {', '.join(GAME_AXES)}")
    parser.add_argument("--stated", help=f"the rate that the paper states, one of {', '.join(RATES)}")
    given = parser.parse_args(argv)
    pick(given.x, AXES, "axis (--x)")
    pick(given.y, RESULTS, "result (--y)")
    if given.stated is not None:
        pick(given.stated, RATES, "rate (--stated)")
    if given.each:
        pick(given.each, GAME_AXES, "setting (--each)")
    how = given.x, given.y, given.stated, given.each
    note = f"The thick grey line is the rate that the paper states, {RATES[given.stated][0]}." if given.stated else ""
    write_figure(
        given,
        lambda made: draw(made.panels, made.words, given.band, given.out, *how, made.marks),
        note,
        measures=[given.y] if given.y != SHARE else (),
        seen=lambda panels: seen(panels, *how[:2]),
        axis=given.x,
    )


if __name__ == "__main__":
    run_script(main)
