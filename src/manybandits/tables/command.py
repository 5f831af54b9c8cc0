"""What tables of run tables share: from the command line to CSV, Markdown and LaTeX."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from manybandits.base.artifacts import Provenance, save_text
from manybandits.results.runs import load_runs


def write_table(
    argv: list[str] | None,
    description: str,
    summarise: Callable[[Any], pd.DataFrame],
    markdown: Callable[[pd.DataFrame, str], str],
    latex: Callable[[pd.DataFrame, str], str],
    note: Callable[[pd.DataFrame], str],
    load: Callable[[Sequence[Path]], Any] = load_runs,
) -> None:
    """Summarise the run tables that `argv` names, and write the table in three forms with its note.

    summarise: takes what `load` made of the paths.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--title", required=True)
    parser.add_argument("--runs", type=Path, nargs="+", required=True, help="run tables")
    parser.add_argument("--out", type=Path, required=True, help="stem of the files to write")
    given = parser.parse_args(argv)
    provenance = Provenance({"title": given.title}, tuple(given.runs))
    table = summarise(load(given.runs))
    csv = given.out.with_name(given.out.name + ".csv")
    save_text(csv, table.round(6).to_csv(index=False, lineterminator="\n"))
    save_text(csv.with_suffix(".md"), markdown(table, given.title))
    save_text(csv.with_suffix(".tex"), latex(table, given.title))
    provenance.save(csv, {"note": note(table)})


def escape(text: str) -> str:
    """Return `text` with the letters escaped that LaTeX would read as commands."""
    return "".join("\\" + letter if letter in "&%$#_{}" else letter for letter in text)
