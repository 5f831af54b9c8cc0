"""The command ``manybandits claims``: the claims of the papers, or with a run the verdicts on them."""

from __future__ import annotations

import argparse
from collections import Counter

from manybandits.base.exceptions import InputError, pick
from manybandits.base.printing import print_json, print_table, print_wrapped
from manybandits.cli.list import claims

COLUMNS = ("claim", "kind", "place", "says")


def run(args: argparse.Namespace) -> None:
    """Print the verdicts of the given run or file, or the claims of the paper files."""
    if args.run or args.verdicts:
        from manybandits.cli import verdicts  # imports pandas

        verdicts.show(args, verdicts.path_of(args))
        return
    for option in ("answer", "word", "headlines", "markdown"):
        if getattr(args, option):
            raise InputError(f"--{option} needs verdicts: give a run by --run, or a file by --verdicts.")
    rows = claims(args.root, args.paper)
    if args.kind:
        pick(args.kind, {str(row["kind"]) for row in rows}, "kind (--kind)")
        rows = [row for row in rows if row["kind"] == args.kind]
    counts = dict(Counter(str(row["kind"]) for row in rows))
    if args.json:
        print_json({"claims": rows, "counts": counts})
        return
    if rows:
        print_table(rows, COLUMNS)
        print()
    total = sum(counts.values())
    words = ", ".join(f"{number} {name}" for name, number in counts.items())
    print_wrapped("", f"{total} claim{'s' if total > 1 else ''}: {words}" if total else "no claims")
