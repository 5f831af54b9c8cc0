"""What every algorithm file declares.

A compiled algorithm is a module with

* ``TITLE``, ``REFERENCE``: how figures and pages name it, and the paper it is from;
* ``OPTIONS``: its hyper-parameters and choices, with defaults, as data;
* ``RELEASED``: what the variant ``released`` does differently, in a sentence, or "" where it has none;
* ``RELEASED_OPTIONS``, only if there are any: the options that the variant ``released`` knows, too;
* ``NAMES_BLOCKS`` = True, only if it prefers references to block contexts that could be written out;
* ``State``, ``start``, ``choose``, ``learn`` and what else `manybandits.algorithms.compiled_policy` knows: the policy;
* ``count_fits(states)``, where it fits models that may have to be fitted otherwise or find no rest; what it counts
  stands among the facts of a run in a game of instances.

A neural algorithm is written for R replicas at once and has, in place of the functions, a class ``Policy`` with
``select(view)``, ``learn(view, arm, reward)``, ``tensors``, ``history`` and ``diverged``, and where it has clusters
``cluster(view, arm)`` and perhaps ``count_clusters()``; see `manybandits.harness.networks`.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from manybandits.base.exceptions import InputError, nearest, run_script

VARIANTS = ("paper", "released")
"""`paper`: as the text describes it (the default); `released`: as the authors' public code does it."""


@dataclass(frozen=True)
class Option:
    """A hyper-parameter or a choice of an algorithm.

    A number may differ between the replicas of a batch; a word (one of `words`) too.
    """

    name: str
    default: float | int | str
    meaning: str
    low: float = -np.inf
    high: float = np.inf
    below: float = np.inf  # unlike `high`, not itself a value
    words: tuple[str, ...] = ()
    structural: bool = False  # the same for all replicas of a batch: a shape, or a number of steps

    def check(self, value: object, where: str) -> float | int | str:
        """Return `value` with the type of the default; raise InputError when it does not fit."""
        if isinstance(self.default, str):
            if value not in self.words:
                raise InputError(f"{where}: {self.name} is {value!r}; {nearest(str(value), self.words)}")
            return str(value)
        number = _number(value)
        whole = isinstance(self.default, int)
        if number is None or (whole and number != int(number)):
            kind = "a whole number" if whole else "a number"
            raise InputError(f"{where}: {self.name} is {value!r}, which is not {kind}; the default is {self.default}.")
        if not self.low <= number <= self.high:
            raise InputError(f"{where}: {self.name} is {number:g}; give a value from {self.low:g} to {self.high:g}.")
        if number >= self.below:
            raise InputError(f"{where}: {self.name} is {number:g}; give a value below {self.below:g}.")
        return int(number) if whole else number


class Truth(NamedTuple):
    """What only an oracle may know of the agents of R replicas."""

    cluster: np.ndarray  # (R, N), -1 where there are none
    mean: np.ndarray  # (R, d): the average of the agents' vectors


class Problem(NamedTuple):
    """What a policy may know of a game before it starts."""

    users: int
    items: int
    arms: int
    dimension: int
    horizon: int
    truth: Truth | None = None
    blocks: int = 1  # more for block contexts: the arms are one instance in each of them
    mean_reward: float = np.nan  # of the whole reward table: for oracles, a bandit does not know it
    recurring: bool = False  # whether arms have the same contexts in many rounds
    log: Any = None  # the `long_log.Log` of compiled algorithms, where block contexts are not written out

    @property
    def memory(self) -> tuple[int, int, int, bool, Any]:
        """What `manybandits.numerics.neighbours.new_neighbours` needs to know."""
        return self.items, self.dimension, self.horizon, self.recurring, self.log


# The two hyper-parameters that the papers tune, shared by every linear algorithm.
ALPHA = Option("alpha", 0.1, "exploration: multiplies the confidence width", low=0.0)
LAMBDA = Option("lambda", 1.0, "regularisation: weight of the identity in M", low=1e-6)

Options = Mapping[str, np.ndarray]
"""Option values, one a replica: name -> (R,)."""


def script(file: str) -> None:
    """Run an algorithm's file as a script; the last line of each. See `manybandits.harness.script`.

    The harness is imported by name, because algorithms know nothing of who plays them.
    """
    harness = importlib.import_module("manybandits.harness.script")
    run_script(functools.partial(harness.main, Path(file).stem))


def complete(algorithm: ModuleType, given: Mapping[str, object], where: str) -> dict[str, float | int | str]:
    """Return `given` with the defaults of `algorithm` filled in; raise InputError naming what does not fit."""
    known = {option.name: option for option in algorithm.OPTIONS}
    for name in given:
        if name not in known:
            raise InputError(f"{where}: {algorithm.TITLE} has no option {name!r}; {nearest(name, known)}")
    return {name: option.check(given.get(name, option.default), where) for name, option in known.items()}


def known_to(variant: str, algorithm: ModuleType, grid: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a grid that a variant of an algorithm knows."""
    released = getattr(algorithm, "RELEASED_OPTIONS", ())
    return {name: values for name, values in grid.items() if variant == "paper" or name in released}


def stack(settings: list[dict[str, float | int | str]]) -> Options:
    """Turn R settings into one array an option: name -> (R,)."""
    return {name: np.array([setting[name] for setting in settings]) for name in settings[0]}


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str | np.number):
        return None
    try:
        number = float(value)
    except ValueError:
        return None
    return number if np.isfinite(number) else None
