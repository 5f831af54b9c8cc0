"""The command ``manybandits claims``: the claims of the papers, and the verdicts of a run, headlines first."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from manybandits.base.exceptions import InputError, pick
from manybandits.base.printing import print_json, print_table, print_wrapped
from manybandits.base.table_files import Markdown
from manybandits.cli.list import Rows, claims
from manybandits.papers.files import read_papers
from manybandits.report.numbers import of, quantity
from manybandits.results.flag_labels import flag_labels
from manybandits.results.verdict_table import (
    COUNTED,
    VERDICTS,
    Score,
    Verdict,
    count,
    load_headlines,
    load_verdicts,
    scores,
)

HEADLINES = ("headline", "verdict", "quantity", "measured", "published", "n", "p", "limits", "flags", "says")
JUDGED = (
    *("claim", "reading", "stands", "verdict", "flags", "kind", "place", "quantity", "measured", "published", "n"),
    *("limits", "says"),
)
CLAIMED = ("claim", "kind", "place", "says")


def run(given: argparse.Namespace) -> None:
    """Print the verdicts of the given run or file, or the claims of the paper files."""
    path = verdicts_of(given)
    if path is None:
        for option in ("verdict", "headlines", "markdown"):
            if getattr(given, option):
                raise InputError(f"--{option} needs verdicts: give a run by --run, or a file by --verdicts.")
        show_claims(given)
        return
    verdicts, headlines = load_verdicts(path), load_headlines(path.parent / "headlines.csv")
    if given.kind:
        verdicts, headlines = _only(verdicts, "kind", given.kind), []  # a headline has no kind
    if given.paper:
        given.paper = Path(given.paper).name  # of a path, the folder, which names the paper
        # A paper that has claims may have no headlines.
        verdicts = _only(verdicts, "paper", given.paper)
        headlines = [row for row in headlines if row["paper"] == given.paper]
    totals = scores(verdicts)
    if given.verdict:
        wanted = pick(given.verdict, VERDICTS, "verdict (--verdict)")
        verdicts, headlines = ([row for row in rows if row["verdict"] == wanted] for rows in (verdicts, headlines))
    if given.headlines or given.markdown:
        verdicts, totals = [], []
    if given.markdown:
        sys.stdout.write(markdown(headlines, given.root))
        return
    if given.json:
        print_json(
            {
                "headlines": headlines,
                "verdicts": verdicts,
                "counts": count(headlines),
                "scores": [_score(score) for score in totals],
            }
        )
        return
    show_verdicts(headlines, verdicts, totals if given.paper and not given.verdict else [])


def verdicts_of(given: argparse.Namespace) -> Path | None:
    """Return the verdicts that are asked for, with headlines beside them, or None if none are.

    Raises InputError naming the nearest run that has verdicts, or the file that is missing.
    """
    if given.run:
        reports = given.folder / "reports"
        known = sorted(path.parent.name for path in reports.glob("*/verdicts.csv"))
        if not known:
            raise InputError(f"no run in {reports} has verdicts: name a run whose claims were judged, below --root.")
        path = reports / pick(given.run, known, "run whose claims were judged (--run)") / "verdicts.csv"
    elif given.verdicts is None:
        return None
    else:
        path = Path(given.verdicts)
    for file in (path, path.parent / "headlines.csv"):
        if not file.is_file():
            raise InputError(f"{file} does not exist: name a run whose claims were judged, or judge them again.")
    return path


def show_claims(given: argparse.Namespace) -> None:
    """Print the claims of the paper files, which are judged by no run."""
    rows = _only(claims(given.root, given.paper), "kind", given.kind)
    counts = dict(Counter(row["kind"] for row in rows))
    if given.json:
        print_json({"claims": rows, "counts": counts})
        return
    if rows:
        print_table(rows, CLAIMED)
        print()
    total = sum(counts.values())
    words = ", ".join(f"{number} {name}" for name, number in counts.items())
    print_wrapped("", f"{total} claim{'s' if total > 1 else ''}: {words}" if total else "no claims")


def show_verdicts(headlines: list[Verdict], verdicts: list[Verdict], totals: list[Score]) -> None:
    """Print headlines, then claims, then the score of each table and figure. Claims are not added up over papers."""
    if headlines:
        print_table([_shown(row) for row in headlines], HEADLINES)
        words = ", ".join(f"{number} {verdict}" for verdict, number in count(headlines).items() if number)
        print()
        print_wrapped("", f"{len(headlines)} headline{'s' if len(headlines) != 1 else ''}: {words}")
    if verdicts:
        print()
        print_table([_shown(row) for row in verdicts], JUDGED)
    if totals:
        print()
        print_table([_score(score) for score in totals], ("place", "holding", "cells", "apart"))
    if not (headlines or verdicts):
        print("no claims")
    if any(row["reading"] != COUNTED for row in verdicts):
        print()
        print_wrapped("", f"Only the reading {COUNTED!r} is counted, without claims that stand apart (column stands).")


def markdown(headlines: list[Verdict], root: Path) -> str:
    """Return headlines as a table in Markdown, with papers by their short names. root: the folder of the Snakefile."""
    papers = read_papers(root)
    notes = [[row["limits"], *(label.words for label in flag_labels(row["flags"]))] for row in headlines]
    cells = [
        [
            Markdown.text(papers[row["paper"]].short if row["paper"] in papers else row["paper"]),
            Markdown.text(f"{row['says']} ({row['place']})"),
            Markdown.bold(row["verdict"]),
            Markdown.text("; ".join(filter(None, known))),
        ]
        for row, known in zip(headlines, notes, strict=True)
    ]
    return Markdown.table(("paper", "headline", "verdict", "limits, and what to know"), "llll", cells)


def _score(score: Score) -> dict[str, object]:
    return {
        **{"paper": score.paper, "place": score.place, "holding": score.holding, "cells": score.cells},
        **{"apart": score.apart, "counts": score.counts},
    }


def _shown(row: Verdict) -> Verdict:
    """Return a row with its flags as labels, and with numbers in the unit that its quantity names."""
    numbers = {name: of(str(row[name]), row) for name in ("measured", "published") if row[name] is not None}
    labels = "; ".join(label.words for label in flag_labels(row["flags"]))
    return row | numbers | {"flags": labels, "quantity": quantity(row)}


def _only(rows: Rows, column: str, wanted: str | None) -> Rows:
    """Return the rows with the wanted value in a column; all rows if it is None."""
    if wanted is None:
        return rows
    pick(wanted, {str(row[column]) for row in rows}, f"{column} (--{column})")
    return [row for row in rows if row[column] == wanted]
