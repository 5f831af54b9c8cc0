"""The final regret of every algorithm as a dot: one row per algorithm and one marker per game; own methods come first.

For games that differ in what algorithms are told: the distance between the markers of a row shows what that is worth.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.figures.canvas import SMALL, Words, emphasise, mark_stand_in, new_figure, save_figure, set_words
from manybandits.figures.command_line import arguments, write_figure
from manybandits.figures.outcomes import outcomes_of, sentence
from manybandits.figures.palette import GAMES, standing
from manybandits.figures.published import Published, draw_mark
from manybandits.results.display_names import algorithm_name
from manybandits.results.runs import Run
from manybandits.results.summaries import final_regrets


def summarise(panels: Sequence[Sequence[Run]], band: str) -> pd.DataFrame:
    """Return game, algorithm, mean, low, high and n, one row per run table."""
    final = final_regrets(panels, band).rename(columns={"data": "game"})
    return final[["game", "algorithm", "mean", "low", "high", "n"]]


def draw(
    panels: Sequence[Sequence[Run]], words: Words, band: str, stem: Path, marks: Sequence[Published] = ()
) -> pd.DataFrame:
    """Write the figure to ``<stem>.svg``; return the table that it was drawn from."""
    drawn = summarise(panels, band)
    # In the order given, which is that of what algorithms are told, but own methods above the others.
    titles = sorted(drawn["algorithm"].unique(), key=standing)
    figure, (axes,) = new_figure(1)
    figure.set_size_inches(9.0, 1.2 + 0.42 * len(titles))
    notes = {runs[0].environment["name"]: runs[0].environment["data_note"] for runs in panels}
    for place, (game, rows) in enumerate(drawn.groupby("game", sort=False)):
        marker, color = GAMES[place % len(GAMES)]
        heights = np.array([titles.index(name) for name in rows["algorithm"]]) + 0.16 * (place - (len(panels) - 1) / 2)
        ends = np.array([rows["mean"] - rows["low"], rows["high"] - rows["mean"]])
        fill = "white" if place % 2 else color
        axes.errorbar(
            rows["mean"], heights, xerr=ends, fmt=marker, color=color, markerfacecolor=fill, elinewidth=1.0, label=game
        )
        for mean, height in zip(rows["mean"], heights, strict=True):
            axes.annotate(f"{mean:,.0f}", (mean, height), (0, 5), textcoords="offset points", ha="center", fontsize=7)
        for one in (mark for mark in marks if notes.get(mark.game) == game and mark.title in titles):
            draw_mark(axes, one, one.value, titles.index(one.title), color)
    names = [textwrap.fill(algorithm_name(title), 34) for title in titles]
    axes.set_yticks(range(len(titles)), names, fontsize=8)
    for label, title in zip(axes.get_yticklabels(), titles, strict=True):
        emphasise(label, title)
    axes.set_ylim(len(titles) - 0.5, -0.7)
    axes.set_xlim(left=0.0)
    axes.set_xlabel(f"regret of {panels[0][0].rounds[-1]:,} rounds")
    axes.legend(fontsize=SMALL, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=1)
    if any(runs[0].environment["stand_in"] for runs in panels):
        mark_stand_in(axes)
    set_words(figure, words)
    save_figure(figure, stem)
    return drawn


def main(argv: list[str] | None = None) -> None:
    """Draw the final regret of run tables as dots."""
    given = arguments("Draw the final regret of every algorithm as a dot, with one marker per game.").parse_args(argv)
    write_figure(
        given,
        lambda made: draw(made.panels, made.words, given.band, given.out, made.marks),
        measures=["regret"],
        seen=lambda panels: sentence(outcomes_of(panels)),
    )


if __name__ == "__main__":
    run_script(main)
