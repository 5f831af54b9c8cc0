"""The specification curve of a headline: its effect in every set-up (reading), sorted, with the choices beneath.

Simonsohn, Simmons and Nelson 2020, *Specification curve analysis*. The upper panel has one mark per reading, with its
95 % interval; colour and shape show the answer. The lower panel has one row for each value of each choice, with a dot
for every reading that has this value: a choice that decides has its dots on one side. A dashed line marks the reading
as written.
"""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from manybandits.base.exceptions import InputError, run_script
from manybandits.base.protocols import AS_WRITTEN
from manybandits.claims.verdict import Answer
from manybandits.figures.canvas import Words, new_figure, set_words
from manybandits.figures.kind import Kind, Picture, words_of
from manybandits.figures.palette import ANSWERS
from manybandits.figures.panel import shown_number
from manybandits.results.readings_table import NUMBERS, questions_of, read_readings

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CAPTION = (
    "One mark per set-up: the effect of the claim that decides, with its 95 % interval. Beneath, a dot for the answer "
    "to each question. The dashed line is the set-up as written. Grey: what the "
    "effect is compared with, 0 or the stated number. Hollow: a smaller run than the paper's. An answer also counts "
    "how many comparisons there are, so that it may be inconclusive where one interval is not."
)
FAR = 5.0
"""An effect beyond the quartiles by more than so many times their distance may be written and not drawn."""
WRITTEN = {
    Answer.HOLDS: "holds",
    Answer.NEAR: "is a near miss",
    Answer.FAILS: "fails",
    Answer.UNCLEAR: "is inconclusive",
}
"""What is said of the reading as written, by its answer."""
PER_CENT = "in %"
"""What a quantity says whose effects are shares, and are drawn in per cent."""


def summarise(table: pd.DataFrame) -> pd.DataFrame:
    """Return the readings that have an effect, sorted by it. table: as `manybandits.claims.readings` writes it."""
    return table[table["effect"].notna()].sort_values(["effect", "reading"], kind="stable").reset_index(drop=True)


def figure_of(table: pd.DataFrame, words: Words) -> Figure:
    """Return the figure of a table of readings, of which some have an effect."""
    drawn = summarise(table)
    rows = [(question, value) for question in questions_of(table) for value in dict.fromkeys(table[question])]
    height = 0.17 * len(rows) + 0.4
    figure, (above, below) = new_figure(2, size=(8.4, 3.9 + height), heights=(3.0, height))
    shares = drawn["quantity"].str.contains(PER_CENT, regex=False).all()
    _effects(above, drawn.assign(**{name: drawn[name] * (100 if shares else 1) for name in NUMBERS}))
    _choices(below, drawn, rows)
    for axes in (above, below):
        axes.set_xlim(-1, len(drawn))
        for place in np.flatnonzero(drawn["reading"] == AS_WRITTEN).tolist():
            axes.axvline(place, color="#333333", linestyle=(0, (4, 3)), linewidth=0.9, zorder=0)
    set_words(figure, words)
    return figure


def _effects(axes: Axes, drawn: pd.DataFrame) -> None:
    """Draw the effects, one mark a reading, and at the edges those that are far from the others."""
    low, high = reach(drawn)
    near = drawn["effect"].between(low, high)
    limited = drawn["limits"].fillna("") != ""
    for (answer, (marker, color)), smaller in product(ANSWERS.items(), (False, True)):
        alike = (drawn["answer"] == answer.value) & (limited == smaller)
        if not alike.any():
            continue
        here = drawn[alike & near]
        ends = np.maximum([here["effect"] - here["low"], here["high"] - here["effect"]], 0.0)
        axes.errorbar(
            here.index,
            here["effect"],
            yerr=np.nan_to_num(ends),
            fmt=marker,
            color=color,
            markerfacecolor="white" if smaller else color,
            markersize=5,
            elinewidth=0.8,
            label=f"{answer.value}{', smaller run' if smaller else ''} ({alike.sum()})",
        )
    against = drawn["against"].to_numpy(float)
    if len(np.unique(against[~np.isnan(against)])) == 1:
        axes.axhline(np.nanmax(against), color="#888888", linewidth=0.8)
    else:  # a stated rate has another slope where other settings are swept
        axes.plot(drawn.index, against, linestyle="", marker="_", color="#888888", markersize=6)
    for place, effect, answer in drawn.loc[~near, ["effect", "answer"]].itertuples():
        above = effect > high
        axes.annotate(
            f"{shown_number(effect)} \N{RIGHTWARDS ARROW}" if above else f"\N{LEFTWARDS ARROW} {shown_number(effect)}",
            (place, float(above)),
            xycoords=("data", "axes fraction"),
            rotation=90,
            color=ANSWERS[Answer(answer)][1],
            fontsize=7,
            ha="center",
            va="top" if above else "bottom",
        )
    axes.set_xticks([])
    axes.set_ylabel(textwrap.fill("effect: " + common_quantity(drawn["quantity"]), 46), fontsize=8)
    axes.legend(fontsize=7.5, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=4)


