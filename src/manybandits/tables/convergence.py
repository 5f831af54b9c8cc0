"""Average regret a round after each fifth of the rounds: whether learning goes on (M-CNB, Table 2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.results.runs import Run
from manybandits.results.summaries import summary_columns
from manybandits.tables.command import escape, write_table

FIFTHS = 5
NOTE = "Regret so far over rounds so far: mean ± standard deviation over runs on common rounds."


def summarise(panels: Sequence[Sequence[Run]]) -> pd.DataFrame:
    """Return a row an environment, algorithm and fifth of the rounds."""
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
    """Return the table as Markdown, one block an environment."""
    lines = [f"# {title}", "", NOTE]
    for (environment, data), rows in table.groupby(["environment", "data"], sort=False):
        rounds = rows["round"].unique()
        lines += ["", f"**{environment}** ({data})", ""]
        lines += ["| rounds |" + "".join(f" {t} |" for t in rounds), "|---|" + "---:|" * len(rounds)]
        for name, line in rows.groupby("algorithm", sort=False):
            lines.append(f"| {name} |" + "".join(f" {cell} |" for cell in _cells(line, "±")))
    return "\n".join(lines) + "\n"


def latex(table: pd.DataFrame, title: str) -> str:
    """Return the table as a LaTeX ``tabular`` (package booktabs)."""
    rounds = table["round"].unique()
    lines = [f"% {title}", rf"\begin{{tabular}}{{ll{'r' * len(rounds)}}}", r"\toprule"]
    lines += [" & ".join(["environment", "algorithm", *map(str, rounds)]) + r" \\"]
    for environment, rows in table.groupby("environment", sort=False):
        lines.append(r"\midrule")
        for name, line in rows.groupby("algorithm", sort=False):
            cells = [f"${cell}$" for cell in _cells(line, r"\pm")]
            lines.append(" & ".join([escape(str(environment)), escape(str(name)), *cells]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", f"% {NOTE}"]) + "\n"


def _cells(line: pd.DataFrame, sign: str) -> list[str]:
    return [f"{row['mean']:.4f} {sign} {row['std']:.4f}" for row in line.to_dict("records")]


def main(argv: list[str] | None = None) -> None:
    """Write the table of average regrets of some run tables."""
    meaning = "Tabulate the average regret a round from run tables."
    write_table(argv, meaning, summarise, markdown, latex, lambda table: NOTE)


if __name__ == "__main__":
    run_script(main)
