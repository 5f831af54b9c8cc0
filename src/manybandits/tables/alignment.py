"""How many components of the shared parameter the instances move, and how many of instance 0 LASSO finds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.base.table_files import Form
from manybandits.results.coefficient_table import PARTS, load_parts
from manybandits.tables.layout import Block, Layout

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


def blocks(table: pd.DataFrame, form: Form) -> list[Block]:
    """Return all rows as one block."""
    rows = [[str(row.part), f"{row.components} of {row.of}", f"{row.sum:.2f}"] for row in table.itertuples()]
    return [Block("", (), COLUMNS, rows)]


def load(paths: Sequence[Path]) -> dict[str, np.ndarray]:
    """Read the table of coefficients that is given."""
    return load_parts(paths[0])


MEANING = "Count the components that differ from the shared parameter."
main = Layout(MEANING, summarise, blocks, lambda *_: NOTE, shared=(), load=load).main

if __name__ == "__main__":
    run_script(main)
