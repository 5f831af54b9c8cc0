"""Critical-difference diagrams: one panel per arena, with its algorithms on a line of average ranks.

A bar joins algorithms that do not differ significantly by Nemenyi's test (`manybandits.results.ranks`). Arenas that are
too small to be tested have no bars, and their titles say so.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from manybandits.base.artifacts import Provenance
from manybandits.base.exceptions import run_script
from manybandits.figures.canvas import new_figure, save_figure, set_words
from manybandits.figures.command_line import save_drawn
from manybandits.figures.palette import look
from manybandits.results.display_names import algorithm_name
from manybandits.results.ranks import block_words, load, standings, summarise

CAPTION = (
    "Average rank by final regret over the games of an arena, 1 is best. Bars join algorithms that do not "
    "differ significantly (Nemenyi's test, 5 %)."
)


def draw(table: pd.DataFrame, title: str, stem: Path, bold: Sequence[str] = ()) -> pd.DataFrame:
    """Write the figure to ``<stem>.png`` and ``<stem>.svg``; return what was drawn.

    table: see `ranks.summarise`; bold: titles of algorithms that stand out.
    """
    import scikit_posthocs  # type: ignore[import-untyped]

    arenas = [(str(arena), league) for arena, league in table.groupby("arena", sort=False)]
    figure, every_axes = new_figure(len(arenas), columns=1)
    heights = []
    for (arena, league), axes in zip(arenas, every_axes, strict=True):
        ranked = standings(league)
        titles = sorted(ranked["algorithm"])
        ranks = ranked.set_index("algorithm")["average_rank"].rename(algorithm_name)
        gap = ranked["critical_difference"].iloc[0]
        # The diagram asks for p-values: 1 where two do not differ significantly.
        far = pd.DataFrame(abs(ranks.to_numpy()[:, None] - ranks.to_numpy()), ranks.index, ranks.index) > gap
        equal = (~far).astype(float) if pd.notna(gap) else pd.DataFrame(0.0, ranks.index, ranks.index)
        drawn = scikit_posthocs.critical_difference_diagram(
            ranks,
            equal,
            ax=axes,
            color_palette={algorithm_name(title): look(title, titles)["color"] for title in titles},
            label_props={"fontsize": 8},
            text_h_margin=0.02,
        )
        for label in drawn["labels"]:
            label.set_color("black")
            before, after = label.get_text().rpartition(" (")[0], label.get_text().partition(") ")[2]
            if {before, after} & {algorithm_name(one) for one in bold}:
                label.set_fontweight("bold")
        for (bar,) in drawn["crossbars"]:  # its points come in the order of a set, which differs from run to run
            bar.set_xdata(sorted(bar.get_xdata()))
        axes.set_title(f"{arena.capitalize()}: {block_words(league)}", fontsize=9, loc="left")
        axes.grid(visible=False)
        heights.append(1.2 + 0.14 * len(ranks))
    layout: Any = every_axes[0].get_gridspec()
    layout.set_height_ratios(heights)
    figure.set_size_inches(9.0, sum(heights) + 0.8)
    set_words(figure, title, CAPTION)
    save_figure(figure, stem)
    columns = ["arena", "algorithm", "average_rank", "friedman_p", "critical_difference"]
    return pd.concat([standings(league)[columns] for _, league in arenas], ignore_index=True)


def main(argv: list[str] | None = None) -> None:
    """Draw the league of some run tables."""
    parser = argparse.ArgumentParser(description="Draw critical-difference diagrams from run tables.")
    parser.add_argument("--title", required=True)
    parser.add_argument("--runs", type=Path, nargs="+", required=True, help="run tables")
    parser.add_argument("--bold", nargs="*", default=[], metavar="TITLE", help="algorithms that stand out")
    parser.add_argument("--out", type=Path, required=True, help="stem of the files to write")
    given = parser.parse_args(argv)
    provenance = Provenance({"title": given.title}, tuple(given.runs))
    table = summarise(load(given.runs))
    facts = {
        "caption": CAPTION,
        "data": list(dict.fromkeys(table["data"])),
        "stand_in": bool(table["stand_in"].any()),
    }
    save_drawn(given.out, draw(table, given.title, given.out, given.bold), provenance, facts)


if __name__ == "__main__":
    run_script(main)
