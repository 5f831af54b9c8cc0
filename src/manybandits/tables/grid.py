"""The final reward at every grid point of every algorithm, and which point is its best.

Only of runs in which every point plays the reported seeds (tuning rule ``best-of-grid``).
"""

from __future__ import annotations

import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.results.grids import summarise
from manybandits.tables.command import escape, write_table

NOTE = "Reward of all rounds, and of one: mean ± standard deviation over runs. Bold: the best value of the algorithm."


def markdown(table: pd.DataFrame, title: str) -> str:
    """Return the table as Markdown, one block an environment."""
    lines = [f"# {title}", "", NOTE]
    for (environment, data), rows in table.groupby(["environment", "data"], sort=False):
        lines += ["", f"**{environment}** ({data})", "", "| algorithm | values | reward | a round | n |"]
        lines += ["|---|---|---:|---:|---:|"]
        for row in rows.to_dict("records"):
            reward = _lost(row) or f"{row['reward']:.1f} ± {row['std']:.1f}"
            reward = f"**{reward}**" if row["mark"] else reward
            share = "" if row["lost"] else f"{row['reward_per_round']:.3f}"
            lines.append(f"| {row['algorithm']} | {row['values']} | {reward} | {share} | {row['n']} |")
    return "\n".join(lines) + "\n"


def latex(table: pd.DataFrame, title: str) -> str:
    """Return the table as a LaTeX ``tabular`` (package booktabs)."""
    lines = [f"% {title}", r"\begin{tabular}{lllrr}", r"\toprule"]
    lines += [r"environment & algorithm & values & reward & a round \\"]
    for _, rows in table.groupby("environment", sort=False):
        lines.append(r"\midrule")
        for row in rows.to_dict("records"):
            reward = rf"{row['reward']:.1f} \pm {row['std']:.1f}"
            reward = rf"\mathbf{{{reward}}}" if row["mark"] else reward
            words = [escape(str(row[name])) for name in ("environment", "algorithm", "values")]
            share = "" if row["lost"] else f"{row['reward_per_round']:.3f}"
            lines.append(" & ".join([*words, _lost(row) or f"${reward}$", share]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", f"% {NOTE}"]) + "\n"


def _lost(row: dict) -> str:
    """Say how many runs of a grid point have no numbers at the end, "" where all have."""
    return f"lost {row['lost']} of {row['n']}" if row["lost"] else ""


def main(argv: list[str] | None = None) -> None:
    """Write the table of the grids of some run tables."""
    write_table(
        argv, "Tabulate the reward at every grid point of run tables.", summarise, markdown, latex, lambda _: NOTE
    )


if __name__ == "__main__":
    run_script(main)
