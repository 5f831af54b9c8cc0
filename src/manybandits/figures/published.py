"""The numbers that a paper publishes, as hollow marks in figures: those of claims about single values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from manybandits.claims.verdict import Verdict
from manybandits.papers.claim import Selection
from manybandits.results.run_table import describe
from manybandits.results.runs import Run
from manybandits.results.summaries import flat

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHOWN = "Hollow diamonds are the numbers that the paper states."
QUOTED = "Hollow squares are the numbers of {}."
NONE = "No number that the paper states is a mark in this picture."
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
    """Return what the published numbers in a figure are, as sentences."""
    sources = dict.fromkeys(mark.source for mark in marks)
    quoted = [source for source in sources if source]
    told = [SHOWN] if "" in sources else []
    return " ".join([*told, *([QUOTED.format(" and ".join(quoted))] if quoted else [])]) or NONE


def draw_mark(axes: Axes, mark: Published, x: float, y: float, color: str, clip_on: bool = True) -> None:
    """Draw a published number at a place: as a hollow diamond, or as a hollow square if it is quoted."""
    shape: dict[str, Any] = {"linestyle": "", "marker": "s" if mark.source else "D", "markersize": 6, "zorder": 5}
    axes.plot([x], [y], markerfacecolor="white", markeredgecolor=color, markeredgewidth=1.3, clip_on=clip_on, **shape)


def make_room(axes: Axes, value: float) -> None:
    """Let a published number lie inside its panel: below, it would be taken for one of the next panel."""
    low, high = axes.get_ylim()
    room = 0.05 * (high - low)
    if value < low:
        axes.set_ylim(bottom=value - room if axes.get_yscale() == "linear" else 0.9 * value)
    elif value > high:
        axes.set_ylim(top=value + room)