def _choices(axes: Axes, drawn: pd.DataFrame, rows: Sequence[tuple[str, str]]) -> None:
    """Draw the answers, one row for each value of each question."""
    for row, (question, value) in enumerate(rows):
        places = np.flatnonzero(drawn[question] == value)
        axes.plot(places, np.full(len(places), row), linestyle="", marker="o", markersize=2.6, color="#222222")
    first = [row for row, (question, _) in enumerate(rows) if row == 0 or rows[row - 1][0] != question]
    for row in first[1:]:
        axes.axhline(row - 0.5, color="#bbbbbb", linewidth=0.6)
    labels = [f"{question}: {value}" if row in first else value for row, (question, value) in enumerate(rows)]
    axes.set_yticks(range(len(rows)), labels, fontsize=7)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xticks([])
    axes.grid(visible=False)
    axes.set_xlabel(f"{len(drawn)} set-ups, sorted by effect", fontsize=8)


def reach(drawn: pd.DataFrame) -> tuple[float, float]:
    """Return between which effects the axis has to reach: those that are not far from all others.

    drawn: readings with their effects. Far is what is far from the middle half, and would lengthen the axis that all
    others need, with their intervals and what they are compared with, by more than half.
    """
    effects = drawn["effect"]
    low, high = np.quantile(effects, [0.25, 0.75])
    beyond = FAR * (high - low) or np.inf
    near = drawn[effects.between(low - beyond, high + beyond)]
    needed = near[["effect", "low", "high", "against"]].to_numpy(float)
    bottom, top = np.nanmin(needed), np.nanmax(needed)
    half = (top - bottom) / 2
    return float(min(low - beyond, bottom - half)), float(max(high + beyond, top + half))


def common_quantity(quantities: pd.Series) -> str:
    """Return what was measured in words, without whose it is: what all readings have in common."""
    named = sorted({_unowned(str(text)) for text in quantities})
    if len(named) == 1:
        return named[0]
    slopes, swept = zip(*(text.partition(" in ")[::2] for text in named), strict=True)
    if len(set(slopes)) == 1 and slopes[0].startswith("slope of "):
        return f"{slopes[0]} in {' or '.join(swept)}"
    return "of the claim that decides"


def _unowned(quantity: str) -> str:
    """Return a quantity, as `manybandits.claims.sentences` writes it, without the names of methods."""
    if quantity.startswith("slope of "):  # slope of regret in rounds, M-CNB
        return quantity.split(",")[0]
    measured = quantity.split(" of ")[0]
    if " over that of " in quantity:  # regret of M-CNB over that of SCLUB, the best of 7
        return f"{measured} over that of the rival"
    of_rival = f"{PER_CENT} of the rival"
    return next((f"{measured}, {unit}" for unit in (of_rival, PER_CENT) if unit in quantity), measured)


def seen(table: pd.DataFrame) -> str:
    """Return in how many set-ups the headline holds, of those that were judged, and what it is as written."""
    answers = [answer for answer in map(Answer, table["answer"]) if answer.is_judged]
    total, holding = len(answers), answers.count(Answer.HOLDS)
    if not total:
        return "The headline cannot be judged in any set-up"
    said = {0: f"in none of {total} set-ups", total: f"in {f'all {total} set-ups' if total > 1 else 'the only set-up'}"}
    written = [Answer(answer) for answer in table.loc[table["reading"] == AS_WRITTEN, "answer"]]
    end = f"; as written it {WRITTEN[written[0]]}" if written and written[0].is_judged else ""
    return f"The headline holds {said.get(holding, f'in {holding} of {total} set-ups')}{end}"


def _missing(table: pd.DataFrame) -> str:
    """Return what the caption says of readings that are not drawn; nothing where all are."""
    count = int(table["effect"].isna().sum())
    said = "1 set-up has no effect and is" if count == 1 else f"{count} set-ups have no effect and are"
    return f" {said} not drawn; the table of readings says why." if count else ""


def pictures(args: argparse.Namespace) -> list[Picture]:
    """Return the curve of a table of readings; raise InputError if none of them has an effect."""
    table = read_readings(args.readings)
    drawn = summarise(table)
    if drawn.empty:
        raise InputError(f"{args.title}: no reading has an effect, so there is no curve; play its experiments.")
    facts = {"caption": CAPTION + _missing(table), "seen": seen(table), "data": [], "stand_in": False}
    return [Picture(args.out, figure_of(table, words_of(args.title, facts)), drawn, facts)]


GIVEN = {"type": Path, "required": True, "help": "a table of readings"}
KIND = Kind("Draw the specification curve of a headline.", pictures, {"readings": GIVEN})
main = KIND.main

if __name__ == "__main__":
    run_script(main)
