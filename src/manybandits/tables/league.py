"""The league: average ranks of the algorithms of every arena (`manybandits.results.ranks`)."""

from __future__ import annotations

import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.results.ranks import LEAST_GAMES, block_words, load, standings, summarise
from manybandits.results.summaries import LEVEL
from manybandits.tables.command import escape, write_table

NOTE = (
    "Rank by mean final regret over seeds, 1 is best; algorithms with equal regret share a rank, and one that lost "
    "runs comes last. All algorithms of an arena play its games for equally many rounds, with options chosen on the "
    "same seed. Friedman's test asks whether ranks differ; average ranks closer than Nemenyi's critical difference "
    f"({100 * LEVEL:g} %) are not told apart. Arenas of fewer than {LEAST_GAMES} games are not tested. Games of an "
    "arena are not independent draws of anything: they are those that the papers play."
)


def markdown(table: pd.DataFrame, title: str) -> str:
    """Return the average ranks as Markdown, one list an arena."""
    lines = [f"# {title}", "", NOTE]
    for arena, league in table.groupby("arena", sort=False):
        lines += ["", f"**{arena}** ({block_words(league)})", "", "| algorithm | average rank |", "|---|---:|"]
        lines += [f"| {row.algorithm} | {row.average_rank:.2f} |" for row in standings(league).itertuples()]
    return "\n".join(lines) + "\n"


def latex(table: pd.DataFrame, title: str) -> str:
    """Return the average ranks as a LaTeX ``tabular`` (package booktabs)."""
    lines = [f"% {escape(title)}", r"\begin{tabular}{llr}", r"\toprule", r"arena & algorithm & average rank \\"]
    for arena, league in table.groupby("arena", sort=False):
        lines.append(r"\midrule")
        for row in standings(league).itertuples():
            lines.append(rf"{escape(str(arena))} & {escape(str(row.algorithm))} & {row.average_rank:.2f} \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", f"% {escape(NOTE)}"]) + "\n"


def main(argv: list[str] | None = None) -> None:
    """Write the league of the run tables of some arenas."""
    write_table(argv, "Rank algorithms over games.", summarise, markdown, latex, lambda table: NOTE, load)


if __name__ == "__main__":
    run_script(main)
