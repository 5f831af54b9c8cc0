"""Mean errors of estimators of related regressions at every point of a sweep: a column an estimator."""

from __future__ import annotations

import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.results.error_table import load_errors
from manybandits.results.estimation_errors import summarise
from manybandits.tables.command import escape, write_table

NOTE = "|estimate - parameter|_1 of instance 0: mean ± standard deviation over draws of the regressions."


def markdown(table: pd.DataFrame, title: str) -> str:
    """Return the table as Markdown, one block a regime and sweep."""
    lines = [f"# {title}", "", NOTE]
    for (regime, swept), block in table.groupby(["regime", "swept"], sort=False):
        heads = block["estimator"].unique()
        lines += ["", f"**{regime} regime**", "", f"| {swept} | {' | '.join(heads)} |", "|---|" + "---:|" * len(heads)]
        lines += [f"| {value:g} | {' | '.join(cells)} |" for value, cells in _lines(block, "±")]
    return "\n".join(lines) + "\n"


def latex(table: pd.DataFrame, title: str) -> str:
    """Return the table as a LaTeX ``tabular`` (package booktabs)."""
    heads = table["estimator"].unique()
    lines = [f"% {escape(title)}", rf"\begin{{tabular}}{{lll{'r' * len(heads)}}}", r"\toprule"]
    lines += [" & ".join(["regime", "swept", "value", *heads]) + r" \\"]
    for (regime, swept), block in table.groupby(["regime", "swept"], sort=False):
        lines.append(r"\midrule")
        for value, cells in _lines(block, r"\pm"):
            lines.append(" & ".join([str(regime), str(swept), f"{value:g}", *(f"${cell}$" for cell in cells)]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", f"% {NOTE}"]) + "\n"


def _lines(block: pd.DataFrame, sign: str) -> list[tuple[float, list[str]]]:
    """Return the cells of every value that was swept."""
    points = [line for _, line in block.groupby("value")]
    return [
        (line["value"].iloc[0], [f"{row['mean']:.3g} {sign} {row['std']:.2g}" for row in line.to_dict("records")])
        for line in points
    ]


def main(argv: list[str] | None = None) -> None:
    """Write the table of some tables of errors."""
    write_table(argv, "Tabulate errors of estimators.", summarise, markdown, latex, lambda table: NOTE, load_errors)


if __name__ == "__main__":
    run_script(main)
