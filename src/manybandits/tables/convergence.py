"""Average regret per round after each fifth of the rounds: whether an algorithm still learns (M-CNB, Table 2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.base.table_files import Form, Markdown
from manybandits.results.display_names import algorithm_name
from manybandits.results.runs import Run
from manybandits.results.summaries import flat, names_of, summary_columns
from manybandits.tables.layout import Block, Layout, by_game

FIFTHS = 5
NOTE = "Regret so far divided by rounds so far: mean ± standard deviation over runs on common rounds."


def summarise(panels: Sequence[Sequence[Run]]) -> pd.DataFrame:
    """Return one row per environment, algorithm and fifth of the rounds."""
    rows = []
    for run in flat(panels):
        for fifth in range(1, FIFTHS + 1):
            place = np.flatnonzero(run.rounds * FIFTHS <= run.rounds[-1] * fifth)[-1]
            regret = summary_columns(run.regret[:, place] / run.rounds[place])
            rows.append({**names_of(run), "round": int(run.rounds[place]), **regret})
    return pd.DataFrame(rows)


def blocks(table: pd.DataFrame, form: Form) -> Iterator[Block]:
    """Yield one block per game: the name of every algorithm, and its average regret after every fifth."""
    first = "rounds" if form is Markdown else "algorithm"
    for heading, shared, game in by_game(table, form):
        rows = [
            [
                form.text(algorithm_name(name)),
                *(form.spread(row["mean"], row["std"], ".4f") for row in line.to_dict("records")),
            ]
            for name, line in game.groupby("algorithm", sort=False)
        ]
        yield Block(heading, shared, [first, *map(str, game["round"].unique())], rows)


main = Layout("Tabulate the average regret per round from run tables.", summarise, blocks, lambda *_: NOTE).main

if __name__ == "__main__":
    run_script(main)
