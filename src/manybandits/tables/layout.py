"""How tables are written: from run tables to CSV, and from blocks of cells to Markdown and LaTeX."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from manybandits.base.artifacts import Provenance, save_text
from manybandits.base.table_files import DECIMALS, Form, Latex, Markdown, save_csv, with_ending
from manybandits.results.display_names import note_words
from manybandits.results.runs import load_runs

INTERVAL = {Markdown: "95 % interval", Latex: r"95\,\% interval"}
"""The head of a column of intervals."""


class Block(NamedTuple):
    """Rows of a table that belong together: below a heading in Markdown, between two rules in LaTeX.

    shared: the cells that each row begins with in LaTeX, in place of the heading. head and rows: all other cells.
    align: a letter for each of their columns, l or r; its last one is that of all that follow.
    """

    heading: str
    shared: Sequence[str]
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    align: str = "lr"

    @property
    def alignment(self) -> str:
        return self.align.ljust(len(self.head), self.align[-1])


class Layout(NamedTuple):
    """A table: how it is made, and how it is written.

    description: what its script does. summarise: returns the table of what `load` reads from the paths of --runs.
    blocks: returns its cells as Markdown or LaTeX; note: what is said below. shared: the heads in LaTeX of what the
    rows of a block share.
    """

    description: str
    summarise: Callable[..., pd.DataFrame]
    blocks: Callable[[pd.DataFrame, Form], Iterable[Block]]
    note: Callable[[pd.DataFrame, Form], str]
    shared: Sequence[str] = ("environment",)
    load: Callable[[Sequence[Path]], Any] = load_runs

    def markdown(self, table: pd.DataFrame, title: str) -> str:
        """Return the table as Markdown."""
        blocks = [
            (one.heading, Markdown.table(one.head, one.alignment, one.rows)) for one in self.blocks(table, Markdown)
        ]
        return Markdown.page(title, self.note(table, Markdown), blocks)

    def latex(self, table: pd.DataFrame, title: str) -> str:
        """Return the table as LaTeX, with the columns of all blocks."""
        blocks = list(self.blocks(table, Latex))
        head = list(dict.fromkeys(name for one in blocks for name in one.head))
        align = "l" * len(self.shared) + blocks[0]._replace(head=head).alignment
        groups = [[[*one.shared, *row] for row in one.rows] for one in blocks]
        return Latex.page(title, self.note(table, Latex), [*self.shared, *head], align, groups)

    def parser(self) -> argparse.ArgumentParser:
        """Return a parser with the arguments that every table takes."""
        parser = argparse.ArgumentParser(description=self.description)
        parser.add_argument("--title", required=True)
        parser.add_argument("--runs", type=Path, nargs="+", required=True, help="run tables")
        parser.add_argument("--out", type=Path, required=True, help="stem of the files to write")
        return parser

    def main(self, argv: list[str] | None = None) -> None:
        """Write the table of the run tables that `argv` names."""
        self.save(self.parser().parse_args(argv))

    def save(self, args: argparse.Namespace, beside: Sequence[Path] = (), **more: Any) -> None:
        """Write the table as CSV, Markdown and LaTeX. args: the arguments.

        beside: files that it is made from besides the run tables; more: what `summarise` takes of them.
        """
        provenance = Provenance({"title": args.title}, (*args.runs, *beside))
        table = self.summarise(self.load(args.runs), **more)
        csv = with_ending(args.out, ".csv")
        save_csv(csv, table, DECIMALS)
        save_text(with_ending(args.out, ".md"), self.markdown(table, args.title))
        save_text(with_ending(args.out, ".tex"), self.latex(table, args.title))
        provenance.save(csv, {"note": self.note(table, Markdown)})


def by_game(table: pd.DataFrame, form: Form) -> Iterator[tuple[str, list[str], pd.DataFrame]]:
    """Yield the heading of each game of a table, the cells that its rows share, and its rows."""
    for (environment, data), rows in table.groupby(["environment", "data"], sort=False):
        yield f"**{environment}** ({note_words(str(data))})", [form.text(environment)], rows


def lost_words(row: Mapping[str, Any]) -> str:
    """Say how many of the runs of a row were lost."""
    return f"{row['lost']} of {row['n']} failed"
