"""The final regret of every algorithm as a dot: one row per algorithm, in the order given, and one marker per game.

For games that differ in what algorithms are told: the distance between the markers of a row shows what that is worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.figures.canvas import mark_stand_in, new_figure, save_figure, set_words
from manybandits.figures.caption import caption
from manybandits.figures.command_line import arguments, write_figure
from manybandits.figures.palette import GAMES
from manybandits.results.display_names import algorithm_name
from manybandits.results.runs import Run
from manybandits.results.summaries import final_regrets


def summarise(panels: Sequence[Sequence[Run]], band: str) -> pd.DataFrame:
    """Return game, algorithm, mean, low, high and n, one row per run table."""
    final = final_regrets(panels, band).rename(columns={"data": "game"})
    return final[["game", "algorithm", "mean", "low", "high", "n"]]


def draw(panels: Sequence[Sequence[Run]], title: str, band: str, stem: Path) -> pd.DataFrame:
    """Write the figure to ``<stem>.png`` and ``<stem>.svg``; return the table that it was drawn from."""
    drawn = summarise(panels, band)
    titles = list(drawn["algorithm"].unique())
    figure, (axes,) = new_figure(1)
    figure.set_size_inches(8.4, 1.8 + 0.36 * len(titles))
    for place, (game, rows) in enumerate(drawn.groupby("game", sort=False)):
        marker, color = GAMES[place % len(GAMES)]
        heights = [titles.index(name) for name in rows["algorithm"]]
        ends = [rows["mean"] - rows["low"], rows["high"] - rows["mean"]]
        axes.errorbar(
            rows["mean"],
            heights,
            xerr=ends,
            fmt=marker,
            color=color,
            markerfacecolor="white" if place % 2 else color,
            elinewidth=1.0,
            label=str(game),
        )
        for mean, height in zip(rows["mean"], heights, strict=True):
            axes.annotate(f"{mean:.0f}", (mean, height), (0, 6), textcoords="offset points", ha="center", fontsize=7)
    axes.set_yticks(range(len(titles)), [algorithm_name(title) for title in titles], fontsize=8)
    axes.set_ylim(len(titles) - 0.5, -0.7)
    axes.set_xlim(left=0.0)
    axes.set_xlabel(f"regret of {panels[0][0].rounds[-1]:,} rounds")
    axes.legend(fontsize=7.5, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=1)
    if any(runs[0].environment["stand_in"] for runs in panels):
        mark_stand_in(axes)
    set_words(figure, title, caption(panels, band))
    save_figure(figure, stem)
    return drawn


def main(argv: list[str] | None = None) -> None:
    """Draw the final regret of run tables as dots."""
    given = arguments("Draw the final regret of every algorithm as a dot, with one marker per game.").parse_args(argv)
    write_figure(given, lambda panels: draw(panels, given.title, given.band, given.out))


if __name__ == "__main__":
    run_script(main)
