"""Final regret of every algorithm on every environment, with marks for those that do not differ from the best."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.base.table_files import Form, Latex, Markdown
from manybandits.results.display_names import algorithm_name
from manybandits.results.measures import final_regret, share_recovered
from manybandits.results.runs import Run
from manybandits.results.summaries import by_final_regret, significance_marks, summary_columns
from manybandits.results.tuned import tuned_options
from manybandits.tables.command_line import lost_words, write_table

NOTE = (
    "Bold: lowest mean regret in the environment. =: not significantly different from it "
    "(two-sided Wilcoxon test on common seeds, Holm-corrected in the environment, 5 %; no mark where there are too few "
    "common seeds for any significant difference). Lost: runs that diverged, or came to the end of their log or "
    "network."
)
GAIN_NOTE = (
    " Reached: the gain over Random as a share of the oracle's gain. Recovered: the share of runs that end with the "
    "true clusters."
)
ORACLES = ("Oracle", "Oracle of the mean")
"""Titles of algorithms that know what others learn; a panel has one of them at most."""


def summarise(panels: Sequence[Sequence[Run]]) -> pd.DataFrame:
    """Return one row per environment and algorithm, the lowest mean final regret first."""
    rows = []
    for runs in panels:
        reached = shares_reached(runs)
        ordered = by_final_regret(runs)
        told = not ordered[0].lost  # those with lost replicas are last
        marks = ["best", *significance_marks(ordered)] if told else [""] * len(ordered)
        for run, mark in zip(ordered, marks, strict=True):
            columns = summary_columns(final_regret(run), mean="regret")
            rows.append(
                {
                    "environment": run.environment["name"],
                    "data": run.environment["data_note"],
                    "algorithm": run.title,
                    "variant": run.settings["variant"],
                    **columns,
                    "lost": run.lost,
                    "regret_per_round": columns["regret"] / run.rounds[-1],
                    "clusters": run.clusters[:, -1].mean(),
                    "size": run.size[:, -1].mean(),
                    "recovered": share_recovered(run),
                    "reached": reached.get(run.title, np.nan),
                    "mark": mark,
                    "options": tuned_options(run),
                    "flags": "; ".join(run.flags),
                }
            )
    return pd.DataFrame(rows)


def shares_reached(runs: Sequence[Run]) -> dict[str, float]:
    """Return the gain of every run over Random, divided by that of the oracle; empty for a panel without both."""
    final = {run.title: float(final_regret(run).mean()) for run in runs}
    oracle = next((title for title in ORACLES if title in final), None)
    if oracle is None or "Random" not in final:
        return {}
    whole = final["Random"] - final[oracle]
    return {title: (final["Random"] - regret) / whole for title, regret in final.items()}


def markdown(table: pd.DataFrame, title: str) -> str:
    """Return the table as Markdown, one block per environment."""
    gains, flagged = bool(table["reached"].notna().any()), bool(table["flags"].any())
    columns = [
        "algorithm",
        "final regret",
        "95 % interval",
        "n",
        "clusters",
        *(["reached"] if gains else []),
        "options",
        *(["flags"] if flagged else []),
    ]
    blocks = []
    for (environment, data), rows in table.groupby(["environment", "data"], sort=False):
        cells = []
        for row in rows.to_dict("records"):
            *numbers, clusters = _cells(row, Markdown)
            reached = [_number(row["reached"], ".3f")] if gains else []
            words = [Markdown.text(row[name]) for name in columns[-1 - flagged :]]
            cells.append([*numbers, str(row["n"]), clusters, *reached, *words])
        align = "l" + "r" * (len(columns) - 2 - flagged) + "l" * (1 + flagged)
        blocks.append((f"**{environment}** ({data})", Markdown.table(columns, align, cells)))
    return Markdown.page(title, note(table), blocks)


def latex(table: pd.DataFrame, title: str) -> str:
    """Return the table as LaTeX, one group of rows per environment."""
    columns = ["environment", "algorithm", "final regret", r"95\,\% interval", "clusters"]
    groups = [
        [[Latex.text(environment), *_cells(row, Latex)] for row in rows.to_dict("records")]
        for environment, rows in table.groupby("environment", sort=False)
    ]
    return Latex.page(title, NOTE, columns, "llrrr", groups)


def note(table: pd.DataFrame) -> str:
    """Return the note: what the marks mean, and the columns that only games of agents have."""
    return NOTE + (GAIN_NOTE if table["reached"].notna().any() else "")


def _cells(row: dict, form: Form) -> list[str]:
    """Return algorithm, final regret, its interval and the number of clusters; no regret where runs were lost."""
    name = form.text(algorithm_name(row["algorithm"]))
    if row["mark"] == "best":
        name = form.bold(name)
    elif row["mark"]:
        name = f"{name} {form.equal}"
    clusters = _number(row["clusters"], ".1f")
    if row["lost"]:
        return [name, lost_words(row), "", clusters]
    return [
        name,
        form.spread(row["regret"], row["std"], ".1f"),
        form.interval(row["low"], row["high"], ".1f"),
        clusters,
    ]


def _number(value: float, spec: str) -> str:
    return "" if pd.isna(value) else f"{value:{spec}}"


def main(argv: list[str] | None = None) -> None:
    """Write the table of final regrets of some run tables."""
    write_table(argv, "Tabulate final regret from run tables.", summarise, markdown, latex, note)


if __name__ == "__main__":
    run_script(main)
