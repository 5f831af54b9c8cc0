"""Stories and findings as a site tells them: a sentence is told where the run shows what it rests on, and else not."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from manybandits.claims.reasons import Unsaid, said
from manybandits.papers.story import SHARED, Finding, Sentence
from manybandits.report.inputs import ReportedFigure
from manybandits.report.report import Report

SENTENCES = re.compile(r"(?<=[\w)%])\.\s+(?=[A-Z])")
"""Where one sentence ends and the next begins."""


@dataclass(frozen=True)
class Told:
    """A sentence with its numbers. place: where its target is shown, from the root; title: "" but for a finding.

    short: the target in words, such as Figure 2.
    """

    says: str
    target: str
    place: str
    short: str
    figure: ReportedFigure | None
    title: str = ""

    @property
    def first(self) -> str:
        """Its first sentence, which says what the others give the numbers of."""
        return f"{re.split(SENTENCES, self.says, maxsplit=1)[0].rstrip('.')}."


def tell(report: Report, sentences: Iterable[Sentence], where: str) -> list[Told]:
    """Return the sentences that hold for a run, in their order.

    A sentence is left out if a target that it rests on is not part of the run, or was made on stand-in data alone, or
    if its own numbers contradict it. Raises InputError naming a column or row that a number cannot be read from.
    """
    folders = {one.name: one.stem.parent for one in report.tables}
    figures = {figure.name: figure for figure in report.all_figures}
    replaced = _on_stand_ins(report)
    found = []
    for sentence in sentences:
        target = sentence.target
        if target not in folders or replaced & set(sentence.tables):
            continue
        try:
            text = said(sentence, folders[target], where, report.readings_of)
        except Unsaid:
            continue
        title = sentence.title if isinstance(sentence, Finding) else ""
        place = f"{target}.html" if target in SHARED else report.place_of(target)
        found.append(Told(text, target, place, report.short_place(target), figures.get(target), title))
    return found


def _on_stand_ins(report: Report) -> set[str]:
    """Return the targets that were made on stand-in data, the league if all of its games are."""
    found = {one.name for one in (*report.tables, *report.figures) if one.stand_in}
    if report.league and all(row["stand_in"] == "True" for row in report.league.rows):
        found.add(report.league.name)
    return found
