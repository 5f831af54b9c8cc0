"""A ladder of games, each with one setting more than the one before, and what a full-information probe reaches in it.

One panel per data set, and one row per game from the top down: the accuracy of both models after their largest
training, each with the inputs that serve it best, and 95 % intervals. Lines mark chance and what the paper states. See
`manybandits.measurements.probe`.
"""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from manybandits.base.artifacts import check_bytes, load_provenance
from manybandits.base.exceptions import InputError, run_script
from manybandits.figures import drawing
from manybandits.figures.canvas import Words
from manybandits.figures.kind import Kind, Picture, words_of
from manybandits.figures.palette import RED, Look, game_look
from manybandits.figures.panel import Axis, Line, Panel, rows_of
from manybandits.results.display_names import setting_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CAPTION = (
    "A row is a game, named by what it changes of the one above. A mark is the share of rounds in which the arm with "
    "the highest prediction pays, by a model that was told the rewards of all arms of its training rounds, with its "
    "95 % interval: a lower bound on what can be reached in this game."
)
STATED = " The red line is what the paper states of its method, which is not told them."
WIDTH = 1.96
"""Standard errors from a share to an end of its 95 % interval."""


def summarise(table: pd.DataFrame) -> pd.DataFrame:
    """Return the best inputs of each model after the largest training, a row per data, game and model, in their order.

    table: as `manybandits.measurements.probe` writes it.
    """
    groups = table.groupby(["data", "game", "model"], sort=False)
    longest = table[table["rounds"] == groups["rounds"].transform("max")]
    best = longest.loc[longest.groupby(["data", "game", "model"], sort=False)["accuracy"].idxmax()]
    ends = {name: best["accuracy"] + sign * WIDTH * best["error"] for name, sign in (("low", -1), ("high", 1))}
    return best.assign(**ends).reset_index(drop=True)


def panels_of(drawn: pd.DataFrame, titles: Mapping[str, str], stands_in: Collection[str]) -> list[Panel | None]:
    """Return a panel per data set, with a series per model.

    drawn: as `summarise` returns it, with the accuracy that is published in the column ``stated``, NaN where none is;
    titles: data -> the title of the data set; stands_in: the games of data that replace those of the paper.
    """
    models = list(drawn["model"].unique())
    looks = {str(model): game_look(place) for place, model in enumerate(models)}
    games = drawn.groupby("data", sort=False)
    return [_panel(titles[str(data)], table, looks, stands_in) for data, table in games]


def _panel(title: str, table: pd.DataFrame, looks: Mapping[str, Look], stands_in: Collection[str]) -> Panel:
    """Return the games of one data set, the best of each with its number."""
    rungs = table.drop_duplicates("game")
    places = {game: float(place) for place, game in enumerate(rungs["game"])}
    beside = {model: 0.2 * (place - (len(looks) - 1) / 2) for place, model in enumerate(looks)}
    heights = table["game"].map(places) + table["model"].map(beside)
    lines = [Line([rungs["chance"].iloc[0]], label=f"chance {rungs['chance'].iloc[0]:.2f}", dash=(1, 2))]
    if rungs["stated"].notna().any():
        stated = rungs["stated"].iloc[0]
        lines.append(Line([stated], label=f"published {stated:.2f}", color=RED, dash=(4, 2)))
    names = {
        places[game]: textwrap.fill(setting_words(rung), 30) + ("\nSTAND-IN DATA" if game in stands_in else "")
        for game, rung in zip(rungs["game"], rungs["rung"], strict=True)
    }
    end = 1.12 * max(table["high"].max(), *(line.x[0] for line in lines))
    return Panel(
        title=title,
        rows=rows_of(table.assign(x=heights), series="model", mean="accuracy"),
        x=Axis("share of rounds in which the chosen arm pays", ends=(0.0, min(1.0, end))),
        y=Axis(ends=(len(rungs) - 0.5, -0.5), ticks=names),
        series={model: model for model in looks},
        looks=looks,
        form="points",
        across=True,
        beside={places[game]: f"{accuracy:.2f}" for game, accuracy in table.groupby("game")["accuracy"].max().items()},
        lines=lines,
    )


def figure_of(panels: Sequence[Panel | None], words: Words) -> Figure:
    """Return the figure of some panels."""
    columns = min(len(panels), 2)
    most = max(len(panel.y.ticks) for panel in panels if panel)
    size = 2.0 + 5.2 * columns, (1.1 + 0.42 * most) * -(-len(panels) // columns)
    return drawing.figure_of(panels, words, size, columns)


def seen(drawn: pd.DataFrame, titles: Mapping[str, str]) -> str:
    """Return in which game the published accuracy is reached first, data by data; "" if none is published.

    titles: data -> the title of the data set that was played.
    """
    said = []
    for data, rows in drawn[drawn["stated"].notna()].groupby("data", sort=False):
        reached = rows[rows["accuracy"] >= rows["stated"]]
        start = f"on {titles[str(data)]} the probe"
        if reached.empty:
            said.append(f"{start} stays below the published accuracy in every game")
        elif reached["game"].nunique() == rows["game"].nunique():
            said.append(f"{start} reaches the published accuracy in every game")
        else:
            first = next(rung for rung in rows["rung"] if rung in set(reached["rung"]))
            said.append(f"{start} first reaches the published accuracy with: {setting_words(first)}")
    text = "; ".join(said)
    return text[:1].upper() + text[1:]


def stated_of(given: Sequence[str]) -> dict[str, float]:
    """Return the accuracy that each ``DATA=REGRET`` states; raise InputError unless it is a regret per round."""
    found = {}
    for text in given:
        data, _, value = text.partition("=")
        try:
            found[data] = 1.0 - float(value)
        except ValueError:
            found[data] = -1.0
        if not 0.0 <= found[data] <= 1.0:
            raise InputError(f"--stated {text}: give data and a regret per round, such as movielens=0.4442.")
    return found


def pictures(args: argparse.Namespace) -> list[Picture]:
    """Return the table of a probe as a ladder."""
    check_bytes(args.table)
    table, games = pd.read_csv(args.table), load_provenance(args.table)["facts"]["games"]
    stated = {data: value for data, value in stated_of(args.stated).items() if data in set(table["data"])}
    titles = {game["role"]: str(game["dataset"]["title"]) for game in games}
    drawn = summarise(table).assign(stated=lambda rows: rows["data"].map(stated).astype(float))
    played = dict(zip(table["game"].unique(), games, strict=True))
    stands_in = {name for name, game in played.items() if game["stand_in"]}
    facts = {
        "caption": CAPTION + (STATED if stated else ""),
        "seen": seen(drawn, titles),
        "data": list(dict.fromkeys(str(game["data_note"]).split(";")[0] for game in games)),  # rows name the rest
        "stand_in": bool(stands_in),
        "games": played,
    }
    figure = figure_of(panels_of(drawn, titles, stands_in), words_of(args.title, facts))
    return [Picture(args.out, figure, drawn, facts)]


KIND = Kind(
    "Draw what a full-information probe reaches, game by game.",
    pictures,
    {
        "table": {"type": Path, "required": True, "help": "the table of a probe"},
        "stated": {"nargs": "*", "default": [], "metavar": "DATA=REGRET", "help": "published, per round"},
    },
)
main = KIND.main

if __name__ == "__main__":
    run_script(main)
