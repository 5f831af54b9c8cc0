"""Final regret of every algorithm on every environment, with marks for those that do not differ from the best."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.base.table_files import Form, Markdown
from manybandits.results.display_names import algorithm_name
from manybandits.results.measures import final_regret, share_recovered
from manybandits.results.runs import Run
from manybandits.results.summaries import by_final_regret, names_of, significance_marks, summary_columns
from manybandits.results.tuned import tuned_options
from manybandits.tables.layout import INTERVAL, Block, Layout, by_game, lost_words

NOTE = (
    "Bold: lowest mean regret in the environment. =: not significantly different from it "
    "(two-sided Wilcoxon test on common seeds, Holm-corrected in the environment, 5 %; no mark where there are too few "
    "common seeds for any significant difference). Failed: runs that diverged, or came to the end of their log or "
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
                    **names_of(run),
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


def blocks(table: pd.DataFrame, form: Form) -> Iterator[Block]:
    """Yield one block per game; in LaTeX it has neither the number of runs nor what is not in all tables."""
    counted, gains, words = [], [], []
    if form is Markdown:
        counted, gains = ["n"], ["reached"] if table["reached"].notna().any() else []
        words = ["options", "flags"] if table["flags"].any() else ["options"]
    head = ["algorithm", "final regret", INTERVAL[form], *counted, "clusters", *gains, *words]
    align = "l" + "r" * (len(head) - 1 - len(words)) + "l" * len(words)
    for heading, shared, game in by_game(table, form):
        rows = []
        for row in game.to_dict("records"):
            *first, clusters = _cells(row, form)
            reached = [_number(row[name], ".3f") for name in gains]
            told = [form.text(row[name]) for name in words]
            rows.append([*first, *(str(row[name]) for name in counted), clusters, *reached, *told])
        yield Block(heading, shared, head, rows, align)


def note(table: pd.DataFrame, form: Form = Markdown) -> str:
    """Return the note: what the marks mean, and the columns that only games of agents have, and LaTeX has not."""
    return NOTE + (GAIN_NOTE if form is Markdown and table["reached"].notna().any() else "")


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


TABLE = Layout("Tabulate final regret from run tables.", summarise, blocks, note)
main = TABLE.main

if __name__ == "__main__":
    run_script(main)
