"""The final reward at every grid point: one line per algorithm over the values of its option, with error bars.

The lines stand beside each other, the paper's own method first; where one of them tunes two options, it has a line for
each value of the first, and where all do, each has a heat map. The legend has the best value of each, and published
numbers are hollow diamonds. Only for runs of which every grid point plays the reported seeds (``best-of-grid``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.figures import drawing
from manybandits.figures.canvas import Words, emphasise, new_figure, panel_title, set_words
from manybandits.figures.kind import of_runs
from manybandits.figures.outcomes import placed, short_names
from manybandits.figures.palette import INK, looks_of, standing
from manybandits.figures.panel import Axis, Mark, Panel, panel_of, published_in, rows_of, shown_number
from manybandits.results.display_names import algorithm_name, name_before_verb, note_words
from manybandits.results.grids import summarise
from manybandits.results.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAP = 1.5
"""Distance between two columns; two points of a column are 1 apart."""
MOST_LABELS, MOST_IN_PANEL = 24, 90
"""Grid points of an algorithm, and of a panel, that are all labelled; of more, every second or third one is."""


def panels_of(drawn: pd.DataFrame, settings: Mapping[str, Any], facts: Mapping[str, Any]) -> Iterator[Panel | None]:
    """Return a panel per game. drawn: as `results.grids.summarise` returns it; settings: band, one of `BANDS`."""
    looks, std = looks_of(drawn["algorithm"]), settings.get("band", "std") == "std"
    ends = {"low": drawn["reward"] - drawn["std"], "high": drawn["reward"] + drawn["std"]} if std else {}
    drawn = drawn.assign(**ends)
    for game, table in drawn.groupby("environment", sort=False):
        options = {run["algorithm"]: list(run["varied"]) for run in facts["runs"] if run["game"] == game}
        rounds = max(run["rounds"] for run in facts["runs"])
        columns = [table[table["algorithm"] == title] for title in sorted(table["algorithm"].unique(), key=standing)]
        every, parts, marks, names = places_of([len(column) for column in columns]), [], [], {}
        for column, places in zip(columns, every, strict=True):
            title = str(column["algorithm"].iloc[0])
            values, best = column["values"].tolist(), column.loc[column["mark"] == "best"].iloc[0]
            groups = [value.split(" ")[0] if len(options[title]) > 1 else "" for value in values]
            words = [f"{algorithm_name(title)}: {value}" for value in values]
            parts.append(column.assign(x=places, group=[f"{title} {one}" for one in groups], place=words))
            told = f"{shown_number(best['reward'])} at {' x '.join(options[title])} = {best['values']}"
            names[title] = f"{algorithm_name(title)}  {told}"
            points = [point_of(options[title], value) for value in values]
            for one in (mark for mark in published_in(facts, str(game)) if mark.title == title):
                place = places[points.index(one.point)] if one.point in points else places[-1] + 0.6
                marks.append(Mark(title, float(place), one.value, bool(one.source)))
        shown = pd.concat(parts)
        step = max(-(-max(map(len, columns)) // MOST_LABELS), -(-len(shown) // MOST_IN_PANEL))
        ticks = {
            float(x): "" if number % step else str(value)
            for column in parts
            for number, (x, value) in enumerate(zip(column["x"], column["values"], strict=True))
        }
        top = 1.1 * max([float(shown["high"].max()), *(mark.y for mark in marks)])
        yield panel_of(
            facts,
            str(game),
            rows=rows_of(shown, mean="reward", group="group", place="place"),
            x=Axis("value of the grid, one column per algorithm", ticks=ticks),
            y=Axis(f"reward of {rounds:,} rounds", ends=(0.0, top)),
            series=names,
            looks=looks,
            form="lines",
            heading="best value",
            marks=marks,
        )


def figure_of(drawn: pd.DataFrame, words: Words, settings: Mapping[str, Any], facts: Mapping[str, Any]) -> Figure:
    """Return the figure of a table: a heat map for each algorithm where all tune two options, else lines."""
    if all(len(run["varied"]) == 2 for run in facts["runs"]):
        return _maps_of(drawn, words, facts)
    return drawing.tiled(panels_of(drawn, settings, facts), words, 13.0, 3.5, columns=1)


def _maps_of(drawn: pd.DataFrame, words: Words, facts: Mapping[str, Any]) -> Figure:
    """Return heat maps, one per game and algorithm: the first option against the second, with the best in a frame."""
    import seaborn
    from matplotlib.patches import Rectangle

    titles = sorted(drawn["algorithm"].unique(), key=standing)
    games = [(str(game), table) for game, table in drawn.groupby("environment", sort=False)]
    options = {run["algorithm"]: list(run["varied"]) for run in facts["runs"]}
    grids = {
        (game, title): _grid_of(table[table["algorithm"] == title], options[title])
        for game, table in games
        for title in titles
    }
    tall = [max(len(grids[game, title]) for title in titles) for game, _ in games]
    size = (4.6 * len(titles), sum(0.2 * rows + 0.9 for rows in tall))
    figure, axes = new_figure(len(grids), len(titles), size, heights=[float(rows) for rows in tall])
    for ((game, title), grid), panel in zip(grids.items(), axes, strict=True):
        top = max(float(np.nanmax(one)) for (other, _), one in grids.items() if other == game)
        how: Any = {"vmin": 0.0, "vmax": top, "cbar": False, "linewidths": 0.4, "linecolor": "white"}
        seaborn.heatmap(grid, cmap="Blues", annot=True, fmt=".0f", annot_kws={"fontsize": 6}, ax=panel, **how)
        row, column = np.unravel_index(int(grid.fillna(-1.0).to_numpy().argmax()), grid.shape)  # NaN: runs were lost
        panel.add_patch(Rectangle((float(column), float(row)), 1, 1, fill=False, edgecolor=INK, linewidth=1.4))
        panel.grid(visible=False)
        panel.tick_params(length=0, labelsize=7)
        panel.tick_params(axis="x", rotation=90)
        panel.tick_params(axis="y", rotation=0)
        where = f", {note_words(facts['games'][game]['data_note'])}" if len(games) > 1 else ""
        panel_title(panel, f"{algorithm_name(title)}{where}", 58)
        emphasise(panel.title, title)
    set_words(figure, words)
    return figure


def _grid_of(column: pd.DataFrame, options: Sequence[str]) -> pd.DataFrame:
    """Return the rewards of an algorithm as a grid: values of the first option x values of the second."""
    pairs = column["values"].str.split(" ", n=1, expand=True).set_axis([*options], axis=1)
    table = pairs.assign(reward=column["reward"].to_numpy())
    rows, columns = (list(dict.fromkeys(table[name])) for name in options)
    return table.pivot(index=options[0], columns=options[1], values="reward").loc[rows, columns]


def places_of(counts: Sequence[int]) -> list[np.ndarray]:
    """Return the places of the points of every column on the axis. counts: the grid points of each."""
    starts = np.concatenate([[0.0], np.cumsum(np.array(counts[:-1]) - 1.0 + GAP + 1.0)])
    return [start + np.arange(count) for start, count in zip(starts, counts, strict=True)]


def point_of(options: Sequence[str], values: str) -> str:
    """Return the values of a grid point as claims name them, such as ``alpha=0.1``."""
    return " ".join(sorted(f"{name}={value}" for name, value in zip(options, values.split(), strict=True)))


def seen(panels: Sequence[Sequence[Run]]) -> str:
    """Return which algorithm has the most reward at its best grid point, game by game."""
    names = short_names(panels)
    told: dict[str, list[str]] = {}
    for game, rows in summarise(panels).groupby("environment", sort=False):
        best = rows[rows["mark"] == "best"].sort_values("reward").iloc[-1]
        told.setdefault(str(best["algorithm"]), []).append(names[str(game)])
    if len(told) == 1:
        return f"{name_before_verb(next(iter(told)))} has the most reward at its best value"
    each = [placed(algorithm_name(title), games) for title, games in told.items()]
    return f"Most reward at the best value: {'; '.join(each)}"


KIND = of_runs(
    "Draw the final reward at every grid point of run tables.",
    panels_of,
    lambda games, _: summarise(games),
    figure_of=figure_of,
    seen=lambda games, _: seen(games),
    measure=lambda _: "reward",
    note=lambda _: "Every value of the grid is shown, and the best of each algorithm is marked.",
    tuned=False,
)
main = KIND.main

if __name__ == "__main__":
    run_script(main)
