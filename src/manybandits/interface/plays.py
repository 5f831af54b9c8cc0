"""Play games from Python, with algorithms by name and with plain Python objects.

``manybandits play`` plays the same rounds, and ``mb.read_runs`` reads its run tables.
"""

from __future__ import annotations

import contextlib
import inspect
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from manybandits.algorithms.plain import is_twin
from manybandits.base.exceptions import InputError
from manybandits.base.sources import digest, digest_of_files
from manybandits.compiling.interpreting import interpreted
from manybandits.compiling.progress import announce_compilation
from manybandits.environments.kinds.game import Game
from manybandits.harness.arguments import check_different, parse_seeds
from manybandits.harness.objects import PlainAlgorithm, for_objects
from manybandits.harness.play import Played, play_game
from manybandits.harness.play_options import all_cores
from manybandits.harness.replicas import play_replicas
from manybandits.harness.spec import PlaySpec
from manybandits.harness.twins import TwinAlgorithm, for_twins
from manybandits.interface.extras import load_algorithm
from manybandits.interface.games import load as load_game
from manybandits.interface.runs import Runs
from manybandits.results.run_table import COLUMNS

TRIAL = 100
"""Rounds of the trial that measures the speed of a Python object."""
PATIENCE = 60.0
"""Seconds that a play of a Python object may take without a warning."""
_TOLD: set[str] = set()


class Policy(Protocol):
    """A plain Python object that can play, see `play`."""

    def choose(self, user: int, contexts: np.ndarray) -> int:
        """Return the arm to play, 0, ..., K - 1. user: the user served; contexts: (K, d) float64, a row per arm."""

    def learn(self, user: int, context: np.ndarray, reward: float) -> object:
        """Learn from the reward of the arm that `choose` returned last. context: (d,) float64, that of this arm."""


