"""What figures of run tables share: from the command line to PNG, SVG, the CSV of what is drawn, and the caption."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from manybandits.base.artifacts import Provenance, save_text
from manybandits.base.exceptions import pick
from manybandits.base.statistics import summary
from manybandits.results.runs import Run, load_runs

BANDS = {"std": "mean and standard deviation", "interval": "mean and 95 % bootstrap interval of the mean"}


def centre_and_band(values: np.ndarray, band: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the mean of some runs, (n, ...), and the lower and upper end of the band, (...). band: one of `BANDS`."""
    mean, spread, low, high = summary(values)
    return (mean, mean - spread, mean + spread) if band == "std" else (mean, low, high)


def arguments(description: str) -> argparse.ArgumentParser:
    """Return the arguments that every figure takes."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--title", required=True)
    parser.add_argument("--band", default="std", help="std (default) or interval")
    parser.add_argument("--runs", type=Path, nargs="+", required=True, help="run tables")
    parser.add_argument("--out", type=Path, required=True, help="stem of the files to write")
    return parser


def write_figure(given: argparse.Namespace, draw: Callable[[list[list[Run]]], pd.DataFrame], note: str = "") -> None:
    """Draw the run tables that were given, and write what was drawn beside the figure, with its caption.

    draw: writes ``<out>.png`` and ``<out>.svg`` and returns what it drew. note: stands behind the caption.
    """
    pick(given.band, BANDS, "band")
    settings = {name: value for name, value in vars(given).items() if name not in ("runs", "out")}
    provenance = Provenance(settings, tuple(given.runs))
    panels = load_runs(given.runs)
    drawn = draw(panels)
    runs = [run for panel in panels for run in panel]
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
    """Return what a figure says of a run that it was made from."""
    return {
        "game": run.environment["name"],
        "algorithm": run.title,
        "rounds": int(run.rounds[-1]),
        "seeds": len(run.seeds),
        "chosen": run.facts["chosen"],
        "sources": run.facts.get("sources", ""),
    }


def save_drawn(stem: Path, drawn: pd.DataFrame, provenance: Provenance, facts: Mapping[str, Any]) -> None:
    """Write what was drawn beside the figure. facts: its caption, its data, and whether they stand in for others."""
    path = stem.with_name(stem.name + ".csv")
    save_text(path, drawn.round(6).to_csv(index=False, lineterminator="\n"))
    provenance.save(path, facts)


def caption(panels: Sequence[Sequence[Run]], band: str) -> str:
    """Say what the band is, over how many runs, and how the options were chosen."""
    runs = list({run.path: run for panel in panels for run in panel}.values())
    counts = sorted({len(run.seeds) for run in runs})
    over = " or ".join(map(str, counts))
    chosen = sorted({run.settings["tuning"] for run in runs if run.varied})
    how = {
        "tuning-seeds": "options chosen on other seeds than those shown",
        "best-of-grid": "the best grid point on the seeds shown",
    }
    words = ("; ".join(how[rule] for rule in chosen) or "no option was tuned") + lost_words(runs)
    return f"{BANDS[band]} over {over} runs on common rounds; {words}."


def lost_words(runs: Sequence[Run]) -> str:
    """Say of which algorithms how many replicas have no numbers at the end, if there are any."""
    lost = [
        f"{run.lost} of {len(run.seeds)} runs of {run.title} on {run.environment['name']}" for run in runs if run.lost
    ]
    return f"; lost, because they diverged or their log ended: {', '.join(lost)}" if lost else ""
