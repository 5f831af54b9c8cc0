"""Play, compare and plot from Python: `play`, `compare`, `plot`, `read_runs`, and the results `Runs` and `Comparison`.

    import manybandits as mb

    game = mb.games.synthetic(users=50, clusters=5)
    club = mb.play("club", game=game, horizon=2000, seeds=range(10), alpha=[0.1, 1])
    mine = mb.play(MyPolicy, game=game, horizon=2000)   # a class with choose(user, contexts) and learn(...)
    print(mb.compare(club, mine))
    mb.plot(club, mine).savefig("regret.png")
    club.table, club.final, club.curve                  # pandas frames

It is what the command line does: ``manybandits play`` plays the same rounds, and its run tables can be read by
`read_runs`.
"""

from __future__ import annotations

import contextlib
import functools
import html
import inspect
import itertools
import os
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pandas as pd

from manybandits.algorithms import catalogue
from manybandits.base.artifacts import Provenance, load_facts, load_table
from manybandits.base.exceptions import InputError, pick
from manybandits.base.protocols import PAPER
from manybandits.base.sources import digest, digest_of_files
from manybandits.compiling.progress import announce_compilation
from manybandits.environments.kinds.game import Game
from manybandits.harness.objects import GameOfObjects, PlainAlgorithm
from manybandits.harness.play import Played, play_game
from manybandits.harness.replicas import play_replicas
from manybandits.harness.spec import PlaySpec
from manybandits.interface.games import load as load_game
from manybandits.results.display_names import algorithm_name
from manybandits.results.run_table import COLUMNS, save_run
from manybandits.results.runs import MEASURED, Run, run_of
from manybandits.results.summaries import BANDS, curves

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TRIAL = 100
"""Rounds of the trial that measures the speed of a Python object."""
_UNNAMED = itertools.count(1)
_TOLD: set[str] = set()


class Policy(Protocol):
    """A plain Python object that can play, see `play`."""

    def choose(self, user: int, contexts: np.ndarray) -> int:
        """Return the arm to play, 0, ..., K - 1. user: the user served; contexts: (K, d) float64, a row per arm."""

    def learn(self, user: int, context: np.ndarray, reward: float) -> object:
        """Learn from the reward of the arm that `choose` returned last. context: (d,) float64, that of this arm."""


@dataclass(frozen=True, repr=False)
class Runs:
    """The runs of one algorithm on one game.

    Attributes
    ----------
    table : the run table, one row per run and checkpoint, tuning included; `manybandits.results.run_table` documents
        its columns.
    settings : what was played: algorithm, title, horizon, seeds, grid, and the facts of the game as ``environment``.
    facts : the chosen grid point (``chosen``), diverged runs, and the digest of the code that played (``sources``).
    costs : seconds, rounds per second and threads; empty for runs read from a file.
    path : the file that the runs were read from.
    """

    table: pd.DataFrame
    settings: dict[str, Any]
    facts: dict[str, Any]
    costs: dict[str, Any] = field(default_factory=dict)
    path: Path = field(default_factory=lambda: Path(f"play {next(_UNNAMED)}"))
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
        """Write the run table to a file (.parquet), as ``manybandits play --out`` does."""
        out = Path(path)
        provenance = Provenance({name: value for name, value in self.settings.items() if name != "environment"})
        save_run(out, self.table, self.settings, self.facts)
        provenance.save(out, costs=self.costs)

    def __repr__(self) -> str:
        """Return the runs in one line: the mean and the standard deviation of their final regret."""
        regret, rounds = self.run.regret[:, -1], int(self.run.rounds[-1])
        runs = f"{len(regret)} run{'s' if len(regret) > 1 else ''}"
        spread = f" ± {regret.std(ddof=1):,.1f}" if len(regret) > 1 else ""
        ended = f"{self.run.lost} of {runs} lost" if self.run.lost else f"regret {regret.mean():,.1f}{spread}"
        tuned = [word for word in self.chosen.split() if word.partition("=")[0] in self.run.varied]
        words = "; ".join([runs, *tuned])
        return f"<Runs of {algorithm_name(self.title)} on {self.game}: {ended} after {rounds:,} rounds ({words})>"


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

    def _shown(self) -> pd.DataFrame:
        return self.table[list(self.SHOWN)].assign(algorithm=self.table["algorithm"].map(algorithm_name))

    def __repr__(self) -> str:
        """Return the table as text, with the note below it."""
        return f"{self._shown().to_string(index=False, float_format='{:.1f}'.format)}\n\n{self.note}"

    def _repr_html_(self) -> str:
        """Return the table for a notebook."""
        table = self._shown().to_html(index=False, float_format="{:.1f}".format)
        return f"{table}<p>{html.escape(self.note)}</p>"


