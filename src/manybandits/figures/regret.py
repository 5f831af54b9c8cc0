"""Regret or reward against rounds: one row per game, curves at the left and a forest of the final values at the right.

The forest shows the final value of every algorithm relative to that of the paper's own method, or else the best, with
the 95 % interval of the ratio over paired runs; its names are the legend of the curves. Where all curves end close
together, they are drawn as shares of Random's, or of the best one's, which shows what differs. Where they are equal,
the figure says why.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from manybandits.base.exceptions import pick, run_script
from manybandits.figures.canvas import Words, mark_stand_in, new_figure, panel_title, plain_log, save_figure, set_words
from manybandits.figures.command_line import arguments, write_figure
from manybandits.figures.forest import Row, draw_forest, ratio_to
from manybandits.figures.identical import identical_words, why_identical
from manybandits.figures.outcomes import listed, outcomes_of, placed, sentence, short_names
from manybandits.figures.palette import RANDOM, algorithm_of, in_order, is_own, look, standing
from manybandits.figures.published import Published, draw_mark, make_room
from manybandits.results.display_names import MEASURES as LABELS
from manybandits.results.display_names import algorithm_name
from manybandits.results.measures import MEASURES as OF_RUNS
from manybandits.results.runs import Run
from manybandits.results.summaries import curves, relative_to, thinned

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MEASURES: dict[str, tuple[str, str, Callable[[Run], np.ndarray]]] = {
    "regret": (LABELS["regret"], LABELS["final"], OF_RUNS["regret"].of),
    "reward": (LABELS["reward"], "final reward", OF_RUNS["reward"].of),
    "mean": (LABELS["mean"], "final mean", OF_RUNS["reward_per_round"].of),
}
"""What a figure may show: the label of its axis, the name of its last value, and its values of a run."""
PUBLISHED = {"regret": ["regret"], "reward": ["reward"], "mean": ["reward_per_round"]}
"""What a figure shows -> the measures of claims whose published numbers are in it."""
BUNDLE = 0.25
"""Curves whose ends differ by less than this share of the largest are a bundle."""
NOTHING = {"mean": np.nan, "low": np.nan, "high": np.nan}
"""The numbers of a curve that is not drawn."""
LONG = 10_000
"""Rounds whose numbers are too long for more than a few ticks."""
FAR = 5.0
"""How many times as high as all others Random may be and still be in the panel."""
EARLY = 0.1
"""The share of the rounds that does not set the axis of a bundle: ratios of small numbers vary widely."""
HOW = "Right: the ratio of final values, with its 95 % interval over paired runs."


def how_words(panels: Sequence[Sequence[Run]]) -> str:
    """Return how the right side of a figure is read; empty if it has none."""
    return HOW if max(len(runs) for runs in panels) > 1 else ""


def highest(runs: Sequence[Run], drawn: pd.DataFrame) -> float | None:
    """Return the end of the axis of a panel, None for the default.

    Random does not set it where all agents act, or where it is so far above the others that they would lie on the axis.
    """
    here = drawn[drawn["panel"] == runs[0].environment["name"]]
    shown = here[here["algorithm"] != RANDOM]
    if shown.empty:
        return None
    top = 1.2 * float(shown["high"].max())
    far = FAR * top < float(here["high"].max())
    return top if far or runs[0].environment.get("all_act") else None


def axis_label(measure: str, relative: str | None, environment: Mapping[str, Any]) -> str:
    """Return the label of the axis. relative: the title of the algorithm that values are divided by, if any."""
    what = "regret per agent" if environment.get("all_act") else MEASURES[measure][0]
    return what if not relative else f"{what}, as a share of {algorithm_name(relative)}'s"


def summarise(panels: Sequence[Sequence[Run]], band: str, relative: str | None, measure: str) -> pd.DataFrame:
    """Return what is drawn, one row per checkpoint: panel, algorithm, round, mean, low, high and n, and

    share, share_low, share_high: in a bundle, the values as shares of those of ``share_of``; ratio, ratio_low and
    ratio_high: after the last round, the ratio to the value of ``ratio_to``. Empty where they are not drawn.
    """
    return pd.concat([_of_game(runs, band, relative, measure) for runs in panels], ignore_index=True)


def _of_game(runs: Sequence[Run], band: str, relative: str | None, measure: str) -> pd.DataFrame:
    """Return the rows of `summarise` of one game."""
    values = MEASURES[measure][2]
    table = curves([runs], band, relative_to([runs], relative, values))
    base = "" if relative else share_of(runs, table, measure)
    shares = curves([runs], band, relative_to([runs], base, values)) if base else table.assign(**NOTHING)
    for column in NOTHING:
        table[f"share_{column}".removesuffix("_mean")] = shares[column]
        table[f"ratio_{column}".removesuffix("_mean")] = np.nan
    table = table.assign(share_of=base, ratio_to=reference_of(runs, measure))
    for title, ratio in ratios(runs, measure).items():
        last = table.index[table["algorithm"] == title][-1]
        table.loc[last, ["ratio", "ratio_low", "ratio_high"]] = ratio
    return table


def share_of(runs: Sequence[Run], table: pd.DataFrame, measure: str) -> str:
    """Return the title of the run of which the curves of a bundle are shown as shares, empty if they are no bundle.

    It is Random, and where Random does not play that of the forest beside the curves.
    """
    ends = table.groupby("algorithm")["mean"].last().dropna()
    compared = ends[ends.index != RANDOM]
    if len(compared) < 2 or compared.max() <= 0 or compared.min() == compared.max():
        return ""
    if (compared.max() - compared.min()) / compared.max() >= BUNDLE:
        return ""
    return RANDOM if RANDOM in ends else reference_of(runs, measure)


def reference_of(runs: Sequence[Run], measure: str) -> str:
    """Return the title of the run that a forest is relative to: the first of a paper's own methods, else the best."""
    own = sorted((run.title for run in runs if standing(run.title) <= 1 and not run.lost), key=standing)
    if own:
        return own[0]
    kept = [run for run in runs if not run.lost] or list(runs)
    final = {run.title: float(MEASURES[measure][2](run)[:, -1].mean()) for run in kept}
    return (min if measure == "regret" else max)(final, key=lambda title: final[title])


