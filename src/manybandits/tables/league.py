"""The league: average ranks of the algorithms of every arena (`manybandits.results.ranks`)."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.base.table_files import Form
from manybandits.results.display_names import algorithm_name
from manybandits.results.ranks import LEAST_GAMES, block_words, load, standings, summarise
from manybandits.results.summaries import LEVEL
from manybandits.tables.layout import Block, Layout

NOTE = (
    "Rank by mean final regret over seeds, 1 is best; algorithms with equal regret share a rank, and one with "
    "failed runs comes last. All algorithms of an arena play its games for equally many rounds, with options chosen on "
    "the same seed. Friedman's test asks whether ranks differ; average ranks closer than Nemenyi's critical difference "
    f"({100 * LEVEL:g} %) do not differ significantly. Arenas of fewer than {LEAST_GAMES} games are not tested. Games "
    "of an arena are not an independent sample: they are the games that the papers play."
)


def blocks(table: pd.DataFrame, form: Form) -> Iterator[Block]:
    """Yield the average ranks, one block per arena."""
    for arena, league in table.groupby("arena", sort=False):
        rows = [
            [form.text(algorithm_name(row.algorithm)), f"{row.average_rank:.2f}"]
            for row in standings(league).itertuples()
        ]
        heading = f"**{arena}** ({block_words(league)})"
        yield Block(heading, [form.text(arena)], ["algorithm", "average rank"], rows)


TABLE = Layout("Rank algorithms over games.", summarise, blocks, lambda *_: NOTE, ("arena",), load)
main = TABLE.main

if __name__ == "__main__":
    run_script(main)
