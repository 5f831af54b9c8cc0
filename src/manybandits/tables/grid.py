"""The final reward at every grid point of every algorithm; the best point is bold.

Only for runs of which every grid point plays the reported seeds (tuning rule ``best-of-grid``).
"""

from __future__ import annotations

import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.base.table_files import Form, Latex, Markdown
from manybandits.results.display_names import algorithm_name
from manybandits.results.grids import summarise
from manybandits.tables.command_line import lost_words, write_table

NOTE = (
    "Reward of all rounds, and per round: mean ± standard deviation over runs. Bold: the best value of the algorithm."
)


def markdown(table: pd.DataFrame, title: str) -> str:
    """Return the table as Markdown, one block per environment."""
    blocks = []
    for (environment, data), rows in table.groupby(["environment", "data"], sort=False):
        cells = [[*_cells(row, Markdown), str(row["n"])] for row in rows.to_dict("records")]
        columns = ["algorithm", "values", "reward", "per round", "n"]
        blocks.append((f"**{environment}** ({data})", Markdown.table(columns, "llrrr", cells)))
    return Markdown.page(title, NOTE, blocks)


def latex(table: pd.DataFrame, title: str) -> str:
    """Return the table as LaTeX, one group of rows per environment."""
    groups = [
        [[Latex.text(row["environment"]), *_cells(row, Latex)] for row in rows.to_dict("records")]
        for _, rows in table.groupby("environment", sort=False)
    ]
    return Latex.page(title, NOTE, ["environment", "algorithm", "values", "reward", "per round"], "lllrr", groups)


def _cells(row: dict, form: Form) -> list[str]:
    """Return algorithm, values, reward and reward per round of a grid point, without numbers where runs were lost."""
    names = [form.text(algorithm_name(row["algorithm"])), form.text(row["values"])]
    if row["lost"]:
        lost = lost_words(row)
        return [*names, form.bold(lost) if row["mark"] else lost, ""]
    reward = form.spread(row["reward"], row["std"], ".1f", bold=bool(row["mark"]))
    return [*names, reward, f"{row['reward_per_round']:.3f}"]


def main(argv: list[str] | None = None) -> None:
    """Write the table of the grids of some run tables."""
    write_table(
        argv, "Tabulate the reward at every grid point of run tables.", summarise, markdown, latex, lambda _: NOTE
    )


if __name__ == "__main__":
    run_script(main)
