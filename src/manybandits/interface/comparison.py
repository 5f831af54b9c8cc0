"""Runs side by side: `compare` tabulates final regrets with paired tests, `plot` draws regret against rounds."""

from __future__ import annotations

import functools
import html
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from manybandits.base.exceptions import InputError, pick
from manybandits.base.statistics import wilcoxon
from manybandits.interface.runs import Runs
from manybandits.results.display_names import RANDOM, algorithm_name
from manybandits.results.runs import Run
from manybandits.results.summaries import check_rounds, thinned

if TYPE_CHECKING:
    from matplotlib.figure import Figure


SEEDS = 6
"""The fewest common seeds with which a Wilcoxon test can find a difference at 5 %."""
CHANCE_NOTE = " chance: not better than Random."


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

    SHOWN = ("environment", "algorithm", "mark", "regret", "std", "low", "high", "n", "failed", "options")

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.table)

    def _shown(self) -> pd.DataFrame:
        named = self.table.assign(algorithm=self.table["algorithm"].map(algorithm_name), failed=self.table["lost"])
        return named[[name for name in self.SHOWN if name != "failed" or named["failed"].any()]]

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
    from the best one (Wilcoxon test, Holm's correction, 5 %). If Random is among them, those that are not better than
    it have the mark chance, and are never the best. Raises InputError if there are no runs, if two of them
    have the same title or numbers of rounds that differ, or if different games have the same name.
    """
    from manybandits.tables.regret import note, summarise

    panels = _panels(runs)
    check_rounds(panels)
    table = without_crowns(summarise(panels), panels)
    return Comparison(table, note(table).replace("Bold:", "best:") + CHANCE_NOTE * ("chance" in set(table["mark"])))


def own_of(runs: Sequence[Run]) -> str:
    """Return the title of the first runs of a policy of one's own, a Python object or a file; empty if there are none.

    Policies of other libraries, made by `manybandits.interface.adapters`, are no one's own.
    """
    from manybandits.harness.objects import PlainAlgorithm  # here, because it imports numba
    from manybandits.interface import adapters

    for run in runs:
        name = str(run.settings["algorithm"])
        adapted = name.endswith(tuple(f"({library})" for library in adapters.__all__))
        if name.endswith(".py") or (run.settings.get("reference") == PlainAlgorithm.REFERENCE and not adapted):
            return run.title
    return ""


def without_crowns(table: pd.DataFrame, panels: Sequence[Sequence[Run]]) -> pd.DataFrame:
    """Return a table of `summarise` in which runs at chance have the mark "chance", and none of them is the best.

    Where Random is compared on a game, a run is at chance if its mean regret is not below Random's, or if a Wilcoxon
    test on common seeds finds no difference at 5 % although there are enough seeds to find one; not if a replica of
    either was lost. Random itself is marked where it was the best one, or =.
    """
    marks = table["mark"].copy()
    for runs in panels:
        for random in (run for run in runs if run.title == RANDOM):
            for run in runs:
                row = (table["environment"] == run.environment["name"]) & (table["algorithm"] == run.title)
                if (marks[row] != "").any() if run is random else _at_chance(run, random):
                    marks[row] = "chance"
    return table.assign(mark=marks)


def _at_chance(run: Run, random: Run) -> bool:
    """Return whether a run is not better than Random, see `without_crowns`."""
    _, here, there = np.intersect1d(run.seeds, random.seeds, return_indices=True)
    own, chance = run.regret[here, -1], random.regret[there, -1]
    if not len(own) or not (np.isfinite(own) & np.isfinite(chance)).all():
        return False  # of a run that was lost nothing is known
    return bool(own.mean() >= chance.mean() or (len(own) >= SEEDS and wilcoxon(own, chance) >= 0.05))


def plot(
    *runs: Runs,
    title: str = "",
    band: str = "interval",
    measure: str = "regret",
    relative: str | None = None,
    scale: str = "linear",
    hero: str | None = None,
) -> Figure:
    """Draw regret or reward against rounds, one panel per game, and return the figure of Matplotlib.

    Parameters
    ----------
    title : above the figure; by default what is drawn.
    band : "interval", the mean with its 95 % bootstrap interval, or "std", the mean and the standard deviation.
    measure : "regret", "reward", or "mean", the mean reward of the rounds so far.
    relative : title of the runs whose value is 1.
    scale : of the values, "linear" or "log".
    hero : title of the runs that are red, first, and the reference of ratios; by default those of the first policy of
        one's own, a Python object or a file. Without one, the methods of the papers are red.

    ``figure.savefig("regret.png")`` writes it. Raises InputError as `compare` does, or for an unknown word.
    """
    import matplotlib as mpl

    from manybandits.figures import palette
    from manybandits.figures.canvas import Words
    from manybandits.figures.caption import reading_help, subtitle
    from manybandits.figures.kind import facts_of
    from manybandits.figures.outcomes import listed
    from manybandits.figures.regret import HOW, KIND, MEASURES, figure_of, finals_of, summarise

    settings = {"band": band, "measure": measure, "relative": relative, "scale": scale}
    KIND.check(settings)
    panels = _panels(runs)
    for title_of in (relative, hero):
        if title_of is not None:
            pick(title_of, {one.title for one in runs}, "title of runs")
    names = list(dict.fromkeys(algorithm_name(one.title) for one in runs))
    heading = title or f"{MEASURES[measure][0].capitalize()} of {listed(names)}"
    with mpl.rc_context(), palette.hero(own_of([one.run for one in runs]) if hero is None else hero):
        words = Words(heading, subtitle("", panels, band), reading_help(panels, HOW if len(runs) > 1 else ""))
        facts = {**facts_of(panels), "finals": finals_of(panels, measure)}
        drawn = thinned(summarise(panels, band, relative, measure))
        figure = figure_of(drawn, words, settings, facts)
    # pyrefly: ignore[missing-attribute]
    figure._repr_png_ = functools.partial(_png, figure)  # notebooks show it by this method
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
            raise InputError(
                f"two different games are called {game!r}, so their regrets cannot be compared: play all on one game, "
                "or compare the runs of one game at a time."
            )
    return [[one.run for one in here] for here in panels.values()]
