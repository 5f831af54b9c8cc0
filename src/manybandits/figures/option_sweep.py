"""How a result depends on an option of algorithms, such as the depth of their networks: lines over the option's value.

One panel per game, one line per algorithm, with the band over the runs at every value that was played. Options that
differ besides the swept one make lines of their own.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from manybandits.base.exceptions import InputError, run_script
from manybandits.figures.canvas import SMALL, Words, mark_stand_in, new_figure, panel_title, save_figure, set_words
from manybandits.figures.command_line import arguments, write_figure
from manybandits.figures.identical import why_identical
from manybandits.figures.palette import RANDOM, in_order, is_own, look, standing
from manybandits.figures.published import Published, draw_mark, make_room
from manybandits.figures.regret import shown_number
from manybandits.figures.ticks import written_out
from manybandits.results.display_names import MEASURES as LABELS
from manybandits.results.display_names import OPTION_AXES, algorithm_name
from manybandits.results.measures import final_regret
from manybandits.results.runs import Run
from manybandits.results.summaries import centre_and_band

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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


def draw(
    panels: Sequence[Sequence[Run]],
    words: Words,
    band: str,
    stem: Path,
    option: str,
    marks: Sequence[Published] = (),
) -> pd.DataFrame:
    """Write the figure to ``<stem>.svg``; return the table that it was drawn from."""
    drawn = summarise(panels, option, band)
    figure, every_axes = new_figure(len(panels))
    figure.set_size_inches(max(6.8, 5.2 * min(len(panels), 2)), 3.5 * -(-len(panels) // 2))
    others = sorted(drawn["algorithm"].unique())
    for runs, axes in zip(panels, every_axes, strict=True):
        _draw_panel(axes, runs, drawn[drawn["panel"] == runs[0].environment["name"]], option, others)
        places = {run.title: (line_of(run, option), value_of(run, option)) for run in runs}
        for one in (mark for mark in marks if mark.game == runs[0].environment["name"] and mark.title in places):
            line, x = places[one.title]
            if x is not None:
                draw_mark(axes, one, x, one.value, look(line, others)["color"], clip_on=False)
                make_room(axes, one.value)
    set_words(figure, words)
    save_figure(figure, stem)
    return drawn


def _draw_panel(axes: Axes, runs: Sequence[Run], drawn: pd.DataFrame, option: str, others: Sequence[str]) -> None:
    """Draw the lines of a game with their names at the right end; an algorithm without the option is a level line."""
    ends = {str(name): float(line["mean"].iloc[-1]) for name, line in drawn.groupby("algorithm")}
    values = sorted(drawn["x"].dropna().unique())
    for title in in_order(list(ends), ends):
        line, shown, own = drawn[drawn["algorithm"] == title], look(title, others), is_own(title)
        if line["x"].isna().all():
            axes.axhline(line["mean"].iloc[0], label=algorithm_name(title), **{**shown, "marker": ""}, linewidth=1.3)
            continue
        numbers = shown_number(line["mean"].min()), shown_number(line["mean"].max())
        spread = numbers[0] if numbers[0] == numbers[1] else f"{numbers[0]} to {numbers[1]}"
        ends_of = np.array([line["mean"] - line["low"], line["high"] - line["mean"]])
        label = f"{algorithm_name(title)}  {spread}"
        size: dict[str, Any] = {"linewidth": 2.2, "markersize": 6} if own else {"linewidth": 1.3, "markersize": 5}
        axes.errorbar(line["x"], line["mean"], ends_of, label=label, elinewidth=1, capsize=2, **size, **shown)
    if min(values) > 0 and max(values) / min(values) > 4:
        axes.set_xscale("log")
    axes.set_xticks(values, [written_out(value) for value in values])
    axes.set_xticks([], minor=True)
    axes.set(xlabel=OPTION_AXES.get(option, option), ylabel=LABELS["final"])
    _room(axes, drawn[drawn["algorithm"] != RANDOM])
    panel_title(axes, runs[0].environment["data_note"])
    axes.legend(fontsize=SMALL, loc="upper left", bbox_to_anchor=(0.0, -0.2), handlelength=3.2, ncols=2)
    alike: dict[str, list[Run]] = {}
    for run in runs:
        alike.setdefault(line_of(run, option), []).append(run)
    _tell(axes, {line: why_identical(members, "points") for line, members in alike.items()})
    if runs[0].environment["stand_in"]:
        mark_stand_in(axes)


def _room(axes: Axes, drawn: pd.DataFrame) -> None:
    """Leave room above and below the lines, so that a small change does not look like a large one."""
    low, high = float(drawn["low"].min()), float(drawn["high"].max())
    if np.isfinite([low, high]).all():
        room = max(0.12 * (high - low), 0.03 * abs(high))
        axes.set_ylim(low - room, high + 2 * room)


def _tell(axes: Axes, reasons: dict[str, str]) -> None:
    """Write into a panel why the points of a line are equal, if they are. reasons: line -> why, or empty."""
    told = {line: why for line, why in reasons.items() if why}
    if told:
        several = len(reasons) > 1
        said = [f"{algorithm_name(line)}: {why[:1].lower()}{why[1:]}" if several else why for line, why in told.items()]
        text = "\n".join(textwrap.fill(one, 70) for one in said)
        axes.text(0.02, 0.98, text, transform=axes.transAxes, va="top", fontsize=8, style="italic")


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


def main(argv: list[str] | None = None) -> None:
    """Draw a sweep over an option from run tables."""
    parser = arguments("Draw how the regret depends on an option of algorithms.")
    parser.add_argument("--x", required=True, help="the option, as in the run tables")
    given = parser.parse_args(argv)
    write_figure(
        given,
        lambda made: draw(made.panels, made.words, given.band, given.out, given.x, made.marks),
        measures=["regret"],
        seen=lambda panels: seen(panels, given.x),
    )


if __name__ == "__main__":
    run_script(main)
