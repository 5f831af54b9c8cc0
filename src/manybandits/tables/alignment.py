"""How many components of what is shared the instances move, and how many of one instance are left to LASSO."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.results.coefficient_table import PARTS, load_parts
from manybandits.tables.command import escape, write_table

NOTE = "Components that are not zero, and the sum of their sizes; see the caption of the figure."


def summarise(parts: dict[str, np.ndarray]) -> pd.DataFrame:
    """Return a row a part, with its number of components that are not zero and its l1 norm; delta is of instance 0."""
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
    lines = [f"# {title}", "", NOTE, "", "| part | components | sum |", "|---|---:|---:|"]
    lines += [f"| {row.part} | {row.components} of {row.of} | {row.sum:.2f} |" for row in table.itertuples()]
    return "\n".join(lines) + "\n"


def latex(table: pd.DataFrame, title: str) -> str:
    """Return the table as a LaTeX ``tabular`` (package booktabs)."""
    lines = [f"% {escape(title)}", r"\begin{tabular}{lrr}", r"\toprule", r"part & components & sum \\", r"\midrule"]
    lines += [rf"{row.part} & {row.components} of {row.of} & {row.sum:.2f} \\" for row in table.itertuples()]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", f"% {NOTE}"]) + "\n"


def main(argv: list[str] | None = None) -> None:
    """Write the table of a table of coefficients."""

    def load(paths: Sequence[Path]) -> dict[str, np.ndarray]:
        return load_parts(paths[0])

    write_table(argv, "Count what is aligned.", summarise, markdown, latex, lambda table: NOTE, load)


if __name__ == "__main__":
    run_script(main)
