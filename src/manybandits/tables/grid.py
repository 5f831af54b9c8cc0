"""The final reward at every grid point of every algorithm; the best point is bold.

Only for runs of which every grid point plays the reported seeds (tuning rule ``best-of-grid``).
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.base.table_files import Form, Markdown
from manybandits.results.display_names import algorithm_name
from manybandits.results.grids import summarise
from manybandits.tables.layout import Block, Layout, by_game, lost_words

NOTE = (
    "Reward of all rounds, and per round: mean ± standard deviation over runs. Bold: the best value of the algorithm."
)


def blocks(table: pd.DataFrame, form: Form) -> Iterator[Block]:
    """Yield one block per game."""
    counted = ["n"] if form is Markdown else []
    for heading, shared, game in by_game(table, form):
        rows = [[*_cells(row, form), *(str(row[one]) for one in counted)] for row in game.to_dict("records")]
        yield Block(heading, shared, ["algorithm", "values", "reward", "per round", *counted], rows, "llr")


def _cells(row: dict, form: Form) -> list[str]:
    """Return algorithm, values, reward and reward per round of a grid point, without numbers where runs were lost."""
    names = [form.text(algorithm_name(row["algorithm"])), form.text(row["values"])]
    if row["lost"]:
        lost = lost_words(row)
        return [*names, form.bold(lost) if row["mark"] else lost, ""]
    reward = form.spread(row["reward"], row["std"], ".1f", bold=bool(row["mark"]))
    return [*names, reward, f"{row['reward_per_round']:.3f}"]


TABLE = Layout("Tabulate the reward at every grid point of run tables.", summarise, blocks, lambda *_: NOTE)
main = TABLE.main

if __name__ == "__main__":
    run_script(main)