def ratios(runs: Sequence[Run], measure: str) -> dict[str, tuple[float, float, float]]:
    """Return the final values of the runs of a game relative to those of `reference_of`: title -> ratio, low, high."""
    values = MEASURES[measure][2]
    base = next(run for run in runs if run.title == reference_of(runs, measure))
    found = {}
    for run in runs:
        _, here, there = np.intersect1d(run.seeds, base.seeds, return_indices=True)
        found[run.title] = ratio_to(values(run)[here, -1], values(base)[there, -1]) if len(here) else (np.nan,) * 3
    return found


def draw(
    panels: Sequence[Sequence[Run]], words: Words, band: str, stem: Path, png: bool = False, **how: Any
) -> pd.DataFrame:
    """Write the figure to ``<stem>.svg``; return the table that it was drawn from.

    png: whether ``<stem>.png`` is written, too; how: the other arguments of `figure_of`.
    """
    figure, drawn = figure_of(panels, words, band, **how)
    save_figure(figure, stem, png)
    return drawn


def figure_of(
    panels: Sequence[Sequence[Run]],
    words: Words,
    band: str,
    relative: str | None = None,
    scale: str = "linear",
    measure: str = "regret",
    marks: Sequence[Published] = (),
) -> tuple[Figure, pd.DataFrame]:
    """Return the figure, and the table that it was drawn from.

    scale: of the values, linear or log; measure: one of `MEASURES`; marks: published numbers.
    """
    drawn = summarise(panels, band, relative, measure)
    others = sorted({run.title for runs in panels for run in runs})
    pairs = 1 if len(panels) <= 4 else 2
    most = max(len(runs) for runs in panels)
    height = max(2.5, 0.19 * most + 0.9)
    beside = 2 if most > 1 else 1  # one run is compared with none
    figure, axes = new_figure(beside * len(panels), beside * pairs, widths=[1.25, 1.0][:beside] * pairs)
    figure.set_size_inches((9.6 if pairs == 1 else 15.0) / (3 - beside), height * -(-len(panels) // pairs))
    for place, runs in enumerate(panels):
        left, right = axes[beside * place], axes[beside * place + beside - 1]
        table = drawn[drawn["panel"] == runs[0].environment["name"]]
        _draw_left(left, runs, table, others, measure, relative, scale, marks)
        if len(runs) > 1:
            _draw_right(right, runs, table, others, measure)
        elif right is left:
            left.legend(left.get_lines()[:1], [algorithm_name(runs[0].title)], loc="upper left")
        else:
            right.axis("off")
    set_words(figure, words)
    return figure, thinned(drawn)


def _draw_left(
    axes: Axes,
    runs: Sequence[Run],
    table: pd.DataFrame,
    others: Sequence[str],
    measure: str,
    relative: str | None,
    scale: str,
    marks: Sequence[Published],
) -> None:
    """Draw the curves of a game, or their shares where they are a bundle, with the published numbers."""
    from matplotlib.ticker import FixedLocator, MaxNLocator

    environment = runs[0].environment
    base = str(table["share_of"].iloc[0])
    shown = table.assign(mean=table["share"], low=table["share_low"], high=table["share_high"]) if base else table
    draw_lines(axes, runs, thinned(shown), others)
    panel_title(axes, environment["data_note"], 58)
    axes.set(xlabel="round", ylabel=textwrap.fill(axis_label(measure, relative or base, environment), 34))
    axes.set_xlim(0, table["round"].max())
    end = int(table["round"].max())
    if base:
        _zoom(axes, shown, base)
    elif scale == "log":
        above = table[table["low"] > 0]
        plain_log(axes.yaxis, float(above["low"].min()), float(above["high"].max()))
    else:
        axes.set_ylim(min(0.0, float(table["low"].min())), highest(runs, table) if relative is None else None)
    start = axes.get_xlim()[0]  # later than round 0 in a bundle
    axes.xaxis.set_major_locator(MaxNLocator(5, integer=True) if end < LONG else FixedLocator([start, end / 2, end]))
    for one in (mark for mark in marks if mark.game == environment["name"] and not relative):
        line = table[(table["algorithm"] == one.title) & (table["round"] == one.round)]
        if not line.empty and _is_drawn(runs, one):
            value = one.value / float(line["mean"].iloc[0] / line["share"].iloc[0]) if base else one.value
            draw_mark(axes, one, one.round, value, look(one.title, others)["color"], clip_on=False)
            make_room(axes, value)
    if why := why_identical(runs):
        axes.text(0.03, 0.97, textwrap.fill(why, 52), transform=axes.transAxes, va="top", fontsize=8, style="italic")
    if environment["stand_in"]:
        mark_stand_in(axes)


def _is_drawn(runs: Sequence[Run], mark: Published) -> bool:
    """Return whether a published number is of the grid point that a curve is drawn of, if it is of one."""
    chosen = next(run.facts["chosen"] for run in runs if run.title == mark.title)
    return set(mark.point.split()) <= set(chosen.split())


def _zoom(axes: Axes, shown: pd.DataFrame, base: str) -> None:
    """Let the curves of a bundle fill their panel, but for the first rounds and for the one that is 1 throughout."""
    axes.set_xlim(left=EARLY * shown["round"].max() / 2)
    late = shown[(shown["round"] >= EARLY * shown["round"].max()) & (shown["algorithm"] != base)]
    low, high = float(late["low"].min()), float(late["high"].max())
    room = 0.08 * (high - low)
    axes.set_ylim(low - room, high + room)


def _draw_right(axes: Axes, runs: Sequence[Run], table: pd.DataFrame, others: Sequence[str], measure: str) -> None:
    """Draw the forest of the final values of a game."""
    final = {run.title: float(run_end(run, measure)) for run in runs}
    lost = {run.title: f"lost {run.lost} of {len(run.seeds)}" for run in runs if run.lost}
    higher = measure != "regret"
    rows = []
    for title in in_order(list(final), final, higher):
        ratio, low, high = table.loc[table["algorithm"] == title, ["ratio", "ratio_low", "ratio_high"]].iloc[-1]
        rows.append(Row(title, ratio, low, high, lost.get(title) or shown_number(final[title])))
    draw_forest(axes, rows, others, heading=MEASURES[measure][1])
    base = algorithm_name(table["ratio_to"].iloc[0])
    worse = "left" if higher else "right"
    relative = textwrap.fill(f"{MEASURES[measure][1]} relative to {base}", 44)
    axes.set_xlabel(f"{relative}\n({worse}: worse)")


def run_end(run: Run, measure: str) -> float:
    """Return the mean final value of a run, NaN if a replica was lost."""
    return float(np.mean(MEASURES[measure][2](run)[:, -1]))


def draw_lines(axes: Axes, runs: Sequence[Run], drawn: pd.DataFrame, others: Sequence[str]) -> None:
    """Draw the curves of a panel: those of the papers' own methods last, thick, and above the others.

    drawn: panel, algorithm, round, mean, low and high; others: all titles of the figure, sorted.
    """
    game = runs[0].environment["name"]
    for place, run in enumerate(sorted(runs, key=lambda one: -standing(one.title))):
        line = drawn[(drawn["panel"] == game) & (drawn["algorithm"] == run.title)]
        shown, own = look(run.title, others), is_own(run.title)
        gap = max(1, len(line) // 5)  # between two markers; shifted, so that curves that coincide all show theirs
        axes.plot(
            line["round"],
            line["mean"],
            label=algorithm_name(run.title),
            markevery=((place + 1) * gap // (len(runs) + 1), gap),
            markersize=5 if own else 4,
            linewidth=2.2 if own else 1.3,
            zorder=3 if own else 2,
            **shown,
        )
        axes.fill_between(
            line["round"], line["low"], line["high"], color=shown["color"], alpha=0.16 if own else 0.1, linewidth=0
        )


def shown_number(value: float) -> str:
    """Return a number with three significant digits, or as a whole number from 100 on."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:#.3g}"


def absent_words(panels: Sequence[Sequence[Run]]) -> str:
    """Return which algorithms of a figure were not played on some of its games, as a sentence; empty if all were."""
    names = short_names(panels)
    absent: dict[str, list[str]] = {}
    every = dict.fromkeys(algorithm_of(run.title) for runs in panels for run in runs)
    for runs in panels:
        played = {algorithm_of(run.title) for run in runs}
        if missing := listed([algorithm_name(title) for title in every if title not in played]):
            absent.setdefault(missing, []).append(names[runs[0].environment["name"]])
    return f"Not played: {'; '.join(placed(who, games) for who, games in absent.items())}." if absent else ""


def seen(panels: Sequence[Sequence[Run]], measure: str) -> str:
    """Return what a figure shows, by the runs alone. In every game more reward is less regret, and orders alike."""
    of = OF_RUNS[PUBLISHED[measure][0]]
    return sentence(outcomes_of(panels), of.words, of.higher)


def main(argv: list[str] | None = None) -> None:
    """Draw regret or reward from run tables."""
    parser = arguments("Draw regret or reward from run tables.")
    parser.add_argument(
        "--measure", default="regret", help="regret (default), reward, or mean: mean reward of the rounds so far"
    )
    parser.add_argument("--scale", default="linear", help="of the values: linear (default) or log")
    parser.add_argument("--relative", help="title of the algorithm whose regret is 1")
    parser.add_argument("--png", action="store_true", help="write a PNG, too")
    given = parser.parse_args(argv)
    pick(given.scale, ("linear", "log"), "scale")
    pick(given.measure, MEASURES, "measure")
    how = {"relative": given.relative, "scale": given.scale, "measure": given.measure}
    write_figure(
        given,
        lambda made: draw(made.panels, made.words, given.band, given.out, given.png, marks=made.marks, **how),
        told=lambda panels: " ".join(filter(None, [how_words(panels), absent_words(panels), identical_words(panels)])),
        measures=PUBLISHED[given.measure],
        seen=partial(seen, measure=given.measure),
    )


if __name__ == "__main__":
    run_script(main)
