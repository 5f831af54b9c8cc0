"""The ranks of the league: a critical-difference diagram per arena (`manybandits.results.ranks`).

A bar joins algorithms whose average ranks do not differ significantly by Nemenyi's test. Arenas that are too small to
be tested have no bars, and their titles say so.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from manybandits.figures.canvas import Words, emphasise, new_figure, panel_title, set_words
from manybandits.figures.palette import Look, labelled_looks
from manybandits.results.display_names import algorithm_name, listed
from manybandits.results.ranks import block_words, standings

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CAPTION = (
    "Average rank by final regret over the games of an arena, 1 is best, in brackets; bars join algorithms that do not "
    "differ significantly (Nemenyi's test, 5 %). The games are those that the papers play, no sample of all games."
)
ACROSS = 2
"""The arenas in a row."""
RANKED = {"label_fmt_left": "{label} ({rank:.1f})", "label_fmt_right": "({rank:.1f}) {label}"}
"""How the algorithms of a critical-difference diagram are written."""


def beside(league: Path) -> Path:
    """Return the stem of this picture beside that of the league."""
    return league.with_name(f"{league.name}_ranks")


def message(table: pd.DataFrame) -> str:
    """Return what is seen: the algorithms with the best average rank of an arena. table: see `ranks.summarise`."""
    best = table.groupby("arena", sort=False)["average_rank"].transform("min")
    names = list(dict.fromkeys(map(algorithm_name, table.loc[table["average_rank"] == best, "algorithm"])))
    arenas = table["arena"].nunique()
    return f"{listed(names)} {'have' if len(names) > 1 else 'has'} the best average rank{'s' if arenas > 1 else ''}"


def summarise(table: pd.DataFrame) -> pd.DataFrame:
    """Return what is drawn, one row per arena and algorithm. table: see `ranks.summarise`."""
    ranked = [standings(league) for _, league in table.groupby("arena", sort=False)]
    columns = ["arena", "algorithm", "average_rank", "friedman_p", "critical_difference"]
    return pd.concat(ranked, ignore_index=True)[columns]


def figure_of(table: pd.DataFrame, words: Words) -> Figure:
    """Return the figure: a diagram per arena. table: see `ranks.summarise`."""
    figure, panels = arena_panels(table, 0.9, 0.13)
    looks = labelled_looks(table["algorithm"])
    for axes, arena, league in panels:
        _draw_ranks(axes, league, looks)
        said = block_words(league).replace(" p = ", "\N{NO-BREAK SPACE}p\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}")
        panel_title(axes, f"{arena.capitalize()}: {said}", 60)
    set_words(figure, words)
    return figure


def arena_panels(table: pd.DataFrame, edge: float, row: float) -> tuple[Figure, list[tuple[Axes, str, pd.DataFrame]]]:
    """Return a new figure, and the axes, name and rows of every arena, `ACROSS` arenas side by side.

    table: see `ranks.summarise`; edge, row: the inches that axes need in height, and that an algorithm adds.
    """
    arenas = [(str(arena), league) for arena, league in table.groupby("arena", sort=False)]
    across = min(ACROSS, len(arenas))
    counts = [league["algorithm"].nunique() for _, league in arenas]
    heights = [edge + row * max(counts[start : start + across]) for start in range(0, len(arenas), across)]
    width = 9.6 if across == 1 else 6.8 * across
    figure, axes = new_figure(len(arenas), across, (width, sum(heights)), heights)
    return figure, [(one, *arena) for one, arena in zip(axes, arenas, strict=True)]


def _draw_ranks(axes: Axes, league: pd.DataFrame, looks: Mapping[str, Look]) -> None:
    """Draw the critical-difference diagram of an arena."""
    import scikit_posthocs

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
        label.set_color("black")
        emphasise(label, titles.get(before) or titles[after])
    for (bar,) in diagram["crossbars"]:  # its points come in the order of a set, which differs from run to run
        bar.set_xdata(sorted(bar.get_xdata()))
    axes.grid(visible=False)
