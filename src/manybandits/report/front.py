"""The front page: the answer in a sentence and a matrix, a card for each paper, findings, and what was run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from manybandits.claims.readings import WHATEVER
from manybandits.report import matrix
from manybandits.report.inputs import Figure, Paper, packages_of
from manybandits.report.matrix import Entry
from manybandits.report.report import Report
from manybandits.report.stories import tell
from manybandits.report.verdicts import Headline
from manybandits.results.verdict_table import count


def front_content(report: Report) -> dict[str, Any]:
    """Return what the front page shows."""
    answers = {paper.key: matrix.entries_of(report, paper) for paper in report.papers}
    return {
        "whatever": WHATEVER,
        "matrix": answers,
        "answer": matrix.sentence(answers),
        "outcomes": {paper: matrix.outcomes_in_words(found) for paper, found in answers.items() if found},
        "any_turning": any(entry.outcome == matrix.DEPENDING for found in answers.values() for entry in found),
        "any_released": any(entry.released for found in answers.values() for entry in found),
        "cards": [card_of(report, paper, answers[paper.key]) for paper in report.papers],
        "findings": tell(report, report.findings, "finding"),
        "run": run_of(report),
    }


def card_of(report: Report, paper: Paper, entries: Sequence[Entry]) -> dict[str, Any]:
    """Return what the card of a paper shows.

    deciding: choice -> (question, the headlines that turn on it, in short), those of most headlines first. together:
    the headlines that turn, and on no choice alone. read: how many headlines have readings.
    """
    choices: dict[str, list[str]] = {}
    together = []
    for entry in entries:
        if entry.outcome == matrix.DEPENDING and entry.readings:
            for key in entry.readings.deciding:
                choices.setdefault(key, []).append(entry.short)
            together += [] if entry.readings.deciding else [entry.short]
    asked = {key: opening.asks for key, opening in paper.content.openings.items()}
    return {
        "paper": paper,
        "story": tell(report, paper.content.story, f"{paper.key}, sentence of the story"),
        "counts": count(entry.headline.row for entry in entries),
        "figure": main_figure(paper, report.headlines[paper.key]),
        "deciding": {key: (asked[key], choices[key]) for key in sorted(choices, key=lambda key: -len(choices[key]))},
        "together": together,
        "read": sum(entry.readings is not None for entry in entries),
    }


def main_figure(paper: Paper, headlines: Sequence[Headline]) -> Figure | None:
    """Return the figure of the first headline that has one, else the first of the paper; None if none was made."""
    drawn = {figure.name: figure for figure in paper.figures}
    wanted = (drawn[headline["figure"]] for headline in headlines if headline["figure"] in drawn)
    return next(wanted, next(iter(paper.figures), None))


def run_of(report: Report) -> dict[str, Any]:
    """Return what was run as a whole: hours of one core, machines, devices, memory in GiB and versions of packages."""
    costs: Sequence[Mapping[str, str]] = report.cost_rows()
    every = [one.made for one in (*report.all_figures, *report.tables)]
    made = [one for one in every if "machine" in one["made_on"]]  # tables from a pack tell what they cost alone
    largest = max((float(row["peak_memory_mib"]) for row in costs if row["peak_memory_mib"]), default=0.0)
    return {
        "hours": hours_of(costs),
        "plays": len(costs),
        "machines": sorted({one["made_on"]["machine"] for one in made}),
        "devices": sorted({row["device"] for row in costs}),
        "threads": max((int(row["threads"]) for row in costs), default=0),
        "memory": largest / 1024,
        "packages": packages_of(made),
        "commit": report.commit,
        "command": report.command,
    }


def hours_of(costs: Sequence[Mapping[str, str]]) -> float:
    """Return the hours of one core that some plays took. costs: rows of the table of costs."""
    return sum(float(row["seconds"]) * int(row["threads"]) for row in costs) / 3600
