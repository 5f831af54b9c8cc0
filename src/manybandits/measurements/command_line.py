"""Common parts of the measurements' scripts, which print a table and write it to <out>.csv and <out>.md."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import pandas as pd

from manybandits.base.artifacts import Provenance, save_text
from manybandits.base.table_files import save_csv, with_ending


def parser_of(description: str, title: str) -> argparse.ArgumentParser:
    """Return a parser of the arguments that all measurements have. title: the default title of the table."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--title", default=title)
    parser.add_argument("--out", type=Path, help="stem of the files to write")
    return parser


def write(
    table: pd.DataFrame, text: str, settings: dict[str, object], note: str, out: Path | None, *, stand_in: bool = True
) -> None:
    """Print the text of a table; if `out` is given, write table and text under this stem.

    stand_in: whether the data were made in place of the paper's, so that no claim can be judged on them.
    """
    sys.stdout.write(text)
    if out is not None:
        csv = with_ending(out, ".csv")
        save_csv(csv, table)
        save_text(with_ending(out, ".md"), text)
        Provenance(settings).save(csv, {"note": note, "stand_in": stand_in})
