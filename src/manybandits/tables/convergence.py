"""Average regret per round after each fifth of the rounds: whether an algorithm still learns (M-CNB, Table 2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.base.table_files import Form, Latex, Markdown
from manybandits.results.display_names import algorithm_name
from manybandits.results.runs import Run
from manybandits.results.summaries import summary_columns
from manybandits.tables.command_line import write_table

FIFTHS = 5
NOTE = "Regret so far divided by rounds so far: mean ± standard deviation over runs on common rounds."


def summarise(panels: Sequence[Sequence[Run]]) -> pd.DataFrame:
    """Return one row per environment, algorithm and fifth of the rounds."""
    rows = []
    for runs in panels:
        for run in runs:
            for fifth in range(1, FIFTHS + 1):
                place = np.flatnonzero(run.rounds * FIFTHS <= run.rounds[-1] * fifth)[-1]
                rows.append(
                    {
                        "environment": run.environment["name"],
                        "data": run.environment["data_note"],
                        "algorithm": run.title,
                        "round": int(run.rounds[place]),
                        **summary_columns(run.regret[:, place] / run.rounds[place]),
                    }
                )
    return pd.DataFrame(rows)


def markdown(table: pd.DataFrame, title: str) -> str:
    """Return the table as Markdown, one block per environment."""
    blocks = []
    for (environment, data), rows in table.groupby(["environment", "data"], sort=False):
        rounds = [str(end) for end in rows["round"].unique()]
        columns, align = ["rounds", *rounds], "l" + "r" * len(rounds)
        blocks.append((f"**{environment}** ({data})", Markdown.table(columns, align, _rows(rows, Markdown))))
    return Markdown.page(title, NOTE, blocks)


def latex(table: pd.DataFrame, title: str) -> str:
    """Return the table as LaTeX, one group of rows per environment."""
    rounds = [str(end) for end in table["round"].unique()]
    groups = [
        [[Latex.text(environment), *cells] for cells in _rows(rows, Latex)]
        for environment, rows in table.groupby("environment", sort=False)
    ]
    return Latex.page(title, NOTE, ["environment", "algorithm", *rounds], "ll" + "r" * len(rounds), groups)


def _rows(table: pd.DataFrame, form: Form) -> list[list[str]]:
    """Return the name of every algorithm, and its average regret after every fifth."""
    return [
        [
            form.text(algorithm_name(name)),
            *(form.spread(row["mean"], row["std"], ".4f") for row in line.to_dict("records")),
        ]
        for name, line in table.groupby("algorithm", sort=False)
    ]


def main(argv: list[str] | None = None) -> None:
    """Write the table of average regrets of some run tables."""
    meaning = "Tabulate the average regret per round from run tables."
    write_table(argv, meaning, summarise, markdown, latex, lambda table: NOTE)


if __name__ == "__main__":
    run_script(main)
