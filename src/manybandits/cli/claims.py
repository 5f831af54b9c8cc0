"""The command ``manybandits claims``: the claims of the papers, and the verdicts of a run."""

from __future__ import annotations

import argparse
from collections import Counter

from manybandits.base.exceptions import InputError, pick
from manybandits.cli.list import Rows, claims
from manybandits.cli.output import print_json, print_table
from manybandits.results.verdict_table import COUNTED, VERDICTS, count, counted, load_verdicts

JUDGED = ("claim", "reading", "verdict", "kind", "place", "quantity", "measured", "published", "n", "limits", "says")
CLAIMED = ("claim", "kind", "place", "says")


def run(given: argparse.Namespace) -> None:
    """Print the verdicts of the given run or file, or the claims of the paper files."""
    path = given.root / "reports" / given.run / "verdicts.csv" if given.run else given.verdicts
    if path is None and given.verdict:
        raise InputError("--verdict needs verdicts: give a run by --run, or a file by --verdicts.")
    rows: Rows = claims(given.root) if path is None else load_verdicts(path)
    rows = _only(_only(rows, "paper", given.paper), "kind", given.kind)
    if given.verdict:
        rows = [row for row in rows if row["verdict"] == pick(given.verdict, VERDICTS, "verdict (--verdict)")]
    counts = count(counted(rows)) if path else dict(Counter(row["kind"] for row in rows))
    if given.json:
        print_json({"claims" if path is None else "verdicts": rows, "counts": counts})
        return
    if rows:
        print_table(rows, CLAIMED if path is None else JUDGED)
        print()
    total = sum(counts.values())
    print(
        f"{total} claims: " + ", ".join(f"{number} {name}" for name, number in counts.items()) if total else "no claims"
    )
    if path is not None and any(row["reading"] != COUNTED for row in rows):
        print(f"Only the reading {COUNTED!r} is counted.")


def _only(rows: Rows, column: str, wanted: str | None) -> Rows:
    """Return the rows with the wanted value in a column; all rows if it is None."""
    if wanted is None:
        return rows
    pick(wanted, {str(row[column]) for row in rows}, f"{column} (--{column})")
    return [row for row in rows if row[column] == wanted]
