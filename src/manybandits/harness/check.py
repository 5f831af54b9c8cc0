"""Checks of an algorithm: what must hold for every algorithm, tried on one short game.

Each check plays the game with a few replicas and returns a sentence. What is compared is the whole run table, in which
short games have a row per round, so that two plays that differ in one arm are found to differ.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd

from manybandits.algorithms import catalogue, contract
from manybandits.base import seeds as streams
from manybandits.base.exceptions import InputError, Uncomputable
from manybandits.compiling.progress import CompilationError, compilation_error
from manybandits.environments.kinds.batch import Batch
from manybandits.environments.kinds.game import Game
from manybandits.environments.kinds.users import UserGame
from manybandits.harness.arguments import Setting
from manybandits.harness.replicas import CHECKPOINTS, checkpoint_rounds, play_replicas, start_states

ROUNDS = CHECKPOINTS
"""Rounds of a check: as many as a run table has rows."""
SEEDS = 3
TIMED_ROUNDS, TIMED_REPLICAS, TIMED_PLAYS = 5000, 16, 3
LONG = 3.0
"""Seconds of a timed play after which no other one follows."""
BESIDE = "linucb"
"""The algorithm beside whose speed that of another one is stated."""


@dataclass(frozen=True)
class CheckResult:
    """The result of a check. held: whether the algorithm passed; None if there was nothing to check."""

    check: str
    held: bool | None
    says: str


def findings(algorithm: ModuleType, game: Game) -> Iterator[CheckResult]:
    """Yield the result of each check of an algorithm on a game; none follow the first play that fails."""
    try:
        yield from _play_again(algorithm, game)
        yield from _at_bounds(algorithm, game)
        yield _alone_and_together(algorithm, game)
        yield _on_threads(algorithm, game)
        yield _like_its_twin(algorithm, game)
        yield _speed(algorithm, game)
    except CompilationError as error:
        yield CheckResult("compiles", False, f"it cannot be compiled: {compilation_error(error)}")
    except IndexError as error:
        yield CheckResult("plays", False, f"it chose an arm that is not there, or read past an array: {error}")
    except InputError as error:
        yield CheckResult("plays", False, str(error))


def default_of(algorithm: ModuleType) -> Setting:
    """Return the default of all options."""
    return contract.complete(algorithm, {}, "defaults")


def settings_at_bounds(algorithm: ModuleType) -> list[Setting]:
    """Return settings in which one option is at a bound, or one of its words, and all others have their default."""
    found = []
    for option in algorithm.OPTIONS:
        values: Sequence[float | int | str] = option.words or [
            type(option.default)(bound) for bound in (option.low, option.high) if np.isfinite(bound)
        ]
        found += [{**default_of(algorithm), option.name: value} for value in values if value != option.default]
    return found


def _played(
    algorithm: ModuleType,
    game: Game,
    settings: Sequence[Setting],
    seeds: Sequence[int],
    threads: int = 1,
    rounds: int = ROUNDS,
) -> list[pd.DataFrame]:
    """Return the run table of each replica."""
    table = play_replicas(game, algorithm, settings, seeds, horizon=rounds, threads=threads, progress=False)
    length = len(table) // len(seeds)
    return [table[r * length : (r + 1) * length].reset_index(drop=True) for r in range(len(seeds))]


def _mixed(algorithm: ModuleType, count: int = 12) -> tuple[list[Setting], list[int]]:
    """Return settings and seeds of replicas that differ in both, of one structure, so that they are played together."""
    structural = {option.name for option in algorithm.OPTIONS if option.structural}
    default = default_of(algorithm)
    alike = [one for one in settings_at_bounds(algorithm) if all(one[name] == default[name] for name in structural)]
    settings = [default, *alike]
    return [settings[r % len(settings)] for r in range(count)], [r % SEEDS for r in range(count)]


def _play_again(algorithm: ModuleType, game: Game) -> Iterator[CheckResult]:
    """Yield that one replica plays at all, and that it plays the same twice."""
    setting, began = default_of(algorithm), time.perf_counter()
    (first,) = _played(algorithm, game, [setting], [0])
    seconds = time.perf_counter() - began
    yield CheckResult("plays", True, f"one replica (R = 1) played {ROUNDS} rounds, compiled in {seconds:.1f} s")
    (second,) = _played(algorithm, game, [setting], [0])
    words = "one seed gives the same arms twice"
    if not first.equals(second):
        words = "one seed gave other arms the second time: draw only from state.random, which `start` gets"
    yield CheckResult("deterministic", first.equals(second), words)


def _alone_and_together(algorithm: ModuleType, game: Game) -> CheckResult:
    """Return whether replicas play the same alone as together."""
    settings, seeds = _mixed(algorithm)
    together = _played(algorithm, game, settings, seeds)
    apart = [_played(algorithm, game, [settings[r]], [seeds[r]])[0] for r in range(len(seeds))]
    differing = [r for r in range(len(seeds)) if not together[r].equals(apart[r])]
    words = f"{len(seeds)} replicas give the same bytes alone and together"
    if differing:
        words = (
            f"{len(differing)} of {len(seeds)} replicas play otherwise together than alone: keep all that changes in "
            "State, in arrays that `start` makes, and in no global variable"
        )
    return CheckResult("batch invariance", not differing, words)


def _on_threads(algorithm: ModuleType, game: Game) -> CheckResult:
    """Return whether the number of threads changes nothing."""
    settings, seeds = _mixed(algorithm)
    one, two = (_played(algorithm, game, settings, seeds, threads) for threads in (1, 2))
    held = all(a.equals(b) for a, b in zip(one, two, strict=True))
    words = (
        "1 and 2 threads give the same bytes" if held else "2 threads play otherwise than 1: replicas share something"
    )
    return CheckResult("threads", held, words)


def _at_bounds(algorithm: ModuleType, game: Game) -> Iterator[CheckResult]:
    """Yield whether all stay numbers at the bounds of the options."""
    settings = settings_at_bounds(algorithm)
    if not settings:
        yield CheckResult("options", None, "no option has a bound besides its default")
        return
    lost = [setting for setting in settings if _turns_nan(algorithm, game, setting)]
    words = f"no number turns NaN at {len(settings)} bounds and words of its options"
    if lost:
        default = default_of(algorithm)
        named = ", ".join(f"{key} = {value}" for one in lost for key, value in one.items() if value != default[key])
        words = f"numbers turn NaN at {named}: make the bounds of the option narrower, or guard the division"
    yield CheckResult("options", not lost, words)


def _turns_nan(algorithm: ModuleType, game: Game, setting: Setting) -> bool:
    """Return whether regret is NaN, or, of a compiled algorithm, an index or a number in the state at the end."""
    if hasattr(algorithm, "Policy"):
        return bool(_played(algorithm, game, [setting], [0])[0]["regret"].isna().any())
    state = start_states(game, algorithm, ROUNDS, [setting], [0], "cpu")
    try:
        curves = game.play(algorithm, state, Batch(np.array([0]), checkpoint_rounds(ROUNDS)))
    except Uncomputable:
        return True
    return bool(np.isnan(curves["regret"]).any()) or any(np.isnan(array).any() for array in _floats(state))


def _floats(state: tuple[Any, ...]) -> Iterator[np.ndarray]:
    """Yield the arrays of floats in a stacked state."""
    for field in state:
        if isinstance(field, tuple):
            yield from _floats(field)
        elif field.dtype.kind == "f":
            yield field


def _like_its_twin(algorithm: ModuleType, game: Game) -> CheckResult:
    """Return whether the twin of an algorithm plays the same arms."""
    if getattr(algorithm, "TWIN", None) is None:
        return CheckResult("twin", None, "the file names no TWIN, a plain class to compare with")
    if not isinstance(game, UserGame) or game.step or game.arrays["user_table"].size:
        return CheckResult("twin", None, "a twin is compared on the game `synthetic` only")
    settings, seeds = _mixed(algorithm)
    tables = _played(algorithm, game, settings, seeds)
    for setting, seed, table in zip(settings, seeds, tables, strict=True):
        if words := _difference(algorithm, game, setting, seed, table):
            return CheckResult("twin", False, words)
    return CheckResult("twin", True, f"its twin plays the same arm in {len(seeds)} x {ROUNDS} rounds")


def _difference(algorithm: ModuleType, game: UserGame, setting: Setting, seed: int, table: pd.DataFrame) -> str:
    """Return the first round in which a twin plays another arm, in words; "" if there is none.

    Rewards of a round all differ, so that the total reward of a run table names the arm of every round.
    """
    problem = game.problem(algorithm, ROUNDS, np.array([seed]))
    twin = algorithm.TWIN(problem, setting, streams.words(np.array([seed]), "policy")[0])
    rounds = game.rounds(np.array([seed]), 0)
    paid = np.diff(table["reward"].to_numpy(), prepend=0.0)
    for b in range(ROUNDS):
        user, items, rewards = int(rounds.users[0, b, 0]), rounds.items[0, b], rounds.rewards[0, b]
        contexts = game.arrays["item_table"][items]
        arm, played = int(twin.choose(b + 1, user, items, contexts)), int(np.abs(rewards - paid[b]).argmin())
        if arm != played:
            options = ", ".join(f"{name} = {value}" for name, value in setting.items())
            return f"in round {b + 1} (seed {seed}{', ' if options else ''}{options}) it plays {played}, its twin {arm}"
        twin.learn(b + 1, user, int(items[arm]), contexts[arm], float(rewards[arm]))
    return ""


def _speed(algorithm: ModuleType, game: Game) -> CheckResult:
    """Return the time of a decision beside that of LinUCB."""
    own, other = (_seconds(one, game) for one in (algorithm, catalogue.load(BESIDE)))
    return CheckResult(
        "speed",
        None,
        f"{1e6 * own:.2f} microseconds a decision on one core, {catalogue.load(BESIDE).TITLE} takes {1e6 * other:.2f} "
        f"({own / other:.1f} times)",
    )


def _seconds(algorithm: ModuleType, game: Game) -> float:
    """Return the seconds of a decision: the best of some plays."""
    settings, seeds = [default_of(algorithm)] * TIMED_REPLICAS, [0] * TIMED_REPLICAS
    _played(algorithm, game, settings, seeds, rounds=10)  # so that the time of compiling is not counted
    found: list[float] = []
    while len(found) < TIMED_PLAYS and sum(found) < LONG:
        began = time.perf_counter()
        _played(algorithm, game, settings, seeds, rounds=TIMED_ROUNDS)
        found.append(time.perf_counter() - began)
    return min(found) / (TIMED_ROUNDS * TIMED_REPLICAS)
