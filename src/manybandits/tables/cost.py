"""What every play cost: seconds, rounds per second, memory and device. Costs differ from run to run."""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from manybandits.base.artifacts import Provenance, save_text
from manybandits.base.exceptions import run_script
from manybandits.base.table_files import Markdown, save_csv, with_ending
from manybandits.results.runs import load_played


def tabulate(paths: list[Path]) -> pd.DataFrame:
    """Return one row per run table: its environment, algorithm and costs."""
    runs = [load_played(path) for path in paths]
    return pd.DataFrame(
        {
            "paper": [run.paper for run in runs],
            "environment": [run.environment["name"] for run in runs],
            "algorithm": [run.title for run in runs],
            "file": [run.settings["algorithm"] for run in runs],
            "replicas": [run.facts["replicas"] for run in runs],
            "seconds": [run.costs["play_seconds"] for run in runs],
            "rounds_per_second": [run.costs["rounds_per_second"] for run in runs],
            "agents": [run.agents for run in runs],
            # Time of one core for the decision of one agent in one round.
            "ns_per_decision": [
                round(1e9 * run.costs["threads"] / (run.costs["rounds_per_second"] * run.agents)) for run in runs
            ],
            "peak_memory_mib": [round(run.costs["peak_memory_bytes"] / 2**20) for run in runs],
            "device": [run.costs["device"] for run in runs],
            "threads": [run.costs["threads"] for run in runs],
        }
    )


def main(argv: list[str] | None = None) -> None:
    """Write the table of costs of some run tables."""
    parser = argparse.ArgumentParser(description="Tabulate what plays cost.")
    parser.add_argument("--runs", type=Path, nargs="+", required=True, help="run tables")
    parser.add_argument("--out", type=Path, required=True, help="stem of the files to write")
    args = parser.parse_args(argv)
    provenance = Provenance({"title": "What every play cost"}, tuple(args.runs))
    table = tabulate(args.runs)
    csv = with_ending(args.out, ".csv")
    save_csv(csv, table)
    rows = [[Markdown.text(cell) for cell in row] for row in table.itertuples(index=False)]
    save_text(with_ending(args.out, ".md"), Markdown.table(list(table.columns), "l" * len(table.columns), rows))
    provenance.save(
        csv,
        {"note": "Seconds are those of all replicas together; they include the drawing of rounds, but not compiling."},
    )


if __name__ == "__main__":
    run_script(main)
