"""Runs as read from run tables: the reported replicas, the settings of the play and its facts."""

from __future__ import annotations

import functools
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from manybandits.base.artifacts import DAMAGED, REPAIR, load_facts, load_provenance, load_table
from manybandits.base.exceptions import InputError
from manybandits.results.display_names import LOSSES
from manybandits.results.run_table import COLUMNS, describe, rounded

if TYPE_CHECKING:
    import pandas as pd

DEAD = 0.95
"""The share of dead units from which on a network is called dead: what is left of it is no network any more."""
MEASURED = COLUMNS[COLUMNS.index("regret") :]
"""The measures in a run table."""
ARENA = "league-"
"""Prefix of the folders with the run tables of an arena of the league; those of a paper are named after it."""


@dataclass(frozen=True)
class Played:
    """What a run table says of itself, without its rows: the settings of the play, and its facts."""

    path: Path
    settings: dict[str, Any]
    facts: dict[str, Any]

    @property
    def paper(self) -> str:
        """The paper or arena of the play: the path of a run table is <paper>/<game>/<algorithm>.parquet."""
        return self.path.absolute().parents[1].name

    @property
    def title(self) -> str:
        return str(self.settings["title"])

    @property
    def varied(self) -> list[str]:
        """The options that differ between the grid points."""
        return [name for name, values in self.settings["grid"].items() if len(values) > 1]

    @property
    def agents(self) -> int:
        """The number of agents that act in a round."""
        return int(self.environment["users"]) if self.environment.get("all_act") else 1

    @property
    def environment(self) -> dict[str, Any]:
        return dict(self.settings["environment"])

    @functools.cached_property
    def costs(self) -> dict[str, Any]:
        """The costs of the play: seconds, memory, threads; read from the provenance of the run table."""
        return dict(load_provenance(self.path)["made_on"])


@dataclass(frozen=True)
class Run(Played):
    """One algorithm on one game: the evaluation replicas of the chosen grid point.

    rounds: (C,) checkpoints; seeds: (n,); regret and the columns after it: (n, C), NaN once a replica is lost.
    """

    seeds: np.ndarray
    rounds: np.ndarray
    regret: np.ndarray
    reward: np.ndarray
    clusters: np.ndarray
    size: np.ndarray
    purity: np.ndarray
    agreement: np.ndarray
    untried: np.ndarray
    dead: np.ndarray

    @property
    def lost(self) -> int:
        """The number of replicas with NaN at the end."""
        return int(np.isnan(self.regret[:, -1]).sum())

    @property
    def loss(self) -> str:
        """What happened to the replicas that were lost, in words."""
        return LOSSES.get(self.environment.get("kind", ""), "diverged")

    @property
    def ignoring(self) -> int:
        """How many runs never tried some arm."""
        return int((self.untried[:, -1] > 0).sum())  # NaN, not measured, is not above 0

    @property
    def dead_networks(self) -> int:
        """How many runs ended with a dead network."""
        return int((self.dead[:, -1] >= DEAD).sum())

    @property
    def flags(self) -> list[str]:
        """What a reader should know about these runs before believing their regret, in words."""
        counted = {"never tried some arm": self.ignoring, "ended with a dead network": self.dead_networks}
        return [f"{count} of {len(self.seeds)} {words}" for words, count in counted.items() if count]


def load_run(path: Path, point: Mapping[str, object] | None = None) -> Run:
    """Read a run table and its facts; raise InputError naming the file if something is wrong with it.

    point: values of options; the grid point with these values is read instead of the chosen one.
    """
    table, facts = _content(path)
    try:
        return run_of(table, facts, path, point)
    except (KeyError, TypeError, AttributeError) as error:  # of values that no run table has
        raise InputError(f"{path} is damaged ({error!r}): {REPAIR}.") from error


def load_played(path: Path) -> Played:
    """Read what a run table says of itself, without its rows; raise InputError as `load_run` does."""
    return _played(load_facts(path), path)


def run_of(table: pd.DataFrame, facts: Mapping[str, Any], path: Path, point: Mapping[str, object] | None = None) -> Run:
    """Return the run in a run table with its facts; otherwise as `load_run`. path: of the table, for messages."""
    missing = [column for column in COLUMNS if column not in table]
    if missing:
        raise InputError(f"{path} has no column {missing[0]!r}: it is not a run table; give a file that play wrote.")
    played = _played(facts, path)
    table = table[table["stage"] == "evaluation"]  # first, since most rows may be of tuning
    chosen = table["options"] == _options_of(point, set(table["options"]), path) if point else table["chosen"]
    reported = table[chosen.to_numpy()]
    if reported.empty:
        raise InputError(f"{path} has no evaluation rows of the chosen grid point: play the run again.")
    seeds, rounds, curves = _curves(reported, path)
    known = np.isfinite(curves["regret"])
    comes_back = (known[:, 1:] & ~known[:, :-1]).any()
    unreported = not known.all() and not facts.get("diverged")
    if comes_back or unreported or (np.isfinite(curves["reward"]) != known).any():
        raise InputError(f"{path} holds NaN where no replica was lost: the table is damaged; play the run again.")
    return Run(path, played.settings, played.facts, seeds, rounds, **curves)


