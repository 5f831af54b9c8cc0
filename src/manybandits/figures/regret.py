"""Regret or reward against rounds: one row per game, curves at the left and a forest of the final values at the right.

The forest shows the final value of every algorithm relative to that of the paper's own method, or else the best, with
the 95 % interval of the ratio over paired runs; its names are the legend of the curves. Where all curves end close
together, they are drawn as shares of Random's, or of the best one's, which shows what differs. Where they are equal,
the figure says why.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.figures import drawing
from manybandits.figures.canvas import SMALL, Words, emphasise, new_figure, panel_title, set_words
from manybandits.figures.forest import forest, ratio_to
from manybandits.figures.identical import identical_words, why_identical
from manybandits.figures.kind import of_runs
from manybandits.figures.outcomes import listed, names_apart, outcomes_of, placed, sentence, short_names
from manybandits.figures.palette import Look, algorithm_of, looks_of, standing
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
from manybandits.figures.published import Published
from manybandits.results.display_names import MEASURES as LABELS
from manybandits.results.display_names import RANDOM, algorithm_name, note_words
from manybandits.results.measures import MEASURES as OF_RUNS
from manybandits.results.runs import Run
from manybandits.results.summaries import curves, reference, relative_to, thinned

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MEASURES = {
    "regret": (LABELS["regret"], LABELS["final"], "regret"),
    "reward": (LABELS["reward"], "final reward", "reward"),
    "mean": (LABELS["mean"], "final mean", "reward_per_round"),
}
"""What a figure may show: the label of its axis, the name of its last value, and the measure of runs and of claims."""
BUNDLE = 0.25
"""Curves whose ends differ by less than this share of the largest are a bundle."""
NOTHING = {"mean": np.nan, "low": np.nan, "high": np.nan}
"""The numbers of a curve that is not drawn."""
MOST = 6
"""The games of which a figure draws the curves; of more games, one is drawn, and a heat map has all."""
UPRIGHT = 12
"""The columns of a heat map whose names are written across; those of more are upright."""
FAR = 5.0
"""How many times as high as all others Random may be and still be in the panel."""
EARLY = 0.1
"""The share of the rounds that does not set the axis of a bundle: ratios of small numbers vary widely."""
HOW = "Right: the ratio of final values, with its 95 % interval over paired runs."


def values_of(measure: str) -> Callable[[Run], np.ndarray]:
    """Return the function that returns what a figure shows of a run."""
    return OF_RUNS[MEASURES[measure][2]].of


def how_words(panels: Sequence[Sequence[Run]]) -> str:
    """Return how the right side of a figure is read; empty if it has none."""
    return HOW if max(len(runs) for runs in panels) > 1 else ""


def highest(rows: pd.DataFrame, all_act: bool) -> float | None:
    """Return the end of the axis of a panel, None for the default. rows: its series, with their band.

    Random does not set it where all agents act, or where it is so far above the others that they would lie on the axis.
    """
    shown = rows[rows["series"] != RANDOM]
    if shown.empty:
        return None
    top = 1.2 * float(shown["high"].max())
    return top if all_act or FAR * top < float(rows["high"].max()) else None


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
    values, base = values_of(measure), reference(runs, reference_of(runs, measure))
    table = curves([runs], band, relative_to([runs], relative, values))
    whole = "" if relative else share_of(runs, table, measure)
    shares = curves([runs], band, relative_to([runs], whole, values)) if whole else table.assign(**NOTHING)
    for column in NOTHING:
        table[f"share_{column}".removesuffix("_mean")] = shares[column]
        table[f"ratio_{column}".removesuffix("_mean")] = np.nan
    table = table.assign(share_of=whole, ratio_to=base.title)
    for run in runs:
        _, here, there = np.intersect1d(run.seeds, base.seeds, return_indices=True)
        ratio = ratio_to(values(run)[here, -1], values(base)[there, -1]) if len(here) else (np.nan,) * 3
        last = table.index[table["algorithm"] == run.title][-1]
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
    final = {run.title: float(values_of(measure)(run)[:, -1].mean()) for run in kept}
    return (min if measure == "regret" else max)(final, key=lambda title: final[title])


def panels_of(drawn: pd.DataFrame, settings: Mapping[str, Any], facts: Mapping[str, Any]) -> Iterator[Panel | None]:
    """Return the panels of a figure: of each game its curves and its forest, if there are several runs.

    drawn: as `summarise` returns it; settings: measure, relative and scale, which all may be missing.
    """
    measure, relative, scale = (settings.get(name) for name in ("measure", "relative", "scale"))
    looks = looks_of(drawn["algorithm"])
    compared = drawn.groupby("panel")["algorithm"].nunique()
    for game, table in drawn.groupby("panel", sort=False):
        yield _curves(str(game), table, looks, measure or "regret", relative, scale == "log", facts)
        if compared.max() > 1:
            yield _forest(table, looks, measure or "regret", facts) if compared[game] > 1 else None


def _curves(
    game: str,
    table: pd.DataFrame,
    looks: Mapping[str, Look],
    measure: str,
    relative: str | None,
    log: bool,
    facts: Mapping[str, Any],
) -> Panel:
    """Return the curves of a game, or their shares where they are a bundle, with the published numbers."""
    environment = facts["games"].get(game, {})
    base, end = str(table["share_of"].fillna("").iloc[0]), float(table["round"].max())
    shares = {"mean": "share", "low": "share_low", "high": "share_high"} if base else {}
    rows = rows_of(table, x="round", **shares)
    rows = rows[rows["x"] >= EARLY * end] if base else rows
    label = axis_label(measure, relative or base, environment)
    y = Axis(label, ends=(min(0.0, float(rows["low"].min())), None))
    if base:
        y = Axis(label, ends=_zoomed(rows, base))
    elif log:
        y = log_axis(label, rows[["low", "high"]])
    elif not relative:
        y = Axis(label, ends=(y.ends[0], highest(rows, bool(environment.get("all_act")))))
    return panel_of(
        facts,
        game,
        rows=rows,
        x=Axis("round", ends=(float(rows["x"].min()) if base else 0.0, end)),
        y=y,
        series=listed_names(rows, measure != "regret"),
        looks=looks,
        legend=table["algorithm"].nunique() == 1,
        marks=() if relative else _marks(game, table, base, facts),
    )


def _marks(game: str, table: pd.DataFrame, base: str, facts: Mapping[str, Any]) -> list[Mark]:
    """Return the published numbers of the grid points that curves are drawn of, as shares in a bundle."""
    points = {run["algorithm"]: set(run["chosen"].split()) for run in facts["runs"] if run["game"] == game}

    def mark(one: Published) -> Mark:
        line = table[table["algorithm"] == one.title]
        unit = float(np.interp(one.round, line["round"], line["mean"] / line["share"])) if base else 1.0
        return Mark(one.title, one.round, one.value / unit, bool(one.source))

    end, every = table["round"].max(), published_in(facts, game)
    return [mark(one) for one in every if one.round <= end and set(one.point.split()) <= points[one.title]]


def _zoomed(rows: pd.DataFrame, base: str) -> tuple[float, float]:
    """Return the ends of an axis that the curves of a bundle fill, but for the one that is 1 throughout."""
    others = rows[rows["series"] != base]
    low, high = float(others["low"].min()), float(others["high"].max())
    room = 0.08 * (high - low)
    return low - room, high + room


def finals_of(panels: Sequence[Sequence[Run]], measure: str) -> dict[str, dict[str, float | None]]:
    """Return the mean final values, for figures whose curves are relative: game -> title -> value, None if lost."""
    of = values_of(measure)
    return {
        runs[0].environment["name"]: {run.title: None if run.lost else float(of(run)[:, -1].mean()) for run in runs}
        for runs in panels
    }


def _forest(table: pd.DataFrame, looks: Mapping[str, Look], measure: str, facts: Mapping[str, Any]) -> Panel:
    """Return the forest of the final values of a game."""
    ends = table.groupby("algorithm", sort=False).tail(1)
    game = str(table["panel"].iloc[0])
    finals = facts.get("finals", {}).get(game, {})
    final = {title: finals.get(title, mean) for title, mean in zip(ends["algorithm"], ends["mean"], strict=True)}
    ends = ends.assign(mean=ends["algorithm"].map(final))
    lost = {run["algorithm"]: run for run in facts["runs"] if run["game"] == game and run.get("lost")}
    told = {
        title: f"{lost[title]['lost']} of {lost[title]['seeds']} failed" if title in lost else shown_number(value)
        for title, value in final.items()
    }
    rows = rows_of(ends, mean="ratio", low="ratio_low", high="ratio_high").assign(words=ends["algorithm"].map(told))
    order = listed_names(rows_of(ends), measure != "regret")
    what, worse = MEASURES[measure][1], "left" if measure != "regret" else "right"
    label = f"{what} relative to {algorithm_name(ends['ratio_to'].iloc[0])}\n({worse}: worse)"
    return forest(rows.set_index("series").loc[[*order]].reset_index(), looks, label, what)


def figure_of(drawn: pd.DataFrame, words: Words, settings: Mapping[str, Any], facts: Mapping[str, Any]) -> Figure:
    """Return the figure of a table, see `panels_of`: one row per game, and two games in a row if there are several.

    Of more than `MOST` games the first is drawn so, and below it a heat map has the forests of all.
    """
    panels = list(panels_of(drawn, settings, facts))
    games, beside = drawn["panel"].nunique(), 2 if drawn.groupby("panel")["algorithm"].nunique().max() > 1 else 1
    if games > MOST and beside == 2:
        return _with_map(panels[:2], drawn, words, settings.get("measure") or "regret", facts)
    pairs = 1 if games <= 4 else 2
    height = max(2.5, 0.19 * drawn.groupby("panel")["algorithm"].nunique().max() + 0.9)
    size = (9.6 if pairs == 1 else 15.0) / (3 - beside), height * -(-games // pairs)
    return drawing.figure_of(panels, words, size, beside * pairs, widths=[1.25, 1.0][:beside] * pairs)


def _with_map(
    panels: Sequence[Panel | None], drawn: pd.DataFrame, words: Words, measure: str, facts: Mapping[str, Any]
) -> Figure:
    """Return the figure of many games: the panels of one of them, and a heat map of the final ratios of all."""
    import seaborn

    ends = drawn.groupby(["panel", "algorithm"], sort=False).tail(1)
    ratios = ends.pivot(index="algorithm", columns="panel", values="ratio").reindex(columns=ends["panel"].unique())
    means = ratios.mean(axis=1).rename("mean").rename_axis("series").reset_index()
    order = listed_names(means, measure != "regret")
    ratios = ratios.loc[[*order]]
    names = names_apart({str(game): str(facts["games"][game]["data_note"]) for game in ratios.columns})
    above = max(2.5, 0.19 * len(ratios) + 0.9)
    heights = [above, 0.2 * len(ratios) + (2.2 if len(names) > UPRIGHT else 1.1)]
    figure, axes = new_figure(4, 2, (11.8, sum(heights)), heights, [1.6, 1.0])
    for panel, place in zip(panels, axes, strict=False):
        drawing.draw_panel(place, panel) if panel else place.axis("off")
    grid: Any = axes[2].get_gridspec()
    for spare in axes[2:]:
        spare.remove()
    below = figure.add_subplot(grid[1, :])
    worse = np.log2(ratios) if measure == "regret" else -np.log2(ratios)
    written = ratios.map(_ratio_words)
    cells: Any = {"annot": written, "fmt": "", "annot_kws": {"fontsize": SMALL}, "cbar": False, "linewidths": 0.5}
    seaborn.heatmap(worse, cmap="vlag", center=0.0, vmin=-2.0, vmax=2.0, ax=below, **cells)
    columns, rows = list(ratios.columns), list(ratios.index)
    for run in facts["runs"]:
        if run.get("lost"):
            column, row = columns.index(run["game"]), rows.index(run["algorithm"])
            below.text(column + 0.5, row + 0.5, "failed", ha="center", va="center", fontsize=SMALL)
    whole = [note_words(names[str(game)]).replace(" = ", "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}") for game in ratios]
    upright, wide = len(whole) > UPRIGHT, 100 // len(whole) + 2
    labels = [words if upright else textwrap.fill(words, wide, break_long_words=False) for words in whole]
    below.set_xticks(np.arange(len(labels)) + 0.5, labels, rotation=90 if upright else 0, fontsize=SMALL)
    below.set_yticks(np.arange(len(order)) + 0.5, [*order.values()], rotation=0, fontsize=8)
    below.tick_params(length=0)
    below.grid(visible=False)
    below.set(xlabel="", ylabel="")
    for label, title in zip(below.get_yticklabels(), order, strict=True):
        emphasise(label, title)
    against = listed([algorithm_name(title) for title in dict.fromkeys(ends["ratio_to"])])
    panel_title(below, f"All games: {MEASURES[measure][1]} relative to {against} (red: worse)", 150)
    set_words(figure, words)
    return figure


def _ratio_words(ratio: float) -> str:
    """Return a ratio with two decimals, or only its first digit if it is small, or whole if it is large; "" of NaN."""
    if np.isnan(ratio):
        return ""
    return f"{ratio:.1g}" if ratio < 0.095 else f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.2f}"


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
    of = OF_RUNS[MEASURES[measure][2]]
    return sentence(outcomes_of(panels), of.words, of.higher)


KIND = of_runs(
    "Draw regret or reward from run tables.",
    panels_of,
    lambda games, given: thinned(summarise(games, given["band"], given["relative"], given["measure"])),
    figure_of=figure_of,
    options={
        "measure": {"default": "regret", "among": MEASURES, "help": "mean is that of the rounds so far"},
        "scale": {"default": "linear", "among": ("linear", "log")},
        "relative": {"help": "title of the algorithm whose regret is 1"},
    },
    seen=lambda games, given: seen(games, given["measure"]),
    measure=lambda given: MEASURES[given["measure"]][2],
    told=lambda games, _: " ".join(filter(None, [how_words(games), absent_words(games), identical_words(games)])),
    why=lambda runs, _: why_identical(runs),
    more=lambda games, given: {"finals": finals_of(games, given["measure"])} if given["relative"] else {},
)
main = KIND.main

if __name__ == "__main__":
    run_script(main)
