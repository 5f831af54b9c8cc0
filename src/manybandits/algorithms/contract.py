"""The contract of an algorithm file: what it declares, and the types that it declares it with.

A compiled algorithm is a module with

* ``TITLE``, ``REFERENCE``: its name in figures and on pages, and the paper that it is from;
* ``OPTIONS``: its hyper-parameters and choices, with defaults, as data;
* ``RANDOMISED`` = True, only if it draws random numbers to choose an arm, other than to break ties. Otherwise two
  replays of a log in its own order are one run;
* ``MODEL_PER_USER`` = True, only if it keeps a model per user, but has no function ``value``: it then cannot play games
  that present each arm to a user of its own;
* ``NAMES_BLOCKS`` = True, only if it prefers block contexts as references even if they could be written out;
* ``State``: a NamedTuple of everything that the policy remembers: numbers, arrays, and NamedTuples of them. A number
  never changes; whatever changes is an array, if only of one element. Shapes depend on the game and on structural
  options alone. A policy that may diverge has the field ``diverged``, (1,) bool, and sets it: the run is then lost;
* ``start(problem, options, random)``, which returns the state before the first round. options: name -> value;
  random: (1,) uint64, the stream that the policy draws from;
* ``choose``, ``learn`` and those of the other functions in `manybandits.algorithms.compiled_policy` that it needs;
* ``TUNE``, only in a plug-in: option -> the values that it tunes in the league, beside the grid of all algorithms;
* ``TWIN``, only for ``manybandits check``: a plain class that plays the same arms. It is made by
  ``TWIN(problem, options, random)`` and has ``choose`` and ``learn`` without the state;
* ``count_fits(states)``, only if it fits models that may need another method or may not converge. It takes the states
  of R replicas, and the run tables of games of instances record its counts.

All of this, except `count_fits`, is written for one replica, as in the paper: one game, one seed, one value of every
option. The harness calls `start` for each of R replicas, stacks their states (see `manybandits.compiling.replicas`),
and compiles the other functions into one kernel that plays all of them.

A neural algorithm is written for R replicas at once. In place of these functions it has a class ``Policy`` with
``select(view)``, which returns the arm that every replica plays, (R,), ``learn(view, arm, reward)``, both (R,),
``dead_units()``, ``tensors``, ``history`` and ``diverged``, and, if it has clusters, ``cluster(view, arm)`` and
possibly ``count_clusters()``. If it has ``observe_first(first)``, that gets an observation of each user,
`FirstObservations`, before round 1; see `manybandits.harness.neural`.
"""

from __future__ import annotations

import runpy
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from manybandits.base.exceptions import InputError, nearest


@dataclass(frozen=True)
class Option:
    """A hyper-parameter or a choice of an algorithm: a number, or one of `words`.

    Its value may differ between replicas that are played together, unless the option is structural.
    """

    name: str
    default: float | int | str
    meaning: str
    low: float = -np.inf
    high: float = np.inf
    below: float = np.inf  # an upper limit that, unlike `high`, is not a valid value
    words: tuple[str, ...] = ()
    structural: bool = False  # whether it sets a shape or a number of steps: replicas of a batch have the same value

    def check(self, value: object, where: str) -> float | int | str:
        """Return `value` with the type of the default; raise InputError if it does not fit."""
        if isinstance(self.default, str):
            if value not in self.words:
                raise InputError(f"{where}: {self.name} is {value!r}; {nearest(str(value), self.words)}")
            return str(value)
        number = _number(value)
        integer = isinstance(self.default, int)
        if number is None or (integer and number != int(number)):
            kind = "a whole number" if integer else "a number"
            raise InputError(f"{where}: {self.name} is {value!r}, which is not {kind}; the default is {self.default}.")
        if not self.low <= number <= self.high:
            raise InputError(f"{where}: {self.name} is {number:g}; give a value from {self.low:g} to {self.high:g}.")
        if number >= self.below:
            raise InputError(f"{where}: {self.name} is {number:g}; give a value below {self.below:g}.")
        return int(number) if integer else number


class Truth(NamedTuple):
    """The true clusters and mean of the agents, which only oracles may use."""

    cluster: np.ndarray  # (N,), -1 if there are none
    mean: np.ndarray  # (d,): the average of the agents' vectors


class Problem(NamedTuple):
    """The facts about a game that a policy gets before the first round."""

    users: int
    items: int
    arms: int
    dimension: int
    horizon: int
    truth: Truth | None = None
    blocks: int = 1  # more than one with block contexts: arm k is the item of the round in block k
    each_arm_its_user: bool = False  # whether the arms of a round are presented to different users
    mean_reward: float = np.nan  # of the whole reward table, which a bandit does not know: for oracles
    recurring: bool = False  # whether arms have the same contexts in many rounds
    log: Any = None  # the `block_log.Log` of compiled algorithms, if block contexts are not written out

    @property
    def contexts(self) -> tuple[int, Any]:
        """The arguments of `manybandits.numerics.ridge.new_ridge` that describe contexts."""
        return self.dimension, self.log

    @property
    def memory(self) -> tuple[int, int, int, bool, Any]:
        """The arguments of `manybandits.numerics.neighbours.new_neighbours`."""
        return self.items, self.dimension, self.horizon, self.recurring, self.log


class FirstObservations(NamedTuple):
    """One observation of each of n users, made before round 1, for S seeds or R replicas: arrays or tensors (S, n).

    Users without data are left out: the entries at the end of the row then have user -1.
    """

    users: Any
    items: Any
    raters: Any
    arms: Any
    rewards: Any
    places: Any  # the block, or the shift, of the context; 0 if items are offered as they are


# The two hyper-parameters that the papers tune, shared by every linear algorithm.
ALPHA = Option("alpha", 0.1, "exploration: multiplies the confidence width", low=0.0)
LAMBDA = Option("lambda", 1.0, "regularisation: weight of the identity in M", low=1e-6)

Options = Mapping[str, Any]
"""The option values of one replica: name -> number or word."""
Columns = Mapping[str, np.ndarray]
"""The option values of R replicas, as neural algorithms take them: name -> (R,), a column per option."""


def script(file: str) -> None:
    """Run an algorithm's file as a script; the last line of each file.

    ``python -m manybandits.algorithms.linear.club --environment ...`` does the same as
    ``python -m manybandits.harness.command_line club --environment ...``. Algorithms do not import the harness.
    """
    sys.argv.insert(1, Path(file).stem)
    runpy.run_module("manybandits.harness.command_line", run_name="__main__")


def fields_of(state: type[Any], options: Options) -> dict[str, Any]:
    """Return the values of those options for which a policy's state has a field, by name."""
    return {name: options[name] for name in state._fields if name in options}


def complete(algorithm: ModuleType, given: Mapping[str, object], where: str) -> dict[str, float | int | str]:
    """Return `given` with the defaults of `algorithm` filled in; raise InputError for a name or value that is wrong."""
    known = {option.name: option for option in algorithm.OPTIONS}
    for name in given:
        if name not in known:
            raise InputError(f"{where}: {algorithm.TITLE} has no option {name!r}; {nearest(name, known)}")
    return {name: option.check(given.get(name, option.default), where) for name, option in known.items()}


def stack(settings: Sequence[Options]) -> Columns:
    """Turn the option values of R replicas into one array per option: name -> (R,)."""
    return {name: np.array([setting[name] for setting in settings]) for name in settings[0]}


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str | np.number):
        return None
    try:
        number = float(value)
    except ValueError:
        return None
    return number if np.isfinite(number) else None
