"""The command ``manybandits compare``: final regrets with paired tests, and regret against rounds."""

from __future__ import annotations

import argparse
from typing import Any

from manybandits.base.printing import print_json, print_table, print_wrapped, print_written
from manybandits.cli.given import check_read, check_written, drawn
from manybandits.figures import regret as figure
from manybandits.figures.palette import hero
from manybandits.harness.summary import effective_words
from manybandits.interface.comparison import CHANCE_NOTE, own_of, without_crowns
from manybandits.results.display_names import algorithm_name
from manybandits.results.runs import load_runs
from manybandits.results.summaries import check_rounds, flat
from manybandits.tables.regret import note, summarise

COLUMNS = ("algorithm", "mark", "regret", "std", "interval", "n", "failed", "options")
"""Those of the printed table, of which one that is empty in all rows is left out."""


def run(args: argparse.Namespace) -> None:
    """Print the table; also draw the figure if --out gives its stem."""
    check_read(args.runs, ".parquet", "run table")
    if args.out:
        check_written(args.out)
    panels = load_runs(args.runs)
    check_rounds(panels)
    table = without_crowns(summarise(panels), panels)
    if args.out:
        paths = map(str, args.runs)
        with hero(own_of(flat(panels))):
            figure.main(["--title", args.title, "--band", args.band, "--runs", *paths, "--out", str(args.out), "--png"])
    weighted = {run.title: run.facts["effective"] for run in flat(panels) if run.facts.get("effective")}
    below = note(table).replace("Bold:", "best:") + CHANCE_NOTE * ("chance" in set(table["mark"]))
    if args.json:
        found = {"rows": table.to_dict("records"), "note": below}
        print_json({**found, "effective": weighted, "written": drawn(args.out) if args.out else []})
        return
    stand_ins = {runs[0].environment["name"] for runs in panels if runs[0].environment["stand_in"]}
    for environment, rows in table.groupby("environment", sort=False):
        mark = " (stand-in data: no claim is judged on them)" if environment in stand_ins else ""
        print_wrapped("", f"{environment}: {rows['data'].iloc[0]}{mark}")
        print()
        print_table([_shown(row) for row in rows.to_dict("records")], COLUMNS)
        print()
    print_wrapped("", below)
    for run in flat(panels):
        for sentence in effective_words(run.title, run.facts.get("effective", []), int(run.rounds[-1])):
            print_wrapped("", sentence)
    if args.out:
        print_written(*drawn(args.out))


def _shown(row: dict[Any, Any]) -> dict[Any, Any]:
    """Return a row with formatted names and numbers."""
    missing = bool(row["lost"])
    return row | {
        "algorithm": algorithm_name(row["algorithm"]),
        "failed": row["lost"] or "",
        "regret": "" if missing else f"{row['regret']:.1f}",
        "std": "" if missing else f"{row['std']:.1f}",
        "interval": "" if missing else f"{row['low']:.1f} to {row['high']:.1f}",
    }
