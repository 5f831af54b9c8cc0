"""The command line that figures share: from run tables to SVG, the CSV of what is drawn, and its words."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from manybandits.base.artifacts import Provenance
from manybandits.base.exceptions import pick
from manybandits.base.table_files import DECIMALS, save_csv, with_ending
from manybandits.figures.canvas import Words
from manybandits.figures.caption import caption, reading_help, subtitle
from manybandits.figures.message import load_measured, message
from manybandits.figures.outcomes import short_names
from manybandits.figures.published import Published, marks_words, published
from manybandits.papers.claim import Claim
from manybandits.results.runs import Run, load_runs
from manybandits.results.summaries import BANDS, flat
from manybandits.results.tuned import edges, effort, tuned_options

UNSEEN = ("seconds", "size")
"""The measures whose claims do not title a figure of regrets or rewards."""


@dataclass(frozen=True)
class Made:
    """What a figure is drawn from: the runs, game by game, the words around it, and the published numbers in it."""

    panels: list[list[Run]]
    words: Words
    marks: Sequence[Published]


def arguments(description: str) -> argparse.ArgumentParser:
    """Return a parser with the arguments that every figure of run tables takes."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--title", required=True, help="what is drawn: the paper, the place and the experiment")
    add_verdicts(parser)
    parser.add_argument("--band", default="std", help="std (default) or interval")
    parser.add_argument("--runs", type=Path, nargs="+", required=True, help="run tables")
    parser.add_argument("--out", type=Path, required=True, help="stem of the files to write")
    return parser


def add_verdicts(parser: argparse.ArgumentParser) -> None:
    """Add the argument with the verdicts on the claims about a figure, which say what it shows."""
    parser.add_argument("--verdicts", type=Path, help="verdicts on the claims about the figure, which title it")


def write_figure(
    given: argparse.Namespace,
    draw: Callable[[Made], pd.DataFrame],
    note: str = "",
    measures: Collection[str] = (),
    seen: Callable[[list[list[Run]]], str] | None = None,
    tuned: bool = True,
    told: Callable[[list[list[Run]]], str] | None = None,
    axis: str = "",
) -> None:
    """Draw the run tables that were given, and write the CSV of what was drawn, with the words around the figure.

    draw: writes ``<out>.svg`` and returns what it drew. note: is added to the caption. measures:
    those whose published numbers are in the figure. seen: says what runs show, for a figure without a judged claim.
    tuned: see `reading_help`; told: says more of the runs, for the caption; axis: the setting that is swept, if one is.
    """
    pick(given.band, BANDS, "band")
    settings = {name: value for name, value in vars(given).items() if name not in ("runs", "out", "verdicts", "png")}
    provenance = Provenance(settings, (*given.runs, *([given.verdicts] if given.verdicts else [])))
    panels = load_runs(given.runs)
    verdicts = load_measured(given.verdicts)
    marks = published(verdicts, panels, measures)
    about = [one for one in verdicts if _is_seen(one.claim, measures, axis)]
    title = message(about, place_of(given.title), short_names(panels)) or (seen(panels) if seen else "")
    stated = marks_words(marks) if measures and given.verdicts else ""
    notes = note, stated, told(panels) if told else ""
    words = Words(
        title or given.title,
        subtitle(given.title if title else "", panels, given.band),
        reading_help(panels, *notes, tuned=tuned),
    )
    drawn = draw(Made(panels, words, marks))
    runs = flat(panels)
    environments = [run.environment for run in runs]
    facts = {
        "caption": caption(panels, given.band, *notes),
        "seen": title,
        "data": list(dict.fromkeys(environment["data_note"] for environment in environments)),
        "stand_in": any(environment["stand_in"] for environment in environments),
        "games": {environment["name"]: environment for environment in environments},
        "runs": [played(run) for run in runs],
    }
    save_drawn(given.out, drawn, provenance, facts)


def _is_seen(claim: Claim, measures: Collection[str], axis: str) -> bool:
    """Return whether what is claimed is drawn: no seconds beside regrets, no slope on another axis."""
    if claim.kind == "slope":
        return bool(axis) and claim.against == axis
    return not measures or claim.selection.measure in measures or claim.selection.measure not in UNSEEN


def place_of(title: str) -> str:
    """Return the paper and the place in the title of an experiment.

    >>> place_of("M-CNB, Figure 2: regret on four recommendation data sets")
    'M-CNB, Figure 2'
    """
    return title.partition(": ")[0]


def played(run: Run) -> dict[str, Any]:
    """Return the facts about a run that are recorded with a figure."""
    return {
        "game": run.environment["name"],
        "algorithm": run.title,
        "rounds": int(run.rounds[-1]),
        "seeds": len(run.seeds),
        "chosen": run.facts["chosen"],
        "tuned": tuned_options(run),
        "edges": edges(run),
        "tuning": effort(run)._asdict(),
        "sources": run.facts.get("sources", ""),
    }


def save_drawn(stem: Path, drawn: pd.DataFrame, provenance: Provenance, facts: Mapping[str, Any]) -> None:
    """Write the CSV of what was drawn. facts: the words, the data, and whether they replace those of the paper."""
    path = with_ending(stem, ".csv")
    save_csv(path, drawn, DECIMALS)
    provenance.save(path, facts)
