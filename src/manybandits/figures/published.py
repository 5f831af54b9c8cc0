"""The numbers that a paper publishes, as hollow diamonds in figures: those of claims about single values."""

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
NONE = "No number that the paper states is a mark in this picture."
PER_ROUND = "_per_round"


@dataclass(frozen=True)
class Published:
    """A number that the paper states. game, title: of the run; round: after which; point: of the grid, or empty."""

    game: str
    title: str
    point: str
    round: int
    value: float


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
        found.append(Published(*key, _point(of), after, one.published * times))
    return list(dict.fromkeys(found))


def _point(selection: Selection) -> str:
    """Return the grid point that is selected, as run tables name it; "" for the one that tuning chose."""
    given = selection.options
    return "" if any(isinstance(value, list) for value in given.values()) else describe(given)


def draw_diamonds(axes: Axes, places: Sequence[float], values: Sequence[float], color: str, **how: Any) -> None:
    """Draw published numbers as hollow diamonds at some places of the horizontal axis."""
    if len(values):
        axes.plot(
            *(places, values),
            **{"linestyle": "", "marker": "D", "markersize": 6, "markerfacecolor": "white", "zorder": 5, **how},
            markeredgecolor=color,
            markeredgewidth=1.3,
        )


def make_room(axes: Axes, value: float) -> None:
    """Let a published number lie inside its panel: below, it would be taken for one of the next panel."""
    low, high = axes.get_ylim()
    room = 0.05 * (high - low)
    if value < low:
        axes.set_ylim(bottom=value - room if axes.get_yscale() == "linear" else 0.9 * value)
    elif value > high:
        axes.set_ylim(top=value + room)
