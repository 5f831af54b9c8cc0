"""The final regret of every algorithm as a dot: one row per algorithm and one marker per game; own methods come first.

For games that differ in what algorithms are told: the distance between the markers of a row shows what that is worth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.figures import drawing
from manybandits.figures.canvas import Words
from manybandits.figures.kind import of_runs
from manybandits.figures.outcomes import outcomes_of, sentence
from manybandits.figures.palette import game_look, standing
from manybandits.figures.panel import Axis, Mark, Panel, published_in, rows_of
from manybandits.results.display_names import algorithm_name
from manybandits.results.runs import Run
from manybandits.results.summaries import final_regrets

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def summarise(panels: Sequence[Sequence[Run]], band: str) -> pd.DataFrame:
    """Return game, algorithm, mean, low, high and n, one row per run table."""
    final = final_regrets(panels, band).rename(columns={"data": "game"})
    return final[["game", "algorithm", "mean", "low", "high", "n"]]


def panels_of(drawn: pd.DataFrame, settings: Mapping[str, Any], facts: Mapping[str, Any]) -> Iterator[Panel | None]:
    """Return the panel: a series per game. drawn: as `summarise` returns it."""
    # In the order given, which is that of what algorithms are told, but own methods above the others.
    titles = sorted(drawn["algorithm"].unique(), key=standing)
    games = list(drawn["game"].unique())
    places = {title: float(place) for place, title in enumerate(titles)}
    beside = {game: 0.16 * (place - (len(games) - 1) / 2) for place, game in enumerate(games)}
    drawn = drawn.assign(place=drawn["algorithm"].map(algorithm_name))
    rows = rows_of(
        drawn.assign(x=drawn["algorithm"].map(places) + drawn["game"].map(beside)), series="game", place="place"
    )
    notes = {name: environment["data_note"] for name, environment in facts["games"].items()}
    rounds = max(run["rounds"] for run in facts["runs"])
    yield Panel(
        title="",
        rows=rows,
        x=Axis(f"regret of {rounds:,} rounds", ends=(0.0, None)),
        y=Axis(ends=(len(titles) - 0.5, -0.7), ticks={places[title]: algorithm_name(title) for title in titles}),
        series={game: game for game in games},
        looks={game: game_look(place) for place, game in enumerate(games)},
        form="points",
        across=True,
        emphasis=titles,
        numbered=True,
        marks=[
            Mark(notes[one.game], one.value, places[one.title], bool(one.source))
            for one in published_in(facts)
            if one.title in places
        ],
        stand_in=bool(facts["stand_in"]),
    )


def figure_of(drawn: pd.DataFrame, words: Words, settings: Mapping[str, Any], facts: Mapping[str, Any]) -> Figure:
    """Return the figure of a table."""
    height = 1.2 + 0.42 * drawn["algorithm"].nunique()
    return drawing.tiled(panels_of(drawn, settings, facts), words, 11.0, height)


KIND = of_runs(
    "Draw the final regret of every algorithm as a dot, with one marker per game.",
    panels_of,
    lambda games, given: summarise(games, given["band"]),
    figure_of=figure_of,
    seen=lambda games, _: sentence(outcomes_of(games)),
    measure=lambda _: "regret",
)
main = KIND.main

if __name__ == "__main__":
    run_script(main)
