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

from manybandits.base.artifacts import Provenance, check_bytes, load_provenance
from manybandits.base.exceptions import InputError, run_script
from manybandits.figures.canvas import SMALL, Words, new_figure, save_figure, set_words
from manybandits.figures.command_line import save_drawn
from manybandits.figures.palette import GAMES, RED
from manybandits.results.display_names import setting_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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


def draw(drawn: pd.DataFrame, titles: Mapping[str, str], stands_in: Collection[str], words: Words, stem: Path) -> None:
    """Write the figure to ``<stem>.svg``.

    drawn: as `summarise` returns it, with the accuracy that is published in the column ``stated``, NaN where none is;
    titles: data -> the title of the data set; stands_in: the games of data that replace those of the paper.
    """
    panels = list(drawn.groupby("data", sort=False))
    most, columns = max(rows["game"].nunique() for _, rows in panels), min(len(panels), 2)
    figure, axes = new_figure(len(panels), columns)
    figure.set_size_inches(2.0 + 4.2 * columns, (1.1 + 0.42 * most) * -(-len(panels) // columns))
    for panel, (data, rows) in zip(axes, panels, strict=True):
        _draw_panel(panel, rows, stands_in)
        panel.set_title(titles[str(data)], fontsize=9, loc="left", pad=15)  # above the words of the lines
    axes[0].legend(fontsize=SMALL, loc="lower left", bbox_to_anchor=(0.0, 1.08), ncols=2)
    set_words(figure, words)
    save_figure(figure, stem)


def _draw_panel(axes: Axes, rows: pd.DataFrame, stands_in: Collection[str]) -> None:
    """Draw the games of one data set."""
    rungs = rows.drop_duplicates("game")
    places = {game: place for place, game in enumerate(rungs["game"])}
    models = rows["model"].unique()
    for number, model in enumerate(models):
        own, (marker, color) = rows[rows["model"] == model], GAMES[number]
        heights = own["game"].map(places) + 0.2 * (number - (len(models) - 1) / 2)
        axes.errorbar(
            own["accuracy"],
            heights,
            xerr=WIDTH * own["error"],
            fmt=marker,
            color=color,
            markersize=5.5,
            elinewidth=1.2,
            label=str(model),
        )
    best = rows.loc[rows.groupby("game", sort=False)["accuracy"].idxmax()]
    for row in best.to_dict("records"):
        axes.annotate(
            f"{row['accuracy']:.2f}",
            (row["high"], places[row["game"]]),
            (4, 0),
            textcoords="offset points",
            fontsize=SMALL,
            va="center",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6},  # over the line of what is published
        )
    lines = {"chance": (rungs["chance"].iloc[0], "#888888", (0, (1, 2)))}
    if rungs["stated"].notna().any():
        lines["published"] = (rungs["stated"].iloc[0], RED, (0, (4, 2)))
    for name, (place, color, dashes) in lines.items():
        axes.axvline(place, color=color, linestyle=dashes, linewidth=1.2, zorder=1)
        axes.annotate(
            f"{name} {place:.2f}",
            (place, 1.0),
            (0, 2),
            xycoords=axes.get_xaxis_transform(),
            textcoords="offset points",
            color=color,
            fontsize=SMALL,
            ha="right" if name == "chance" else "center",
        )
    marks = ["\nSTAND-IN DATA" if game in stands_in else "" for game in rungs["game"]]
    names = [textwrap.fill(setting_words(text), 30) + mark for text, mark in zip(rungs["rung"], marks, strict=True)]
    axes.set_yticks(range(len(rungs)), names, fontsize=8)
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(rungs) - 0.5, -0.5)
    axes.set_xlim(0.0, min(1.0, 1.12 * max(rows["high"].max(), *(place for place, _, _ in lines.values()))))
    axes.set_xlabel("share of rounds in which the chosen arm pays")
    axes.grid(axis="y", visible=False)


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


def main(argv: list[str] | None = None) -> None:
    """Draw the table of a probe as a ladder."""
    parser = argparse.ArgumentParser(description="Draw what a full-information probe reaches, game by game.")
    parser.add_argument("--title", required=True)
    parser.add_argument("--table", type=Path, required=True, help="the table of a probe")
    parser.add_argument("--stated", nargs="*", default=[], metavar="DATA=REGRET", help="published, per round")
    parser.add_argument("--out", type=Path, required=True, help="stem of the files to write")
    given = parser.parse_args(argv)
    provenance = Provenance({"title": given.title, "stated": given.stated}, (given.table,))
    check_bytes(given.table)
    table, games = pd.read_csv(given.table), load_provenance(given.table)["facts"]["games"]
    stated = {data: value for data, value in stated_of(given.stated).items() if data in set(table["data"])}
    titles = {game["role"]: str(game["dataset"]["title"]) for game in games}
    drawn = summarise(table).assign(stated=lambda rows: rows["data"].map(stated).astype(float))
    told, caption = seen(drawn, titles), CAPTION + (STATED if stated else "")
    played = dict(zip(table["game"].unique(), games, strict=True))
    stands_in = {name for name, game in played.items() if game["stand_in"]}
    draw(drawn, titles, stands_in, Words(told or given.title, given.title if told else "", caption), given.out)
    facts = {
        "caption": caption,
        "seen": told,
        "data": list(dict.fromkeys(str(game["data_note"]).split(";")[0] for game in games)),  # rows name the rest
        "stand_in": bool(stands_in),
        "games": played,
    }
    save_drawn(given.out, drawn, provenance, facts)


if __name__ == "__main__":
    run_script(main)
