"""The league: average ranks of the algorithms of every arena (`manybandits.results.ranks`)."""

from __future__ import annotations

import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.base.table_files import Latex, Markdown
from manybandits.results.display_names import algorithm_name
from manybandits.results.ranks import LEAST_GAMES, block_words, load, standings, summarise
from manybandits.results.summaries import LEVEL
from manybandits.tables.command_line import write_table

NOTE = (
    "Rank by mean final regret over seeds, 1 is best; algorithms with equal regret share a rank, and one that lost "
    "runs comes last. All algorithms of an arena play its games for equally many rounds, with options chosen on the "
    "same seed. Friedman's test asks whether ranks differ; average ranks closer than Nemenyi's critical difference "
    f"({100 * LEVEL:g} %) do not differ significantly. Arenas of fewer than {LEAST_GAMES} games are not tested. Games "
    "of an arena are no independent sample: they are the games that the papers play."
)


def markdown(table: pd.DataFrame, title: str) -> str:
    """Return the average ranks as Markdown, one list per arena."""
    blocks = []
    for arena, league in table.groupby("arena", sort=False):
        rows = [
            [Markdown.text(algorithm_name(row.algorithm)), f"{row.average_rank:.2f}"]
            for row in standings(league).itertuples()
        ]
        blocks.append(
            (f"**{arena}** ({block_words(league)})", Markdown.table(["algorithm", "average rank"], "lr", rows))
        )
    return Markdown.page(title, NOTE, blocks)


def latex(table: pd.DataFrame, title: str) -> str:
    """Return the average ranks as LaTeX, one group of rows per arena."""
    groups = [
        [
            [Latex.text(arena), Latex.text(algorithm_name(row.algorithm)), f"{row.average_rank:.2f}"]
            for row in standings(league).itertuples()
        ]
        for arena, league in table.groupby("arena", sort=False)
    ]
    return Latex.page(title, NOTE, ["arena", "algorithm", "average rank"], "llr", groups)


def main(argv: list[str] | None = None) -> None:
    """Write the league of the run tables of some arenas."""
    write_table(argv, "Rank algorithms over games.", summarise, markdown, latex, lambda table: NOTE, load)


if __name__ == "__main__":
    run_script(main)
