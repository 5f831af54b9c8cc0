"""The numbers that a paper publishes, as hollow marks in figures: those of claims about single values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from manybandits.claims.verdict import Verdict
from manybandits.papers.claim import Selection
from manybandits.results.run_table import describe
from manybandits.results.runs import Run
from manybandits.results.summaries import flat

SHOWN = "Hollow diamonds are the numbers that the paper states."
QUOTED = "Hollow squares are the numbers of {}."
PER_ROUND = "_per_round"


@dataclass(frozen=True)
class Published:
    """A number that the paper states. game, title: of the run; round: after which; point: of the grid, or empty.

    source: what the number is quoted from, if not from the paper.
    """

    game: str
    title: str
    point: str
    round: int
    value: float
    source: str = ""


def published(
    verdicts: Iterable[Verdict], panels: Sequence[Sequence[Run]], measures: Collection[str]
) -> list[Published]:
    """Return the published numbers of the runs that a figure shows, each once.

    verdicts: those on the figure; measures: those that it shows. A number per round counts as one of all rounds.
    """
    ends = {(run.environment["name"], run.title): int(run.rounds[-1]) for run in flat(panels)}
    found = []
    for one in verdicts:
        of = one.claim.selection
        key = one.game, of.of
        shown = {of.measure, of.measure.removesuffix(PER_ROUND)} & set(measures)
        if one.claim.kind != "value" or one.published is None or key not in ends or not shown:
            continue
        after = of.at or ends[key]
        times = after if of.measure not in measures else 1
        found.append(Published(*key, _point(of), after, one.published * times, one.claim.quoted))
    return list(dict.fromkeys(found))


def _point(selection: Selection) -> str:
    """Return the grid point that is selected, as run tables name it; "" for the one that tuning chose."""
    given = selection.options
    return "" if any(isinstance(value, list) for value in given.values()) else describe(given)


def marks_words(marks: Iterable[Published]) -> str:
    """Return what the published numbers in a figure are, as sentences; none if there are none."""
    sources = dict.fromkeys(mark.source for mark in marks)
    quoted = [source for source in sources if source]
    told = [SHOWN] if "" in sources else []
    return " ".join([*told, *([QUOTED.format(" and ".join(quoted))] if quoted else [])])
