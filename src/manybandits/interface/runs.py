"""The runs of one algorithm on one game, as pandas frames (`Runs`), and what reads them from files."""

from __future__ import annotations

import functools
import html
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from manybandits.base.artifacts import Provenance, load_facts, load_table
from manybandits.base.exceptions import InputError, nearest
from manybandits.base.project import find_root
from manybandits.results.display_names import algorithm_name
from manybandits.results.run_table import save_run
from manybandits.results.runs import MEASURED, Run, run_of
from manybandits.results.summaries import curves

_UNNAMED = itertools.count(1)


def _unnamed() -> Path:
    """Return a name for runs that are not read from a file."""
    return Path(f"play {next(_UNNAMED)}")


@dataclass(frozen=True, repr=False)
class Runs:
    """The runs of one algorithm on one game.

    Attributes
    ----------
    frame : the reported runs as a tidy frame: algorithm, game, seed, round, regret, reward and the other measures, one
        row per seed and checkpoint.
    table : the run table, one row per run and checkpoint, tuning included; `manybandits.results.run_table` documents
        its columns.
    settings : what was played: algorithm, title, horizon, seeds, grid, and the facts of the game as ``environment``.
    facts : the chosen grid point (``chosen``), diverged runs, and the digest of the code that played (``sources``).
    costs : seconds, rounds per second and threads; empty for runs read from a file.
    path : the file that the runs were read from.

    ``len(runs)`` is the number of reported seeds. ``runs[0]``, ``runs[:5]`` and ``for one in runs`` are runs of some of
    them, in the order of their seeds.
    """

    table: pd.DataFrame
    settings: dict[str, Any]
    facts: dict[str, Any]
    costs: dict[str, Any] = field(default_factory=dict)
    path: Path = field(default_factory=_unnamed)
    played_on: str = ""  # digest of the game; "" if it is not known

    @property
    def title(self) -> str:
        """The name of the runs in tables and figures."""
        return str(self.settings["title"])

    @property
    def game(self) -> str:
        """The name of the game."""
        return str(self.settings["environment"]["name"])

    @property
    def chosen(self) -> str:
        """The reported grid point, for example ``alpha=0.1 lambda=1``."""
        return str(self.facts["chosen"])

    @functools.cached_property
    def run(self) -> Run:
        """The reported runs as arrays, as all tables and figures of this package take them."""
        return run_of(self.table, {"settings": self.settings, **self.facts}, self.path)

    @property
    def frame(self) -> pd.DataFrame:
        """The reported runs as a tidy frame, one row per seed and checkpoint: see `Runs`."""
        run = self.run
        seeds, rounds = np.repeat(run.seeds, len(run.rounds)), np.tile(run.rounds, len(run.seeds))
        measures = {name: getattr(run, name).ravel() for name in MEASURED}
        return pd.DataFrame({"algorithm": self.title, "game": self.game, "seed": seeds, "round": rounds, **measures})

    def __len__(self) -> int:
        """Return the number of reported seeds."""
        return len(self.run.seeds)

    def __getitem__(self, place: int | slice) -> Runs:
        """Return the runs of one seed by its place, or of several by a slice; IndexError if there is none."""
        seeds = np.atleast_1d(self.run.seeds[place]).tolist()
        if not seeds:
            raise IndexError(f"{place} leaves none of {len(self)} seeds")
        kept = self.table["seed"].isin(seeds) | (self.table["stage"] != "evaluation")
        return replace(self, table=self.table[kept], settings={**self.settings, "seeds": seeds}, path=_unnamed())

    def __iter__(self) -> Iterator[Runs]:
        """Yield the runs of each seed."""
        return (self[place] for place in range(len(self)))

    @property
    def final(self) -> pd.DataFrame:
        """What the reported runs ended with: seed, round, regret, reward and the other measures, one row per seed."""
        run = self.run
        measures = {name: getattr(run, name)[:, -1] for name in MEASURED}
        return pd.DataFrame({"seed": run.seeds, "round": int(run.rounds[-1]), **measures})

    @property
    def curve(self) -> pd.DataFrame:
        """The mean regret of the reported runs at every checkpoint: round, mean, low, high (95 % interval) and n."""
        drawn = curves([[self.run]], "interval", lambda run: run.regret)
        return drawn[["round", "mean", "low", "high", "n"]]

    def save(self, path: str | Path) -> None:
        """Write the run table to a file (.parquet), as ``manybandits play --out`` does.

        Of tuning it has the last row of each run, and measures have six digits; the attribute ``table`` has the rest.
        """
        out = Path(path)
        provenance = Provenance({name: value for name, value in self.settings.items() if name != "environment"})
        save_run(out, self.table, self.settings, self.facts)
        provenance.save(out, costs=self.costs)

    def _repr_html_(self) -> str:
        """Return the runs for a notebook: their line, and what each ended with."""
        final = self.final.dropna(axis=1, how="all")
        return f"<p>{html.escape(repr(self))}</p>{final.to_html(index=False, float_format='{:,.1f}'.format)}"

    def __repr__(self) -> str:
        """Return the runs in one line: the mean and the standard deviation of their final regret."""
        regret, rounds = self.run.regret[:, -1], int(self.run.rounds[-1])
        runs = f"{len(regret)} run{'s' if len(regret) > 1 else ''}"
        spread = f" ± {regret.std(ddof=1):,.1f}" if len(regret) > 1 else ""
        ended = f"{self.run.lost} of {runs} lost" if self.run.lost else f"regret {regret.mean():,.1f}{spread}"
        tuned = [word for word in self.chosen.split() if word.partition("=")[0] in self.run.varied]
        words = "; ".join([runs, *tuned])
        return f"<Runs of {algorithm_name(self.title)} on {self.game}: {ended} after {rounds:,} rounds ({words})>"


def read_runs(path: str | Path) -> Runs:
    """Return the runs in a run table, which ``manybandits play --out`` or `Runs.save` wrote.

    Raises InputError naming the file if it is missing, damaged or not a run table.
    """
    facts = load_facts(Path(path))
    if "settings" not in facts:
        raise InputError(f"{path} is not a run table: give a file that `manybandits play` wrote.")
    settings = facts.pop("settings")
    runs = Runs(load_table(Path(path)), settings, facts, path=Path(path))
    runs.run  # noqa: B018  # checks the table
    return runs


def read_results(figure: str, run: str = "paper-scale") -> list[Runs]:
    """Return the committed runs of a paper's figure, in the figure's order.

    figure: such as "m_cnb_fig2" (``manybandits list experiments``); run: a configuration whose runs are in
    ``reports/<run>/runs``. ``mb.compare(*runs)`` and ``mb.plot(mine, *runs)`` take them. The course of tuning is not
    committed. Raises InputError if there is no such figure, or if its runs are not committed.
    """
    # Imported here, because they import all that a plan of papers needs.
    from manybandits.planning.configuration import load_configuration
    from manybandits.planning.plan_cache import load_plan

    root = find_root()
    plan = load_plan(load_configuration(root, [root / "configs" / f"{run}.yaml"]), root)
    figures = {one.name: one for one in plan.figures if one.plays}
    if figure not in figures:
        raise InputError(f"there are no runs of a figure {figure!r}: {nearest(figure, figures)}")
    paths = [root / "reports" / run / "runs" / f"{play.name}.parquet" for play in figures[figure].plays]
    if missing := [path for path in paths if not path.is_file()]:
        raise InputError(
            f"{missing[0]} is missing: get the repository with reports, or play it by `manybandits reproduce {figure}`."
        )
    return [read_runs(path) for path in paths]
