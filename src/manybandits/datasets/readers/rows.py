"""Rows with a label: tables of UCI."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from manybandits.datasets.base import Tidy


def table(raw: dict[str, Path], *, columns: str, sep: str = ",", unknown: str = "") -> tuple[Tidy, dict[str, int]]:
    """Read tables without a header, those of training rows first, and count rows, classes and the largest class.

    columns: their names, of which one is ``label``. unknown: what rows with a question mark are counted as.
    """
    # In the test file of Adult, the first line begins with | and is no row, and labels end with a full stop.
    parts = [
        pd.read_csv(path, sep=sep, names=columns.split(), skipinitialspace=True, comment="|") for path in raw.values()
    ]
    rows = pd.concat(parts, ignore_index=True)
    if rows["label"].dtype == object:
        rows["label"] = rows["label"].str.rstrip(".")
    sizes = rows["label"].value_counts()
    counts = {"rows": len(rows), "classes": len(sizes), "largest_class": int(sizes.iloc[0])}
    if unknown:
        counts[unknown] = int((rows == "?").any(axis=1).sum())
    return {"rows.parquet": rows}, counts