def play(
    algorithm: str | Path | Policy | type[Policy] | Any,
    *,
    game: Game | str | Path,
    horizon: int = 10_000,
    seeds: Iterable[int] | str = range(10),
    tuning_seeds: Iterable[int] | str = (100, 101, 102),
    tuning: str = "tuning-seeds",
    tuning_rounds: int | None = None,
    title: str = "",
    threads: int | None = None,
    device: str = "cpu",
    interpret: bool = False,
    **options: Any,
) -> Runs:
    """Play a game with an algorithm, all grid points and all seeds, and return the runs.

    All algorithms play the same rounds of a game for the same seed (common random numbers), so that their runs can be
    compared in pairs.

    Parameters
    ----------
    algorithm : the name of an algorithm, such as "club" (``manybandits list algorithms``), or of its plain twin, such
        as "plain/club", which makes the same choices, slowly; or a plain Python object with ``choose(user, contexts)``
        and ``learn(user, context, reward)``, see `Policy`. Every replica plays a copy of the object. A class, or a
        function that returns such an object, is called for every replica and once or twice more for trials; it gets by
        keyword what it has parameters for of users, arms, items, dimension, horizon, seed and problem (a
        `manybandits.algorithms.contract.Problem`), and the options. Objects play games that serve one user per round, a
        call of Python per round: a warning says how fast, if the play takes more than a minute. For policies of river,
        mabwiser and contextualbandits see `manybandits.interface.adapters`.
    game : a game of ``mb.games``, or the path of a frozen game.
    horizon : rounds.
    seeds : seeds of the rounds, such as ``range(10)`` or "0-9"; each is a run that is reported.
    tuning_seeds, tuning, tuning_rounds : how the reported grid point is chosen if an option has several values: by the
        mean regret on other seeds ("tuning-seeds"), after `tuning_rounds` rounds (None: all), or on the reported seeds
        ("best-of-grid").
    title : the name of the runs in tables and figures; by default that of the algorithm.
    threads : threads of a compiled or neural algorithm, which do not change results; None for all cores.
    device : of neural algorithms, "cpu" or "cuda".
    interpret : whether a compiled algorithm runs as plain Python, so that a debugger stops in it; some hundred times
        slower, and the same choices but for near-ties.
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
        grid=grid,
        seeds=_seeds("seeds", seeds),
        tuning_seeds=_seeds("tuning_seeds", tuning_seeds),
        tuning=tuning,
        tuning_rounds=None if tuning_rounds is None else _rounds("tuning_rounds", tuning_rounds),
        horizon=_rounds("horizon", horizon),
    )
    where = f"{spec.algorithm} on {game.facts['name']}"
    if plain is None:
        twin, cores = is_twin(spec.algorithm), threads or all_cores()
        module: Any = TwinAlgorithm(spec.algorithm) if twin else load_algorithm(spec.algorithm)
        game = for_twins(game) if twin else game
        with announce_compilation(module.TITLE), interpreted(interpret):
            played = play_game(game, module, spec, where, sources=digest(module.__name__), threads=cores, device=device)
    else:
        played = _play_object(for_objects(game), plain, spec, where)
    settings = {**played.settings, "environment": game.facts}
    return Runs(played.table[list(COLUMNS)], settings, played.facts, played.costs, played_on=game.name)


def _play_object(game: Game, algorithm: PlainAlgorithm, spec: PlaySpec, where: str) -> Played:
    """Play with a Python object; warn once how fast it is, if the play takes long."""
    algorithm.TITLE = spec.title or algorithm.TITLE
    if algorithm.name not in _TOLD:
        _TOLD.add(algorithm.name)
        first: Any = {name: values[0] for name, values in spec.grid.items()}
        rounds = min(TRIAL, spec.horizon)
        play_replicas(
            game,
            algorithm,  # pyrefly: ignore[bad-argument-type]
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
        if total > PATIENCE * rate:
            warnings.warn(
                f"{algorithm.name} is a Python object and plays about {rate:,.0f} rounds per second, so that its "
                f"{total:,} rounds take about {total / rate:,.0f} s. Linear algorithms written as a file are compiled "
                "and play several hundred thousand.",
                stacklevel=3,
            )
    return play_game(game, algorithm, spec, where, sources=_source_of(algorithm.policy))


def _source_of(policy: Any) -> str:
    """Return the digest of the file that defines an object, "" if it has none."""
    made = policy if isinstance(policy, type) or inspect.isroutine(policy) else type(policy)
    with contextlib.suppress(TypeError, OSError):
        return digest_of_files([Path(inspect.getfile(made))])
    return ""


def _seeds(name: str, given: Iterable[int] | str) -> tuple[int, ...]:
    """Return the seeds that a list of them, or a text such as "0-9", names."""
    if isinstance(given, str):
        return tuple(parse_seeds(given, name))
    try:
        listed = list(given)
        seeds = tuple(map(int, listed))
        if any(
            isinstance(one, bool) or (seed != one and not isinstance(one, str))
            for seed, one in zip(seeds, listed, strict=True)
        ):
            raise ValueError("a seed is no whole number")
    except (TypeError, ValueError, OverflowError) as error:  # an infinite float overflows
        raise InputError(
            f'{name} is {given!r}: give whole numbers, such as range(10), or a text such as "0-9".'
        ) from error
    check_different(seeds, name)
    return seeds


def _rounds(name: str, given: Any) -> int:
    """Return a number of rounds; raise InputError if it is no whole number."""
    real = isinstance(given, int | float | np.number) and not isinstance(given, bool)
    if not real or not np.isfinite(given) or given != int(given):
        raise InputError(f"{name} is {given!r}: give a whole number of rounds, such as 1000.")
    return int(given)


def _values(name: str, values: object) -> list[Any]:
    """Return the values of an option: those of a list, or the one that is given."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        return [values.item() if isinstance(values, np.generic) else values]
    listed = [value.item() if isinstance(value, np.generic) else value for value in values]
    if not listed:
        raise InputError(f"the list of values of {name!r} is empty; give at least one value.")
    return listed
