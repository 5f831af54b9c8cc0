"""The command ``manybandits readings``: how headlines depend on what their paper leaves open, and what if."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from manybandits.base.artifacts import save_text
from manybandits.base.exceptions import InputError
from manybandits.base.printing import print_json, print_table
from manybandits.claims.readings import read_setups
from manybandits.claims.sentences import setups_sentence
from manybandits.cli.given import assigned
from manybandits.cli.jobs import run_workflow
from manybandits.papers.files import OPEN, Paper, read_papers
from manybandits.papers.openings import name_of, reading_of, touching
from manybandits.planning.configuration import load_configuration
from manybandits.results.readings_table import SUMMARIES, files_of, headlines_in, read_readings

CONFIG = "configs/readings.yaml"
WHAT_IF = "what-if"
"""The name of the run that plays a reading which is not among those of the report."""
SUMMARY = ("headline", "answer", "readings", "says")
FOUND = ("headline", "as_written", "answer", "effect", "quantity", "reading")
NOT_PLAYED = "not played: add --play"


def run(args: argparse.Namespace) -> None:
    """Print how headlines depend on their readings, or the answers on them under one reading."""
    if args.answers and not args.paper:
        raise InputError("--set needs a paper, such as m_cnb: each paper leaves other questions open.")
    papers = read_papers(args.root, args.paper)
    for paper in papers.values() if args.paper else ():
        if not paper.openings:
            raise InputError(
                f"{args.paper} leaves nothing open: there is no {paper.folder}/{OPEN} with choices; name another."
            )
    if args.answers:
        (paper,) = papers.values()
        rows = _what_if(args, paper, assigned(args.answers, "--set", "learners=served"))
    else:
        rows = _summaries(papers, args.folder / "reports" / args.run)
    if args.json:
        print_json({"readings": rows})
    else:
        print_table([_in_per_cent(row) for row in rows] if args.answers else rows, FOUND if args.answers else SUMMARY)


def _summaries(papers: Mapping[str, Paper], folder: Path) -> list[dict[str, Any]]:
    """Return one row per headline: its answer as written, and in how many readings it holds."""
    if not (folder / SUMMARIES).is_file():
        raise InputError(
            f"{folder} has no readings: play them with `manybandits reproduce all --config readings`, name a run that "
            "has some by --run, or play a single one with --set and --play."
        )
    listed, rows = headlines_in(folder), []
    for name, paper in papers.items():
        for key, headline in paper.headlines.items():
            answer, said = "", "no choice of the text touches it"
            if f"{name}.{key}" in listed:
                table, setups = read_setups(folder, f"{name}.{key}")
                answer, said = str(table["answer"].iloc[0]), setups_sentence(setups)
            elif touching(paper.openings, key):
                said = f"not part of {folder}"
            rows.append({"headline": f"{name}.{key}", "answer": answer, "readings": said, "says": headline.says})
    return rows


def _what_if(args: argparse.Namespace, paper: Paper, answers: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the answers on the headlines of a paper under one reading, played if it must be and may be."""
    folder, rows = args.folder / "reports" / args.run, []
    found = {key: _row(folder, paper, key, answers) for key in paper.headlines if touching(paper.openings, key)}
    missing = [key for key, row in found.items() if row is None]
    if missing and args.play:
        _play(args, paper, missing, answers)
        folder = args.folder / "reports" / WHAT_IF
        found |= {key: _row(folder, paper, key, answers) for key in missing}
    for key, row in found.items():
        reading = name_of(reading_of(paper.openings, key, answers))
        shown = row or {"as_written": "", "answer": NOT_PLAYED, "effect": None, "quantity": ""}
        rows.append({**shown, "headline": f"{paper.name}.{key}", "reading": reading})
    return rows


def _row(folder: Path, paper: Paper, headline: str, answers: Mapping[str, str]) -> dict[str, Any] | None:
    """Return what a report says of one reading of a headline; None if it is not among its readings."""
    path, _ = files_of(folder, f"{paper.name}.{headline}")
    if not path.is_file():
        return None
    table = read_readings(path)
    found = table[table["reading"] == name_of(reading_of(paper.openings, headline, answers))]
    if found.empty:
        return None
    row = found.iloc[0]
    effect = None if pd.isna(row["effect"]) else float(row["effect"])
    shown = {name: str(row[name]) for name in ("answer", "quantity", "limits")}
    return {**shown, "effect": effect, "as_written": str(table["answer"].iloc[0])}


def _in_per_cent(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a row with its effect in per cent, if its quantity says so: tables of readings have shares."""
    if row["effect"] is None or "in %" not in row["quantity"]:
        return row
    return {**row, "effect": f"{100 * row['effect']:.4g} %"}


def _play(args: argparse.Namespace, paper: Paper, headlines: list[str], answers: Mapping[str, str]) -> None:
    """Play and judge one reading beside the default, in the scope of the readings of the report."""
    content = load_configuration(args.root, [args.root / CONFIG])
    names = [f"{paper.name}.{key}" for key in headlines]
    scopes = {name: {**content["readings"].get(name, {}), "only": [dict(answers)]} for name in names}
    path = args.folder / "artifacts" / WHAT_IF / "config.yaml"
    content |= {"name": WHAT_IF, "papers": [args.paper], "readings": scopes}
    save_text(path, yaml.safe_dump(content, sort_keys=False))
    targets = [f"reports/{WHAT_IF}/readings/{paper.name}_{key}.csv" for key in headlines]
    run_workflow(args.root, args.folder, targets, path, args.cores, "the reading could not be played")
