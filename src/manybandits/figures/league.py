"""The league: how near every algorithm is to the best of each game, and its average rank, one pair of panels per arena.

The upper panel of an arena is a forest: the regret of an algorithm divided by that of the best of the same game, as the
geometric mean over the games with its 95 % bootstrap interval over games; small dots are single games. The lower one is
a critical-difference diagram: a bar joins algorithms whose average ranks do not differ significantly by Nemenyi's test
(`manybandits.results.ranks`). Arenas that are too small to be tested have no bars, and their titles say so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from manybandits.base.artifacts import Provenance
from manybandits.base.exceptions import run_script
from manybandits.base.statistics import bootstrap_interval
from manybandits.figures import drawing
from manybandits.figures.canvas import Words, emphasise, new_figure, set_words
from manybandits.figures.command_line import plain_arguments, write_plain
from manybandits.figures.forest import forest
from manybandits.figures.outcomes import listed
from manybandits.figures.palette import OWN, RANDOM, Look, is_own, looks_of
from manybandits.figures.panel import Panel
from manybandits.results.display_names import algorithm_name
from manybandits.results.ranks import block_words, load, standings
from manybandits.results.ranks import summarise as ranked

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CAPTION = (
    "Upper panels: regret relative to the best algorithm of the same game, the geometric mean over the games of an "
    "arena with its 95 % bootstrap interval over games; dots are single games, the number is the average rank. Lower "
    "panels: average rank by final regret, 1 is best; bars join algorithms that do not differ significantly (Nemenyi's "
    "test, 5 %). The games are those that the papers play, no sample of all games."
)
FEWEST = 5
"""The least number of games of an arena over which there is an interval."""
ACROSS = 2
"""The arenas in a row."""
RANKED = {"label_fmt_left": "{label} ({rank:.1f})", "label_fmt_right": "({rank:.1f}) {label}"}
"""How the algorithms of a critical-difference diagram are written."""
NEARNESS = ("relative", "low", "high", "games")
LEAST = 1e-9
"""The smallest regret that another one is divided by."""


def relative_regret(league: pd.DataFrame) -> pd.DataFrame:
    """Return the regret of the algorithms of an arena relative to the best of each game: game x algorithm, NaN if lost.

    league: the rows of one arena, see `ranks.summarise`. Games in which the best has no regret are left out.
    """
    regret = league.pivot(index="environment", columns="algorithm", values="regret")
    best = regret.min(axis=1)
    return regret[best > LEAST].div(best[best > LEAST], axis=0)


def nearness(league: pd.DataFrame) -> pd.DataFrame:
    """Return algorithm, relative, low, high and games of one arena, the best first; NaN where runs were lost.

    relative: the geometric mean over games of the regret relative to the best; low, high: its interval over games.
    """
    rows = []
    for title, ratios in relative_regret(league).items():
        logs = np.log(ratios.to_numpy())
        known = bool(len(logs)) and bool(np.isfinite(logs).all())
        low, high = bootstrap_interval(logs) if known and len(logs) >= FEWEST else (np.nan, np.nan)
        mean = logs.mean() if known else np.nan
        rows.append((title, *(float(np.exp(one)) for one in (mean, low, high)), len(logs)))
    table = pd.DataFrame(rows, columns=["algorithm", *NEARNESS])
    return table.sort_values("relative", kind="stable", ignore_index=True)


def message(table: pd.DataFrame, added: Sequence[str] = ()) -> str:
    """Return what the league shows: who wins each arena, that is, has the least `relative`, and where others stand.

    table: see `ranks.summarise`; added: titles of algorithms that joined the league. Each of them is told, and if there
    are none, how many arenas a method of the papers wins, and where the best of them stands in the others.
    """
    leaders: list[tuple[str, str, str]] = []  # the first, the arena, and where the best of the papers' own is
    joined = []
    for arena, league in table.groupby("arena", sort=False):
        near = nearness(league)
        known = near[near["relative"].notna() & (near["algorithm"] != RANDOM)].reset_index(drop=True)
        if known.empty:
            continue
        first, others = known["algorithm"][0], known[1:]
        own = known[known["algorithm"].isin(OWN)][:1]
        stands = [
            f"{algorithm_name(title)} {ordinal(index + 1)} of {len(near)}"
            for index, title in zip(own.index, own["algorithm"], strict=True)
        ]
        leaders.append((first, str(arena), "".join(stands)))
        told = others[others["algorithm"].isin(added)]
        joined += [
            f"{algorithm_name(title)} is {ordinal(index + 1)} of {len(near)} in {arena} ({relative:.2f} times)"
            for index, title, relative in zip(told.index, told["algorithm"], told["relative"], strict=True)
        ]
    if not leaders:
        return ""
    if added:
        said = "; ".join(f"{algorithm_name(first)} in {arena}" for first, arena, _ in leaders)
        return f"The best: {said}{f'. {listed(joined)}' if joined else ''}"
    return _own_lead(leaders)


def _own_lead(leaders: Sequence[tuple[str, str, str]]) -> str:
    """Return how many arenas a method of the papers wins, and who wins the others."""
    own = [f"{algorithm_name(first)} in {arena}" for first, arena, _ in leaders if first in OWN]
    others = [
        f"{algorithm_name(first)} in {arena}{f' ({stands})' if stands else ''}"
        for first, arena, stands in leaders
        if first not in OWN
    ]
    if not own:
        return f"No proposed method wins an arena; the best: {listed(others)}"
    wins = f" {len(own)} of {len(leaders)} arenas" if others else ""
    said = f"A proposed method wins{wins}: {listed(own)}"
    return f"{said}; the best elsewhere: {listed(others)}" if others else said


def ordinal(place: int) -> str:
    """Return a place as a word.

    >>> [ordinal(place) for place in (1, 2, 3, 4, 11, 22)]
    ['1st', '2nd', '3rd', '4th', '11th', '22nd']
    """
    ending = {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{'th' if place % 100 in (11, 12, 13) else ending}"


def summarise(table: pd.DataFrame) -> pd.DataFrame:
    """Return what is drawn, one row per arena and algorithm. table: see `ranks.summarise`."""
    leagues = [league for _, league in table.groupby("arena", sort=False)]
    drawn = [standings(league).merge(nearness(league), on="algorithm", how="left") for league in leagues]
    columns = ("arena", "algorithm", "average_rank", "friedman_p", "critical_difference", *NEARNESS)
    return pd.concat(drawn, ignore_index=True)[[*columns]]


def figure_of(table: pd.DataFrame, words: Words, bold: Sequence[str] = ()) -> Figure:
    """Return the figure: a forest for each arena, and below all of them their diagrams of ranks.

    table: see `ranks.summarise`; bold: titles of algorithms that stand out besides the papers' own.
    """
    arenas = [(str(arena), league) for arena, league in table.groupby("arena", sort=False)]
    across = min(ACROSS, len(arenas))
    rows = [range(start, min(start + across, len(arenas))) for start in range(0, len(arenas), across)]
    most = [max(arenas[place][1]["algorithm"].nunique() for place in row) for row in rows]
    heights = [0.7 + 0.19 * count for count in most] + [0.9 + 0.13 * count for count in most]
    width = 9.6 if across == 1 else 6.8 * across
    figure, axes = new_figure(2 * across * len(rows), across, (width, sum(heights)), heights)
    looks = looks_of(table["algorithm"])
    forests, diagrams = axes[: across * len(rows)], axes[across * len(rows) :]
    for spare in (*forests[len(arenas) :], *diagrams[len(arenas) :]):
        spare.axis("off")
    for (arena, league), above, below in zip(arenas, forests, diagrams, strict=False):
        panel = _nearness_panel(arena, league, looks)
        drawing.draw_panel(above, panel)
        for label, title in zip(above.get_yticklabels(), panel.series, strict=True):
            if title in bold:
                label.set_fontweight("bold")
        _draw_ranks(below, league, looks, bold)
    set_words(figure, words)
    return figure


def _nearness_panel(arena: str, league: pd.DataFrame, looks: Mapping[str, Look]) -> Panel:
    """Return the forest of an arena: one row per algorithm, the nearest first, with single games as dots behind."""
    near, lost = nearness(league), league.groupby("algorithm")["lost"].sum()
    ranks = standings(league).set_index("algorithm")["average_rank"]
    told = [f"{ranks[title]:.1f}" + (f", {lost[title]} failed" if lost[title] else "") for title in near["algorithm"]]
    games = relative_regret(league).melt(var_name="series", value_name="mean").dropna()
    rows = near.rename(columns={"algorithm": "series", "relative": "mean"}).assign(words=told)
    title = f"{arena.capitalize()}: {block_words(league)}"
    label = "regret relative to the best of the game"
    return replace(forest(rows, looks, label, "average rank", title, samples=False, cloud=games), legend=False)


def _draw_ranks(axes: Axes, league: pd.DataFrame, looks: Mapping[str, Look], bold: Sequence[str]) -> None:
    """Draw the critical-difference diagram of an arena."""
    import scikit_posthocs  # type: ignore[import-untyped]

    ranked = standings(league)
    ranks = ranked.set_index("algorithm")["average_rank"].rename(algorithm_name)
    gap = ranked["critical_difference"].iloc[0]
    # The diagram asks for p-values: 1 where two do not differ significantly.
    far = pd.DataFrame(abs(ranks.to_numpy()[:, None] - ranks.to_numpy()), ranks.index, ranks.index) > gap
    equal = (~far).astype(float) if pd.notna(gap) else pd.DataFrame(0.0, ranks.index, ranks.index)
    colors = {algorithm_name(title): looks[title].color for title in ranked["algorithm"]}
    diagram: Any = scikit_posthocs.critical_difference_diagram(
        ranks, equal, ax=axes, color_palette=colors, label_props={"fontsize": 8}, text_h_margin=0.02, **RANKED
    )
    axes.set_xlabel("average rank (1 is best)")
    titles = {algorithm_name(title): title for title in ranked["algorithm"]}
    for label in diagram["labels"]:
        before, after = label.get_text().rpartition(" (")[0], label.get_text().partition(") ")[2]
        title = titles.get(before) or titles[after]
        label.set_color("black")
        emphasise(label, title)
        if title in bold and not is_own(title):
            label.set_fontweight("bold")
    for (bar,) in diagram["crossbars"]:  # its points come in the order of a set, which differs from run to run
        bar.set_xdata(sorted(bar.get_xdata()))
    axes.grid(visible=False)


def main(argv: list[str] | None = None) -> None:
    """Draw the league of some run tables."""
    parser = plain_arguments("Draw the league from run tables.")
    parser.add_argument("--runs", type=Path, nargs="+", required=True, help="run tables")
    parser.add_argument("--bold", nargs="*", default=[], metavar="TITLE", help="algorithms that stand out")
    parser.add_argument("--png", action="store_true", help="write a PNG, too")
    given = parser.parse_args(argv)
    provenance = Provenance({"title": given.title}, tuple(given.runs))
    table = ranked(load(given.runs))
    facts = {
        "caption": CAPTION,
        "seen": message(table, given.bold),
        "data": list(dict.fromkeys(table["data"])),
        "stand_in": bool(table["stand_in"].any()),
    }
    write_plain(given, lambda words: figure_of(table, words, given.bold), summarise(table), provenance, facts)


if __name__ == "__main__":
    run_script(main)
