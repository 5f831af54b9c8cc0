"""The front page: the answer in a sentence and a matrix, a card for each paper, findings, and what was run.

README.md says the same of a run, between its markers: the matrix as a picture, the answer, and the findings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from manybandits.claims.verdict import HeadlineVerdict, Word
from manybandits.report import matrix
from manybandits.report.addresses import PICTURES
from manybandits.report.inputs import ReportedFigure, ReportedPaper, packages_of
from manybandits.report.report import Report
from manybandits.report.stories import Told, tell

COMMITTED = "paper-scale"
"""The run whose results are committed."""


def front_content(report: Report) -> dict[str, Any]:
    """Return what the front page shows."""
    committed = report.folder.parent / COMMITTED / "headlines.csv"
    return {
        "answer": matrix.sentence(report.headlines),
        "demonstration": is_demonstration(report),
        "committed": report.link(committed) if committed.is_file() else "",
        "judged": sum(one.answer.is_judged for one in report.all_headlines),
        "cards": [card_of(report, paper, report.headlines[paper.key]) for paper in report.papers],
        "findings": tell(report, report.findings, "finding"),
        "run": run_of(report),
    }


def is_demonstration(report: Report) -> bool:
    """Return whether some paper has figures on stand-in data only, as in the quickstart."""
    return any(paper.figures and all(one.stand_in for one in paper.figures) for paper in report.papers)


def card_of(report: Report, paper: ReportedPaper, headlines: Sequence[HeadlineVerdict]) -> dict[str, Any]:
    """Return what the card of a paper shows.

    deciding: choice -> (question, the headlines that depend on it or are turned by it alone, in short), those of most
    headlines first. together: the headlines that depend on the set-up, and on no single choice. played: how many
    headlines have set-ups.
    """
    choices: dict[str, list[str]] = {}
    together = []
    for one in headlines:
        keys = turning_choices(one)
        for key in keys:
            choices.setdefault(key, []).append(matrix.short(one))
        together += [matrix.short(one)] if one.word is Word.DEPENDS and not keys else []
    asked = {key: opening.asks for key, opening in paper.content.openings.items()}
    return {
        "paper": paper,
        "story": tell(report, paper.content.story, f"{paper.key}, sentence of the story"),
        "counts": matrix.in_words(headlines),
        "figure": main_figure(report, paper),
        "deciding": {key: (asked[key], choices[key]) for key in sorted(choices, key=lambda key: -len(choices[key]))},
        "together": together,
        "played": sum(one.setups is not None for one in headlines),
    }


def turning_choices(one: HeadlineVerdict) -> list[str]:
    """Return the open choices that explain a headline that depends on the set-up, and the one that turns any alone."""
    if not one.setups or one.setups.earlier:
        return []
    explaining = one.setups.questions if one.word is Word.DEPENDS else []
    alone = one.setups.changes if len(one.setups.changes) == 1 else {}
    return list(dict.fromkeys([*explaining, *alone]))


def main_figure(report: Report, paper: ReportedPaper) -> ReportedFigure | None:
    """Return the figure of the first headline that has one, else the first of the paper; None if none was made."""
    drawn = {figure.name: figure for figure in paper.figures}
    targets = (report.decisive(one).target for one in report.headlines[paper.key])
    wanted = (drawn[target] for target in targets if target in drawn)
    return next(wanted, next(iter(paper.figures), None))


def run_of(report: Report) -> dict[str, Any]:
    """Return what was run as a whole: hours of one core, machines, devices, memory in GiB and versions of packages."""
    costs: Sequence[Mapping[str, str]] = report.cost_rows()
    every = [one.made for one in (*report.all_figures, *report.tables)]
    made = [one for one in every if "machine" in one["made_on"]]  # of committed measurements only the cost is known
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


def readme_block(report: Report, answer: str, findings: Sequence[Told]) -> str:
    """Return the lines of README.md about a run, with links from the root of the checkout. answer: in one sentence."""
    place = f"reports/{report.folder.name}"
    picture = "\n".join(
        [
            "<picture>",
            f'  <source media="(prefers-color-scheme: dark)" srcset="{place}/{PICTURES["dark"]}">',
            f'  <img alt="{escape(answer)}" src="{place}/{PICTURES["light"]}">',
            "</picture>",
        ]
    )
    told = [
        f"* **{one.title.rstrip('.')}.** {one.says} ([evidence]({place}/tables/{one.target}.md))" for one in findings
    ]
    pages = f"The verdict on every headline is in [{place}/headlines.csv]({place}/headlines.csv)."
    return "\n\n".join(filter(None, (picture, answer, "\n".join(told), pages))) + "\n"
