"""How a result depends on an option of algorithms, such as the depth of their networks: lines over the option's value.

One panel per game, one line per algorithm, with the band over the runs at every value that was played. Options that
differ besides the swept one make lines of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from manybandits.base.exceptions import InputError, run_script
from manybandits.figures.identical import why_identical
from manybandits.figures.kind import of_runs
from manybandits.figures.palette import looks_of, standing
from manybandits.figures.panel import (
    Axis,
    Mark,
    Panel,
    listed_names,
    log_axis,
    panel_of,
    published_in,
    rows_of,
    shown_number,
)
from manybandits.figures.ticks import written_out
from manybandits.results.display_names import MEASURES as LABELS
from manybandits.results.display_names import OPTION_AXES, RANDOM, algorithm_name
from manybandits.results.measures import final_regret
from manybandits.results.runs import Run
from manybandits.results.summaries import centre_and_band, flat

LEVEL_SHARE = 0.05
"""Results over all values of an option that differ by less than this share are called level."""
MOST_TOLD = 2
"""The most lines that a title speaks of."""


def value_of(run: Run, option: str) -> float | None:
    """Return the value of an option in a run, None for an algorithm that has no such option.

    Raises InputError for a value that is no number.
    """
    chosen = dict(word.split("=", 1) for word in str(run.facts["chosen"]).split())
    if option not in chosen:
        return None
    try:
        return float(chosen[option])
    except ValueError:
        raise InputError(f"{run.path}: {option} is {chosen[option]!r}, not a number: sweep another option.") from None


def line_of(run: Run, option: str) -> str:
    """Return the title of the line of a run: its title without the swept option."""
    return ", ".join(word for word in run.title.split(", ") if not word.startswith(f"{option} "))


def summarise(panels: Sequence[Sequence[Run]], option: str, band: str) -> pd.DataFrame:
    """Return panel, algorithm, x, mean, low, high and n of the final regret, one row per value of the option.

    Of an algorithm without the option x is empty. Raises InputError if no run has it.
    """
    rows = []
    for runs in panels:
        for run in runs:
            x = value_of(run, option)
            numbers = map(float, centre_and_band(final_regret(run), band))
            rows.append((run.environment["name"], line_of(run, option), x, *numbers, len(run.seeds)))
    columns = ["panel", "algorithm", "x", "mean", "low", "high", "n"]
    drawn = pd.DataFrame(rows, columns=columns).astype({"x": float})
    if drawn["x"].isna().all():
        raise InputError(f"no run has the option {option!r}: choose another --x.")
    return drawn.sort_values(["panel", "algorithm", "x"], kind="stable", ignore_index=True)


def panels_of(drawn: pd.DataFrame, settings: Mapping[str, Any], facts: Mapping[str, Any]) -> Iterator[Panel | None]:
    """Return a panel per game; an algorithm without the option is level from the least to the largest value.

    drawn: as `summarise` returns it; settings: x, the option; facts: also ``points``, one per run.
    """
    option, looks = settings["x"], looks_of(drawn["algorithm"])
    lines = {(game, title): (line, x) for game, title, line, x in facts.get("points", ())}
    for game, table in drawn.groupby("panel", sort=False):
        values = sorted(table["x"].dropna().unique())
        level = table[table["x"].isna()]
        rows = rows_of(pd.concat([table.dropna(subset="x"), *(level.assign(x=end) for end in (values[0], values[-1]))]))
        spread = {str(name): _spread(means) for name, means in rows.groupby("series")["mean"]}
        marks = [(one, *lines[game, one.title]) for one in published_in(facts, str(game)) if (game, one.title) in lines]
        ticks, label = {value: written_out(value) for value in values}, OPTION_AXES.get(option, option)
        yield panel_of(
            facts,
            str(game),
            rows=rows,
            x=log_axis(label, rows["x"], ticks) if 0 < 4 * values[0] < values[-1] else Axis(label, ticks=ticks),
            y=Axis(LABELS["final"], ends=_room(rows[rows["series"] != RANDOM])),
            series=listed_names(rows, words=spread),
            looks=looks,
            form="lines",
            marks=[Mark(line, x, one.value, bool(one.source)) for one, line, x in marks if x is not None],
        )


def _spread(means: pd.Series) -> str:
    """Return the least and the largest of some values in words."""
    low, high = shown_number(means.min()), shown_number(means.max())
    return low if low == high else f"{low} to {high}"


def _room(rows: pd.DataFrame) -> tuple[float | None, float | None]:
    """Return the ends of an axis with room beyond the lines, so that a small change does not look like a large one."""
    low, high = float(rows["low"].min()), float(rows["high"].max())
    room = max(0.12 * (high - low), 0.03 * abs(high))
    return (low - room, high + 2 * room) if np.isfinite([low, high]).all() else (None, None)


def why_equal(runs: Sequence[Run], option: str) -> str:
    """Return why the points of the lines of a game are equal, if they are."""
    alike: dict[str, list[Run]] = {}
    for run in runs:
        alike.setdefault(line_of(run, option), []).append(run)
    told = {line: why for line, members in alike.items() if (why := why_identical(members, "points"))}
    if len(alike) < 2:
        return "".join(told.values())
    return " ".join(f"{algorithm_name(line)}: {why[:1].lower()}{why[1:]}" for line, why in told.items())


def points_of(panels: Sequence[Sequence[Run]], option: str) -> list[tuple[str, str, str, float | None]]:
    """Return where every run is drawn: its game and its title, the title of its line, and the value of the option."""
    return [(run.environment["name"], run.title, line_of(run, option), value_of(run, option)) for run in flat(panels)]


def seen(panels: Sequence[Sequence[Run]], option: str) -> str:
    """Return what an option does to the final regret, by the runs alone: nothing, little, or which value is best."""
    told = []
    for runs in panels:
        lines: dict[str, dict[float, float]] = {}
        for run in runs:
            if (x := value_of(run, option)) is not None and not run.lost:
                lines.setdefault(line_of(run, option), {})[x] = float(final_regret(run).mean())
        ordered = sorted(lines, key=standing)
        told += [_of_line(title, lines[title], option) for title in ordered if len(lines[title]) > 1]
    return "; ".join(dict.fromkeys(told[:MOST_TOLD]))


def _of_line(title: str, points: dict[float, float], option: str) -> str:
    name, low, high = algorithm_name(title), min(points.values()), max(points.values())
    if low == high:
        return f"The regret of {name} does not change with {option}"
    if (high - low) / high < LEVEL_SHARE:
        return f"The regret of {name} hardly changes with {option} (by {100 * (high - low) / high:.1f} %)"
    best = min(points, key=lambda value: points[value])
    return f"{name} has the least regret at {option} = {best:g}, {100 * (high - low) / high:.0f} % below its worst"


KIND = of_runs(
    "Draw how the regret depends on an option of algorithms.",
    panels_of,
    lambda games, given: summarise(games, given["x"], given["band"]),
    size=(7.2, 3.5),
    options={"x": {"required": True, "help": "the option, as in the run tables"}},
    seen=lambda games, given: seen(games, given["x"]),
    measure=lambda _: "regret",
    why=lambda runs, given: why_equal(runs, given["x"]),
    more=lambda games, given: {"points": points_of(games, given["x"])},
)
main = KIND.main

if __name__ == "__main__":
    run_script(main)
