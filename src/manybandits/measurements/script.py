"""The script of a measurement: it prints a table, and writes it to <out>.csv and <out>.md if --out is given."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import pandas as pd

from manybandits.base.artifacts import Provenance, save_text


def parser_of(description: str, title: str) -> argparse.ArgumentParser:
    """Return a parser of the arguments that all measurements have. title: what stands above the table by default."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--title", default=title)
    parser.add_argument("--out", type=Path, help="stem of the files to write")
    return parser


def write(table: pd.DataFrame, text: str, settings: dict[str, Any], note: str, out: Path | None) -> None:
    """Print the text of a table, and write both under a stem, with the provenance. No data are those of the paper."""
    sys.stdout.write(text)
    if out is not None:
        csv = out.with_name(out.name + ".csv")
        save_text(csv, table.to_csv(index=False, lineterminator="\n"))
        save_text(csv.with_suffix(".md"), text)
        Provenance(settings).save(csv, {"note": note, "stand_in": True})
