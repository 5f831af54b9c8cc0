"""How many components of the shared parameter the instances move, and how many of instance 0 LASSO finds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.base.table_files import Latex, Markdown
from manybandits.results.coefficient_table import PARTS, load_parts
from manybandits.tables.command_line import write_table

COLUMNS = ("part", "components", "sum")
NOTE = "Components that are not zero, and the sum of their sizes; see the caption of the figure."
"""It is part of verdicts, as the data that claims about this table were judged on: a change of it changes verdicts."""


def summarise(parts: dict[str, np.ndarray]) -> pd.DataFrame:
    """Return one row per part: the components of instance 0 that are not zero, and their l1 norm."""
    first = {part: values[0] for part, values in parts.items()}
    return pd.DataFrame(
        {
            "part": ["difference of instance 0", *list(PARTS.values())[1:]],
            "components": [np.count_nonzero(values) for values in first.values()],
            "of": [values.size for values in first.values()],
            "sum": [np.abs(values).sum() for values in first.values()],
        }
    )


def markdown(table: pd.DataFrame, title: str) -> str:
    """Return the table as Markdown."""
    return Markdown.page(title, NOTE, [("", Markdown.table(COLUMNS, "lrr", _rows(table)))])


def latex(table: pd.DataFrame, title: str) -> str:
    """Return the table as LaTeX."""
    return Latex.page(title, NOTE, COLUMNS, "lrr", [_rows(table)])


def _rows(table: pd.DataFrame) -> list[list[str]]:
    return [[str(row.part), f"{row.components} of {row.of}", f"{row.sum:.2f}"] for row in table.itertuples()]


def main(argv: list[str] | None = None) -> None:
    """Count the components in a table of coefficients."""

    def load(paths: Sequence[Path]) -> dict[str, np.ndarray]:
        return load_parts(paths[0])

    write_table(
        argv,
        "Count the components that differ from the shared parameter.",
        summarise,
        markdown,
        latex,
        lambda table: NOTE,
        load,
    )


if __name__ == "__main__":
    run_script(main)