def _played(facts: Mapping[str, Any], path: Path) -> Played:
    if "settings" not in facts:
        raise InputError(f"{path} does not say what was played: it is not a run table; give a file that play wrote.")
    return Played(path, facts["settings"], {name: fact for name, fact in facts.items() if name != "settings"})


def _options_of(point: Mapping[str, object], played: Collection[str], path: Path) -> str:
    """Return the options, of those that were played, that have the values of a point; InputError if not exactly one."""
    wanted = set(describe(point).split())
    found = [options for options in played if wanted <= set(options.split())]
    if len(found) != 1:
        raise InputError(
            f"{path} reports {len(found)} grid points with {describe(point)}, not one: name all tuned options."
        )
    return found[0]


def _content(path: Path) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return the rows of a run table and its facts, which are read once for all that is asked of one table in turn."""
    return _read(path, _changed_at(path))


@functools.lru_cache(maxsize=1)
def _read(path: Path, _at: int) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Read a run table whose bytes are checked once, in less than half the time of `load_table`."""
    from pyarrow import ArrowException
    from pyarrow.parquet import ParquetFile

    facts = load_facts(path)  # which checks the bytes
    try:
        return ParquetFile(path).read().to_pandas(), facts
    except (*DAMAGED, ArrowException):
        return load_table(path), facts  # which says what is wrong


def _changed_at(path: Path) -> int:
    """Return when a file was changed, in ns; 0 if it does not exist."""
    return path.stat().st_mtime_ns if path.exists() else 0


def seconds_a_run(run: Run) -> float:
    """Return the seconds of one core per run of the whole horizon; many runs are played together."""
    stage = run.costs["stages"]["evaluation"]
    return float(stage["seconds"] * run.costs["threads"] / stage["replicas"])


def load_points(run: Run) -> dict[str, np.ndarray]:
    """Return the final rewards at every grid point of a run: values of the varied options -> (n,).

    Raises InputError if the points did not play the reported seeds.
    """
    if run.settings["tuning"] != "best-of-grid":
        raise InputError(f"{run.path}: its grid points did not play the reported seeds; tune it by best-of-grid.")
    points = {}
    for options, rows in _ends(run, "evaluation"):
        given = dict(word.split("=", 1) for word in str(options).split())
        points[" ".join(given[name] for name in run.varied)] = rows.sort_values("seed")["reward"].to_numpy()
    return points


def load_trials(run: Run) -> dict[str, dict[int, float]]:
    """Return the final regret in the runs that chose a run's options: options of a point -> seed -> regret."""
    points = _ends(run, "evaluation" if run.settings["tuning"] == "best-of-grid" else "tuning")
    return {str(options): dict(zip(rows["seed"], rows["regret"], strict=True)) for options, rows in points}


def _ends(run: Run, stage: str) -> Iterable[tuple[Hashable, pd.DataFrame]]:
    """Return the last rows of the runs of one stage, by the options of their grid point."""
    table = _content(run.path)[0]
    played = table[table["stage"] == stage]
    return played[played["round"] == played["round"].max()].groupby("options", sort=False)


def load_runs(paths: Sequence[Path]) -> list[list[Run]]:
    """Read runs and group them by game, in the order given."""
    panels: dict[str, list[Run]] = {}
    for path in paths:
        run = _unchanged(path, _changed_at(path))
        panels.setdefault(run.environment["name"], []).append(run)
    return list(panels.values())


@functools.lru_cache(maxsize=1024)
def _unchanged(path: Path, _at: int) -> Run:
    """Read a run once for all steps of a process that ask for it, unless it was changed since."""
    return load_run(path)


def _curves(reported: pd.DataFrame, path: Path) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
    """Return the seeds (n,), the checkpoints (C,), and each measure (n, C), NaN where it has no row."""
    seeds, row = np.unique(reported["seed"].to_numpy(), return_inverse=True)
    rounds, column = np.unique(reported["round"].to_numpy(), return_inverse=True)
    if len(np.unique(row * len(rounds) + column)) < len(reported):
        raise InputError(f"{path} has two rows of one seed and round: the table is damaged; play the run again.")
    curves = {}
    for name in MEASURED:
        curves[name] = np.full((len(seeds), len(rounds)), np.nan)
        curves[name][row, column] = rounded(reported[name].to_numpy())
    return seeds, rounds, curves
