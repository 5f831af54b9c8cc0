"""Runs side by side: `compare` tabulates final regrets with paired tests, `plot` draws regret against rounds."""

from __future__ import annotations

import functools
import html
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from manybandits.base.exceptions import InputError, pick
from manybandits.interface.runs import Runs
from manybandits.results.display_names import algorithm_name
from manybandits.results.runs import Run
from manybandits.results.summaries import BANDS, check_rounds

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, repr=False)
class Comparison:
    """Final regrets side by side, see `compare`.

    Attributes
    ----------
    table : one row per game and algorithm, the lowest mean final regret first: environment, data, algorithm, variant,
        regret, std, low and high (95 % interval of the mean), n, lost, regret_per_round, clusters, size, recovered,
        reached, mark, options, flags.
    note : what the marks mean.
    """

    table: pd.DataFrame
    note: str

    SHOWN = ("environment", "algorithm", "mark", "regret", "std", "low", "high", "n", "lost", "options")

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.table)

    def _shown(self) -> pd.DataFrame:
        return self.table[list(self.SHOWN)].assign(algorithm=self.table["algorithm"].map(algorithm_name))

    def __repr__(self) -> str:
        """Return the table as text, with the note below it."""
        return f"{self._shown().to_string(index=False, float_format='{:.1f}'.format)}\n\n{self.note}"

    def _repr_html_(self) -> str:
        """Return the table for a notebook."""
        table = self._shown().to_html(index=False, float_format="{:.1f}".format)
        return f"{table}<p>{html.escape(self.note)}</p>"


def compare(*runs: Runs) -> Comparison:
    """Compare the final regrets of several runs, as ``manybandits compare`` does.

    Algorithms on one game played the same rounds and are compared in pairs: the mark = is not significantly different
    from the best one (Wilcoxon test, Holm's correction, 5 %). Raises InputError if there are no runs, if two of them
    have the same title or numbers of rounds that differ, or if different games have the same name.
    """
    from manybandits.tables.regret import note, summarise

    panels = _panels(runs)
    check_rounds(panels)
    table = summarise(panels)
    return Comparison(table, note(table).replace("Bold:", "best:"))


def plot(
    *runs: Runs,
    title: str = "",
    band: str = "interval",
    measure: str = "regret",
    relative: str | None = None,
    scale: str = "linear",
) -> Figure:
    """Draw regret or reward against rounds, one panel per game, and return the figure of Matplotlib.

    Parameters
    ----------
    title : above the figure; by default what is drawn.
    band : "interval", the mean with its 95 % bootstrap interval, or "std", the mean and the standard deviation.
    measure : "regret", "reward", or "mean", the mean reward of the rounds so far.
    relative : title of the runs whose value is 1.
    scale : of the values, "linear" or "log".

    ``figure.savefig("regret.png")`` writes it. Raises InputError as `compare` does, or for an unknown word.
    """
    import matplotlib as mpl
    from matplotlib.ticker import AutoLocator

    from manybandits.figures.canvas import Words
    from manybandits.figures.caption import reading_help, subtitle
    from manybandits.figures.regret import HOW, MEASURES, figure_of

    pick(band, BANDS, "band")
    pick(measure, MEASURES, "measure")
    pick(scale, ("linear", "log"), "scale")
    panels = _panels(runs)
    if relative is not None:
        pick(relative, {one.title for one in runs}, "title of runs")
    heading = title or f"{MEASURES[measure][0].capitalize()} of {_listed([algorithm_name(one.title) for one in runs])}"
    with mpl.rc_context():
        words = Words(heading, subtitle("", panels, band), reading_help(panels, HOW if len(runs) > 1 else ""))
        figure, _ = figure_of(panels, words, band, relative, scale, measure)
        for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
            # How many numbers it has is decided by the size of its labels when it is drawn, outside of this context.
            if isinstance(axis.get_major_locator(), AutoLocator):
                axis.set_tick_params(labelsize=mpl.rcParams["font.size"])
    figure._repr_png_ = functools.partial(_png, figure)  # type: ignore[attr-defined]  # notebooks show it by this method
    return figure


def _png(figure: Figure) -> bytes:
    """Return a figure as the bytes of a PNG."""
    file = io.BytesIO()
    figure.savefig(file, format="png")
    return file.getvalue()


def _panels(runs: Sequence[Runs]) -> list[list[Run]]:
    """Return runs by game, in the order given; raise InputError if they cannot be told apart."""
    if not runs:
        raise InputError("there are no runs to compare: give those that `play` or `read_runs` returned.")
    panels: dict[str, list[Runs]] = {}
    for one in runs:
        if not isinstance(one, Runs):
            raise InputError(f"{one!r} is not the result of `play`: give runs, and read a file by `read_runs`.")
        panels.setdefault(one.game, []).append(one)
    for game, here in panels.items():
        titles = [one.title for one in here]
        if twice := [title for title in titles if titles.count(title) > 1]:
            raise InputError(f"two of the runs on {game} are called {twice[0]!r}: give one of them a title in `play`.")
        if len({one.played_on for one in here} - {""}) > 1:
            raise InputError(f"two different games are called {game!r}, so their regrets cannot be compared.")
    return [[one.run for one in here] for here in panels.values()]


def _listed(names: Sequence[str]) -> str:
    """Return names as a list in words."""
    different = list(dict.fromkeys(names))
    return different[0] if len(different) == 1 else f"{', '.join(different[:-1])} and {different[-1]}"
