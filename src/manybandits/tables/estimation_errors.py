"""Mean errors of estimators of related regressions at every point of a sweep: one column per estimator."""

from __future__ import annotations

import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.base.table_files import Form, Latex, Markdown
from manybandits.results.display_names import algorithm_name
from manybandits.results.error_table import load_errors
from manybandits.results.estimation_errors import summarise
from manybandits.tables.command_line import write_table

NOTE = "|estimate - parameter|_1 of instance 0: mean ± standard deviation over draws of the regressions."


def markdown(table: pd.DataFrame, title: str) -> str:
    """Return the table as Markdown, one block per regime and sweep."""
    blocks = []
    for (regime, swept), block in table.groupby(["regime", "swept"], sort=False):
        heads = [algorithm_name(name) for name in block["estimator"].unique()]
        rows = Markdown.table([str(swept), *heads], "l" + "r" * len(heads), _rows(block, Markdown))
        blocks.append((f"**{regime} regime**", rows))
    return Markdown.page(title, NOTE, blocks)


def latex(table: pd.DataFrame, title: str) -> str:
    """Return the table as LaTeX, one group of rows per regime and sweep."""
    heads = [algorithm_name(name) for name in table["estimator"].unique()]
    groups = [
        [[str(regime), str(swept), *cells] for cells in _rows(block, Latex)]
        for (regime, swept), block in table.groupby(["regime", "swept"], sort=False)
    ]
    return Latex.page(title, NOTE, ["regime", "swept", "value", *heads], "lll" + "r" * len(heads), groups)


def _rows(block: pd.DataFrame, form: Form) -> list[list[str]]:
    """Return every value that was swept, and the errors of all estimators there."""
    return [
        [f"{value:g}", *(form.spread(row["mean"], row["std"], ".3g", ".2g") for row in line.to_dict("records"))]
        for value, line in block.groupby("value")
    ]


def main(argv: list[str] | None = None) -> None:
    """Write the table of some tables of errors."""
    write_table(argv, "Tabulate errors of estimators.", summarise, markdown, latex, lambda table: NOTE, load_errors)


if __name__ == "__main__":
    run_script(main)
