"""Mean errors of estimators of related regressions at every point of a sweep: one column per estimator."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.base.table_files import Form, Markdown
from manybandits.results.display_names import algorithm_name
from manybandits.results.error_table import load_errors
from manybandits.results.estimation_errors import summarise
from manybandits.tables.layout import Block, Layout

NOTE = "|estimate - parameter|_1 of instance 0: mean ± standard deviation over draws of the regressions."


def blocks(table: pd.DataFrame, form: Form) -> Iterator[Block]:
    """Yield one block per regime and sweep: every value that was swept, and the errors of all estimators there."""
    for (regime, swept), block in table.groupby(["regime", "swept"], sort=False):
        rows = [
            [f"{value:g}", *(form.spread(row["mean"], row["std"], ".3g", ".2g") for row in line.to_dict("records"))]
            for value, line in block.groupby("value")
        ]
        first = str(swept) if form is Markdown else "value"
        head = [first, *map(algorithm_name, block["estimator"].unique())]
        yield Block(f"**{regime} regime**", [str(regime), str(swept)], head, rows)


SHARED = "regime", "swept"
main = Layout("Tabulate errors of estimators.", summarise, blocks, lambda *_: NOTE, SHARED, load_errors).main

if __name__ == "__main__":
    run_script(main)
