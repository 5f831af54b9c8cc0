"""The command line that figures share: from run tables to PNG, SVG, the CSV of what is drawn, and its caption."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from manybandits.base.artifacts import Provenance
from manybandits.base.exceptions import pick
from manybandits.base.table_files import DECIMALS, save_csv, with_ending
from manybandits.figures.caption import caption
from manybandits.results.runs import Run, load_runs
from manybandits.results.summaries import BANDS, flat


def arguments(description: str) -> argparse.ArgumentParser:
    """Return a parser with the arguments that every figure of run tables takes."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--title", required=True)
    parser.add_argument("--band", default="std", help="std (default) or interval")
    parser.add_argument("--runs", type=Path, nargs="+", required=True, help="run tables")
    parser.add_argument("--out", type=Path, required=True, help="stem of the files to write")
    return parser


def write_figure(given: argparse.Namespace, draw: Callable[[list[list[Run]]], pd.DataFrame], note: str = "") -> None:
    """Draw the run tables that were given, and write the CSV of what was drawn, with its caption.

    draw: writes ``<out>.png`` and ``<out>.svg`` and returns what it drew. note: is added to the caption.
    """
    pick(given.band, BANDS, "band")
    settings = {name: value for name, value in vars(given).items() if name not in ("runs", "out")}
    provenance = Provenance(settings, tuple(given.runs))
    panels = load_runs(given.runs)
    drawn = draw(panels)
    runs = flat(panels)
    environments = [run.environment for run in runs]
    facts = {
        "caption": f"{caption(panels, given.band)} {note}".strip(),
        "data": list(dict.fromkeys(environment["data_note"] for environment in environments)),
        "stand_in": any(environment["stand_in"] for environment in environments),
        "games": {environment["name"]: environment for environment in environments},
        "runs": [played(run) for run in runs],
    }
    save_drawn(given.out, drawn, provenance, facts)


def played(run: Run) -> dict[str, Any]:
    """Return the facts about a run that are recorded with a figure."""
    return {
        "game": run.environment["name"],
        "algorithm": run.title,
        "rounds": int(run.rounds[-1]),
        "seeds": len(run.seeds),
        "chosen": run.facts["chosen"],
        "sources": run.facts.get("sources", ""),
    }


def save_drawn(stem: Path, drawn: pd.DataFrame, provenance: Provenance, facts: Mapping[str, Any]) -> None:
    """Write the CSV of what was drawn. facts: the caption, the data, and whether they replace those of the paper."""
    path = with_ending(stem, ".csv")
    save_csv(path, drawn, DECIMALS)
    provenance.save(path, facts)
