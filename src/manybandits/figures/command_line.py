"""The command line that figures share: from run tables to SVG, the CSV of what is drawn, and its words."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from manybandits.base.artifacts import Provenance
from manybandits.base.exceptions import pick
from manybandits.base.table_files import DECIMALS, save_csv, with_ending
from manybandits.figures.canvas import Words, save_figure
from manybandits.figures.caption import caption, reading_help, subtitle
from manybandits.figures.message import load_measured, message
from manybandits.figures.outcomes import short_names
from manybandits.figures.published import Published, marks_words, published
from manybandits.papers.claim import Claim
from manybandits.results.runs import Run, load_runs
from manybandits.results.summaries import BANDS, flat
from manybandits.results.tuned import edges, effort, tuned_options

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from manybandits.figures.drawing import FigureOf

UNSEEN = ("seconds", "size")
"""The measures whose claims do not title a figure of regrets or rewards."""


def plain_arguments(description: str) -> argparse.ArgumentParser:
    """Return a parser with the arguments that every figure takes."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--title", required=True, help="what is drawn: the paper, the place and the experiment")
    parser.add_argument("--out", type=Path, required=True, help="stem of the files to write")
    return parser


def arguments(description: str) -> argparse.ArgumentParser:
    """Return a parser with the arguments that every figure of run tables takes."""
    parser = plain_arguments(description)
    add_verdicts(parser)
    parser.add_argument("--band", default="std", help="std (default) or interval")
    parser.add_argument("--runs", type=Path, nargs="+", required=True, help="run tables")
    return parser


def add_verdicts(parser: argparse.ArgumentParser) -> None:
    """Add the argument with the verdicts on the claims about a figure, which say what it shows."""
    parser.add_argument("--verdicts", type=Path, help="verdicts on the claims about the figure, which title it")


def write_plain(
    args: argparse.Namespace,
    figure_of: Callable[[Words], Figure],
    drawn: pd.DataFrame,
    provenance: Provenance,
    facts: Mapping[str, Any],
) -> None:
    """Write a figure that is titled by what is seen, if that is known, and the CSV of what is drawn.

    figure_of: draws it with its words; facts: caption, seen, data and stand_in, and whatever else is known.
    """
    seen = facts["seen"]
    words = Words(seen or args.title, args.title if seen else "", facts["caption"])
    save_figure(figure_of(words), args.out, getattr(args, "png", False))
    save_drawn(args.out, drawn, provenance, facts)


def write_figure(
    args: argparse.Namespace,
    summarise: Callable[[list[list[Run]]], pd.DataFrame],
    figure_of: FigureOf,
    note: str = "",
    measures: Collection[str] = (),
    seen: Callable[[list[list[Run]]], str] | None = None,
    tuned: bool = True,
    told: Callable[[list[list[Run]]], str] | None = None,
    axis: str = "",
    notes: Callable[[list[list[Run]]], dict[str, str]] | None = None,
    more: Callable[[list[list[Run]]], dict[str, Any]] | None = None,
) -> None:
    """Draw the run tables that were given: SVG, CSV and facts, of which the site draws the figure as a chart.

    summarise: returns what is drawn of the runs; figure_of: draws it, given its words, settings and facts. note: is
    added to the caption. measures: those whose published numbers are in the figure. seen: says what runs show, for a
    figure without a judged claim. tuned: see `reading_help`; told: says more of the runs, for the caption; axis: the
    setting that is swept, if one is; notes: what is written into the panels, by game; more: further facts.
    """
    pick(args.band, BANDS, "band")
    settings = {name: value for name, value in vars(args).items() if name not in ("runs", "out", "verdicts", "png")}
    provenance = Provenance(settings, (*args.runs, *([args.verdicts] if args.verdicts else [])))
    panels = load_runs(args.runs)
    verdicts = load_measured(args.verdicts)
    marks = published(verdicts, panels, measures)
    about = [one for one in verdicts if _is_seen(one.claim, measures, axis)]
    title = message(about, place_of(args.title), short_names(panels)) or (seen(panels) if seen else "")
    stated = marks_words(marks)
    said = note, stated, told(panels) if told else ""
    words = Words(
        title or args.title,
        subtitle(args.title if title else "", panels, args.band),
        reading_help(panels, *said, tuned=tuned),
    )
    drawn = summarise(panels)
    facts = {
        "caption": caption(panels, args.band, *said),
        "seen": title,
        **facts_of(panels, marks),
        "notes": {game: text for game, text in (notes(panels) if notes else {}).items() if text},
        **(more(panels) if more else {}),
    }
    save_figure(figure_of(drawn, words, settings, facts), args.out, getattr(args, "png", False))
    save_drawn(args.out, drawn, provenance, facts)


def facts_of(panels: Sequence[Sequence[Run]], marks: Sequence[Published] = ()) -> dict[str, Any]:
    """Return the facts about runs that their panels are made of. marks: published numbers."""
    runs = flat(panels)
    environments = [run.environment for run in runs]
    return {
        "data": list(dict.fromkeys(environment["data_note"] for environment in environments)),
        "stand_in": any(environment["stand_in"] for environment in environments),
        "games": {environment["name"]: environment for environment in environments},
        "runs": [played(run) for run in runs],
        "published": [asdict(mark) for mark in marks],
    }


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
        "lost": run.lost,
        "varied": list(run.varied),
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
