"""The command line that tables share: from run tables to CSV, Markdown and LaTeX."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from manybandits.base.artifacts import Provenance, save_text
from manybandits.base.table_files import DECIMALS, save_csv, with_ending
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
    """Summarise the run tables that `argv` names, and write the table as CSV, Markdown and LaTeX, with its note.

    load: reads the paths; summarise: takes what it returns.
    """
    given = parser_of(description).parse_args(argv)
    save_table(given, lambda: summarise(load(given.runs)), markdown, latex, note)


def parser_of(description: str) -> argparse.ArgumentParser:
    """Return a parser with the arguments that every table takes."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--title", required=True)
    parser.add_argument("--runs", type=Path, nargs="+", required=True, help="run tables")
    parser.add_argument("--out", type=Path, required=True, help="stem of the files to write")
    return parser


def save_table(
    given: argparse.Namespace,
    make: Callable[[], pd.DataFrame],
    markdown: Callable[[pd.DataFrame, str], str],
    latex: Callable[[pd.DataFrame, str], str],
    note: Callable[[pd.DataFrame], str],
    beside: Sequence[Path] = (),
) -> None:
    """Make a table and write it. given: the arguments; beside: files that it is made from, besides the run tables."""
    provenance = Provenance({"title": given.title}, (*given.runs, *beside))
    table = make()
    csv = with_ending(given.out, ".csv")
    save_csv(csv, table, DECIMALS)
    save_text(with_ending(given.out, ".md"), markdown(table, given.title))
    save_text(with_ending(given.out, ".tex"), latex(table, given.title))
    provenance.save(csv, {"note": note(table)})


def lost_words(row: Mapping[str, Any]) -> str:
    """Say how many of the runs of a row were lost."""
    return f"lost {row['lost']} of {row['n']}"
