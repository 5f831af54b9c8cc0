"""Final regret of every algorithm on every environment, and which are not told apart from the best."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.results.measures import final_regret, share_recovered
from manybandits.results.runs import Run
from manybandits.results.summaries import by_final_regret, significance_marks, summary_columns
from manybandits.tables.command import escape, write_table

NOTE = (
    "Bold: lowest mean regret in the environment. =: not told apart from it "
    "(two-sided Wilcoxon on common seeds, Holm-corrected in the environment, 5 %; no mark where there are too few "
    "common seeds for the test to tell anything apart). Lost: runs that diverged, or came to the end of their log or "
    "network."
)
GAIN_NOTE = (
    " Reached: the share of the way from Random to the oracle. Recovered: the share of runs that end with the "
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
        marks = ["best", *significance_marks(ordered)]
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
                    "recovered": share_recovered(run),
                    "reached": reached.get(run.title, np.nan),
                    "mark": mark,
                    "options": tuned_options(run),
                }
            )
    return pd.DataFrame(rows)


def tuned_options(run: Run) -> str:
    """Return the chosen values of the options that were tuned; all others stand in the provenance of the run."""
    words = [word for word in str(run.facts["chosen"]).split() if word.partition("=")[0] in run.varied]
    return " ".join(words) or "not tuned"


def shares_reached(runs: Sequence[Run]) -> dict[str, float]:
    """Return which share of the gain of the panel's oracle over Random each run reached; empty without both."""
    final = {run.title: float(final_regret(run).mean()) for run in runs}
    oracle = next((title for title in ORACLES if title in final), None)
    if oracle is None or "Random" not in final:
        return {}
    whole = final["Random"] - final[oracle]
    return {title: (final["Random"] - regret) / whole for title, regret in final.items()}


def markdown(table: pd.DataFrame, title: str) -> str:
    """Return the table as Markdown, one block an environment."""
    gains = bool(table["reached"].notna().any())
    lines = [f"# {title}", "", note(table)]
    for (environment, data), rows in table.groupby(["environment", "data"], sort=False):
        lines += [
            "",
            f"**{environment}** ({data})",
            "",
            f"| algorithm | final regret | 95 % interval | n | clusters |{' reached |' if gains else ''} options |",
        ]
        lines += [f"|---|---:|---:|---:|---:|{'---:|' if gains else ''}---|"]
        for row in rows.to_dict("records"):
            name = f"**{row['algorithm']}**" if row["mark"] == "best" else f"{row['algorithm']} {row['mark']}".strip()
            final, interval = _numbers(row, "{:.1f} ± {:.1f}", "{:.1f} to {:.1f}")
            lines.append(
                f"| {name} | {final} | {interval} "
                f"| {row['n']} | {_clusters(row)} |{f' {_share(row)} |' if gains else ''} {row['options']} |"
            )
    return "\n".join(lines) + "\n"


def latex(table: pd.DataFrame, title: str) -> str:
    """Return the table as a LaTeX ``tabular`` (package booktabs)."""
    lines = [f"% {title}", r"\begin{tabular}{llrrr}", r"\toprule"]
    lines += [r"environment & algorithm & final regret & 95\,\% interval & clusters \\"]
    for environment, rows in table.groupby("environment", sort=False):
        lines.append(r"\midrule")
        for row in rows.to_dict("records"):
            name = escape(row["algorithm"])
            name = rf"\textbf{{{name}}}" if row["mark"] == "best" else f"{name} {row['mark'] and '$=$'}".strip()
            final, interval = _numbers(row, r"${:.1f} \pm {:.1f}$", "${:.1f}$--${:.1f}$")
            lines.append(rf"{escape(str(environment))} & {name} & {final} & {interval} & {_clusters(row)} \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", f"% {NOTE}"]) + "\n"


def note(table: pd.DataFrame) -> str:
    """Say what the marks mean, and the columns that only games of agents have."""
    return NOTE + (GAIN_NOTE if table["reached"].notna().any() else "")


def _numbers(row: dict, final: str, interval: str) -> tuple[str, str]:
    if row["lost"]:
        return f"lost {row['lost']} of {row['n']}", ""
    return final.format(row["regret"], row["std"]), interval.format(row["low"], row["high"])


def _share(row: dict) -> str:
    return "" if pd.isna(row["reached"]) else f"{row['reached']:.3f}"


def _clusters(row: dict) -> str:
    return "" if pd.isna(row["clusters"]) else f"{row['clusters']:.1f}"


def main(argv: list[str] | None = None) -> None:
    """Write the table of final regrets of some run tables."""
    write_table(argv, "Tabulate final regret from run tables.", summarise, markdown, latex, note)


if __name__ == "__main__":
    run_script(main)
