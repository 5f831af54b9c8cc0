"""How a result depends on a setting of the game: one line per algorithm, with its slope on two logarithmic axes.

The slope is fitted by least squares to the mean over runs; its interval is a bootstrap over the seeds, which all
settings share. A logarithmic axis cannot show points at 0 on either axis, and the fit leaves them out.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from manybandits.base.exceptions import pick, run_script
from manybandits.base.statistics import slope
from manybandits.figures.canvas import new_figure, save_figure, set_words
from manybandits.figures.caption import caption
from manybandits.figures.command_line import arguments, write_figure
from manybandits.figures.palette import look
from manybandits.results.display_names import algorithm_name
from manybandits.results.runs import Run
from manybandits.results.summaries import centre_and_band
from manybandits.results.sweeps import AXES, RATES, RESULTS, collect, collect_rate, whose


def summarise(panels: Sequence[Sequence[Run]], x: str, y: str, band: str) -> pd.DataFrame:
    """Return algorithm, x, mean, low, high, n and the slope with its interval, one row per point."""
    rows = []
    for title, points in collect(panels, x, y).items():
        fitted = slope(points) if y != "recovered" else (np.nan, np.nan, np.nan)
        for place, values in points.items():
            rows.append((title, place, *map(float, centre_and_band(values, band)), len(values), *fitted))
    columns = ["algorithm", "x", "mean", "low", "high", "n", "slope", "slope_low", "slope_high"]
    return pd.DataFrame(rows, columns=columns)


def draw(
    panels: Sequence[Sequence[Run]], title: str, band: str, stem: Path, x: str, y: str, stated: str | None
) -> pd.DataFrame:
    """Write the figure to ``<stem>.png`` and ``<stem>.svg``; return what was drawn. stated: one of `RATES`."""
    drawn = summarise(panels, x, y, band)
    figure, (axes,) = new_figure(1)
    titles = sorted(drawn["algorithm"].unique())
    logarithmic = y != "recovered"
    for name, line in drawn.groupby("algorithm", sort=False):
        shown, shown_name = look(str(name), titles), algorithm_name(name)
        line = line[line["x"] > 0] if logarithmic else line
        fitted = line["slope"].iloc[0]
        label = f"{shown_name}  {fitted:+.2f} [{line['slope_low'].iloc[0]:+.2f}, {line['slope_high'].iloc[0]:+.2f}]"
        axes.plot(
            line["x"], line["mean"], label=label if logarithmic else shown_name, markersize=4, linewidth=1.4, **shown
        )
        axes.fill_between(line["x"], line["low"], line["high"], color=shown["color"], alpha=0.18, linewidth=0)
    if logarithmic:
        axes.set(xscale="log", yscale="log")
        swept = sorted(drawn.loc[drawn["x"] > 0, "x"].unique())
        axes.set_xticks(swept, [f"{value:.3g}" if value < 1000 else f"{value:,.0f}" for value in swept])
        axes.set_xticks([], minor=True)
    if stated is not None:
        rate = collect_rate(panels, x, stated)
        fitted, _, _ = slope({place: np.array([value]) for place, value in rate.items()})
        values = np.array(list(rate.values()))
        axes.plot(
            list(rate),
            drawn["mean"].median() * values / np.exp(np.log(values).mean()),
            color="0.6",
            linewidth=3,
            alpha=0.6,
            zorder=0,
            label=f"the rate stated, {RATES[stated][0]}  {fitted:+.2f}",
        )
        drawn["stated_slope"] = fitted
    axes.set_xlabel(AXES[x][0])
    axes.set_ylabel(RESULTS[y][0].format(whose(panels[0][0].environment)))
    heading = "slope and 95 % interval" if logarithmic else None
    axes.legend(title=heading, fontsize=7.5, title_fontsize=7.5, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    figure.set_size_inches(8.4, 4.3)  # with room for the legend beside the lines, which may be anywhere
    set_words(figure, title, caption(panels, band))
    save_figure(figure, stem)
    return drawn


def main(argv: list[str] | None = None) -> None:
    """Draw a sweep from run tables."""
    parser = arguments("Draw how a result depends on a setting of the game.")
    parser.add_argument("--x", required=True, help=f"one of {', '.join(AXES)}")
    parser.add_argument("--y", default="regret", help=f"one of {', '.join(RESULTS)}")
    parser.add_argument("--stated", help=f"the rate that the paper states, one of {', '.join(RATES)}")
    given = parser.parse_args(argv)
    pick(given.x, AXES, "axis (--x)")
    pick(given.y, RESULTS, "result (--y)")
    if given.stated is not None:
        pick(given.stated, RATES, "rate (--stated)")
    write_figure(given, lambda panels: draw(panels, given.title, given.band, given.out, given.x, given.y, given.stated))


if __name__ == "__main__":
    run_script(main)