def play(
    algorithm: str | Path | Policy | type[Policy] | Any,
    *,
    game: Game | str | Path,
    horizon: int = 10_000,
    seeds: Iterable[int] = range(10),
    tuning_seeds: Iterable[int] = (100, 101, 102),
    tuning: str = "tuning-seeds",
    tuning_rounds: int | None = None,
    protocol: str = PAPER,
    title: str = "",
    threads: int | None = None,
    device: str = "cpu",
    **options: Any,
) -> Runs:
    """Play a game with an algorithm, all grid points and all seeds, and return the runs.

    All algorithms play the same rounds of a game for the same seed (common random numbers), so that their runs can be
    compared in pairs.

    Parameters
    ----------
    algorithm : the name of an algorithm, such as "club" (``manybandits list algorithms``); or a plain Python object
        with ``choose(user, contexts)`` and ``learn(user, context, reward)``, see `Policy`. Every replica plays a copy
        of the object. A class, or a function that returns such an object, is called for every replica and once or twice
        more for trials; it gets by keyword what it has parameters for of users, arms, items, dimension, horizon, seed
        and problem (a `manybandits.algorithms.contract.Problem`), and the options. Objects play games that serve one
        user per round, a call of Python per round: a warning says how fast. For policies of river, mabwiser and
        contextualbandits see `manybandits.interface.adapters`.
    game : a game of ``mb.games``, or the path of a frozen game.
    horizon : rounds.
    seeds : seeds of the rounds; each is a run that is reported.
    tuning_seeds, tuning, tuning_rounds : how the reported grid point is chosen if an option has several values: by the
        mean regret on other seeds ("tuning-seeds"), after `tuning_rounds` rounds (None: all), or on the reported seeds
        ("best-of-grid").
    protocol : "paper", or "released" for what the authors' code does, if the algorithm has it.
    title : the name of the runs in tables and figures; by default that of the algorithm.
    threads : threads of a compiled or neural algorithm, which do not change results; None for all cores.
    device : of neural algorithms, "cpu" or "cuda".
    **options : hyper-parameters by name: a value, or a list of values to tune. ``lambda_`` is lambda.

    Returns
    -------
    The runs, see `Runs`. Raises InputError naming the option, value or game that is wrong.
    """
    if not isinstance(game, Game):
        game = load_game(game)
    grid = {name.removesuffix("_"): _values(name, values) for name, values in options.items()}
    plain = None if isinstance(algorithm, str | Path) else PlainAlgorithm(algorithm, tuple(grid))
    spec = PlaySpec(
        algorithm=str(algorithm) if plain is None else plain.name,
        title=title,
        protocol=protocol,
        grid=grid,
        seeds=tuple(map(int, seeds)),
        tuning_seeds=tuple(map(int, tuning_seeds)),
        tuning=tuning,
        tuning_rounds=tuning_rounds,
        horizon=horizon,
    )
    where = f"{spec.algorithm} on {game.facts['name']}"
    if plain is None:
        module, cores = catalogue.load(spec.algorithm), threads or os.cpu_count() or 1
        with announce_compilation(module.TITLE):
            played = play_game(game, module, spec, where, sources=digest(module.__name__), threads=cores, device=device)
    else:
        played = _play_object(GameOfObjects.of(game), plain, spec, where)
    settings = {**played.settings, "environment": game.facts}
    return Runs(played.table[list(COLUMNS)], settings, played.facts, played.costs, played_on=game.name)


def compare(*runs: Runs) -> Comparison:
    """Compare the final regrets of several runs, as ``manybandits compare`` does.

    Algorithms on one game played the same rounds and are compared in pairs: the mark = is not significantly different
    from the best one (Wilcoxon test, Holm's correction, 5 %). Raises InputError if there are no runs, if two of them
    have the same title, or if different games have the same name.
    """
    from manybandits.tables.regret import note, summarise

    table = summarise(_panels(runs))
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

    from manybandits.figures.regret import MEASURES, figure_of

    pick(band, BANDS, "band")
    pick(measure, MEASURES, "measure")
    pick(scale, ("linear", "log"), "scale")
    panels = _panels(runs)
    if relative is not None:
        pick(relative, {one.title for one in runs}, "title of runs")
    heading = title or f"{MEASURES[measure][0].capitalize()} of {_listed([algorithm_name(one.title) for one in runs])}"
    with mpl.rc_context():
        figure, _ = figure_of(panels, heading, band, relative, scale, measure)
    return figure


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


def _play_object(game: GameOfObjects, algorithm: PlainAlgorithm, spec: PlaySpec, where: str) -> Played:
    """Play with a Python object; warn once how fast it is."""
    if spec.protocol != PAPER:
        raise InputError(f"{algorithm.name} is a Python object, which has no protocol {spec.protocol!r}: leave it out.")
    algorithm.TITLE = spec.title or algorithm.TITLE
    if algorithm.name not in _TOLD:
        _TOLD.add(algorithm.name)
        first: Any = {name: values[0] for name, values in spec.grid.items()}
        rounds = min(TRIAL, spec.horizon)
        play_replicas(
            game,
            algorithm,  # type: ignore[arg-type]
            [first],
            spec.seeds[:1],
            horizon=spec.horizon,
            rounds=rounds,
            progress=False,
        )
        rate = rounds / algorithm.seconds
        points = int(np.prod([len(values) for values in spec.grid.values()], dtype=int))
        on_others = len(spec.tuning_seeds) * (spec.tuning_rounds or spec.horizon) * points if points > 1 else 0
        whole = spec.horizon * len(spec.seeds)
        total = whole * points if spec.tuning == "best-of-grid" else whole + on_others
        warnings.warn(
            f"{algorithm.name} is a Python object and plays about {rate:,.0f} rounds per second, so that its {total:,} "
            f"rounds take about {total / rate:,.0f} s. Linear algorithms written as a file "
            "are compiled and play several hundred thousand.",
            stacklevel=3,
        )
    return play_game(game, algorithm, spec, where, sources=_source_of(algorithm.policy))


def _source_of(policy: Any) -> str:
    """Return the digest of the file that defines an object, "" if it has none."""
    made = policy if isinstance(policy, type) or inspect.isroutine(policy) else type(policy)
    with contextlib.suppress(TypeError, OSError):
        return digest_of_files([Path(inspect.getfile(made))])
    return ""


def _values(name: str, values: object) -> list[Any]:
    """Return the values of an option: those of a list, or the one that is given."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        return [values.item() if isinstance(values, np.generic) else values]
    listed = [value.item() if isinstance(value, np.generic) else value for value in values]
    if not listed:
        raise InputError(f"the list of values of {name!r} is empty; give at least one value.")
    return listed


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
