"""The value of a policy, estimated from a log that another policy wrote: `evaluate`.

A value is a mean reward. `manybandits.environments.policy_values` has the formulas.
"""

from __future__ import annotations

import contextlib
import html
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from manybandits.algorithms.contract import Problem
from manybandits.base.exceptions import InputError
from manybandits.datasets.own.log import tidy
from manybandits.datasets.own.tables import read_table
from manybandits.environments.offpolicy import fit_clicks, too_few
from manybandits.environments.policy_values import effective_events, estimate_values, mean_with_interval
from manybandits.harness.objects import PlainAlgorithm
from manybandits.interface.bandit import Bandit, load
from manybandits.interface.games import source_of

TOLERANCE = 1e-6
"""By how much the probabilities of an event may miss a sum of 1."""


@dataclass(frozen=True, repr=False)
class Evaluation:
    """The estimated value of a policy, see `evaluate`.

    Attributes
    ----------
    table : one row per estimator, ips, snips, dr and switch, after ``logged``, the mean reward in the log itself:
        estimator, value, low, high.
    policy : its name.
    events : the number of events of the log, n.
    matched : the number of those that showed an arm that the policy would choose, with any probability.
    effective : the effective sample size: the number of equally weighted events that would be as precise.
    level : of the intervals, 0.95 by default.
    """

    table: pd.DataFrame
    policy: str
    events: int
    matched: int
    effective: float
    level: float

    @property
    def note(self) -> str:
        """What the table rests on, in sentences; the last one is a warning if this is too little."""
        counted = f"{self.policy}: {self.matched:,} of {self.events:,} events showed an arm that it would choose"
        found = f"{counted}; effective sample size {self.effective:,.0f}; intervals of {self.level:.0%}."
        return f"{found} {too_few(self.effective, self.policy)}".rstrip()

    def __repr__(self) -> str:
        """Return the table as text, with the note below it."""
        return f"{self.table.to_string(index=False, float_format='{:.4f}'.format)}\n\n{self.note}"

    def _repr_html_(self) -> str:
        """Return the table for a notebook."""
        table = self.table.to_html(index=False, float_format="{:.4f}".format)
        return f"{table}<p>{html.escape(self.note)}</p>"


def evaluate(
    policy: str | Path | Bandit | np.ndarray | Any,
    log: Any,
    *,
    arm: str = "arm",
    reward: str = "reward",
    propensity: str = "propensity",
    user: str | None = None,
    arm_features: str | Path | None = None,
    drop: Sequence[str] = (),
    largest_weight: float = 10.0,
    level: float = 0.95,
    seed: int = 0,
    **options: Any,
) -> Evaluation:
    """Estimate the value of a policy from a log, with intervals and the effective sample size.

    Parameters
    ----------
    policy : the name of an algorithm; or a class or object with ``choose`` and ``learn``, as in `manybandits.play`:
        these pass through the log in its order, choose for every event, and learn from those that showed their choice,
        so that the mean value of a policy that learns is estimated. Or a `Bandit`, which is evaluated as it is and
        does not learn. Or the probabilities of arms, (n, K), a row per event, in the sorted order of the arms' names;
        a frame of them has these names as columns, in any order.
    log : a frame of pandas, polars or pyarrow, or a file: one row per event.
    arm, reward, propensity : columns: the arm shown, its reward from 0 to 1, and the probability with which it was
        shown, or "uniform". All other columns are the context.
    user : the column of users; without it all events are of one user.
    arm_features : a file with one row per arm; drop : columns to leave out.
    largest_weight : events with a larger weight, 1 / propensity, count by the model alone in ``switch``.
    level : of the intervals.
    seed : of the policy's draws.
    **options : hyper-parameters of the algorithm.

    Raises InputError naming the row and column, or the setting, that is wrong. Source: see
    `manybandits.environments.policy_values`.
    """
    if not 0 < level < 1:
        raise InputError(f"level is {level!r}: give the probability of an interval, such as 0.95.")
    if not largest_weight > 0:
        raise InputError(f"largest_weight is {largest_weight!r}: give a weight above 0, such as 10.")
    source = read_table(source_of(log, "log"))
    users = np.zeros(len(source.frame), np.int64)
    if user is not None:
        users = np.unique(source.labels(user, "user"), return_inverse=True)[1]
    names = np.unique(source.labels(arm, "arm"))
    features = None if arm_features is None else Path(arm_features)
    dropped = [*([drop] if isinstance(drop, str) else drop), *([] if user is None else [user])]
    arrays: Any = tidy(source, arm, reward, propensity, dropped, features)[0]["log.npz"]
    shown, paid, contexts = (np.asarray(arrays[name]) for name in ("arm", "click", "contexts"))
    chance = arrays.get("propensity", np.full(len(shown), 1 / len(names)))
    if isinstance(policy, pd.DataFrame | np.ndarray | list):
        if options:
            raise InputError(f"probabilities take no option {next(iter(options))!r}: leave it out.")
        chances, title = _checked(policy, names, len(shown)), "the policy"
    else:
        player, learns, title = _player(policy, users, contexts, seed, options)
        chances = _pass(player, learns, users, shown, paid, contexts)
    weight = chances[np.arange(len(shown)), shown] / chance
    found = estimate_values(chances, shown, paid, chance, fit_clicks(shown, paid, contexts), largest_weight, level)
    rows = {"logged": mean_with_interval(paid, level), **found}
    table = pd.DataFrame([(name, *row) for name, row in rows.items()], columns=["estimator", "value", "low", "high"])
    return Evaluation(table, title, len(shown), int((weight > 0).sum()), effective_events(weight), level)


def _player(
    policy: Any, users: np.ndarray, contexts: np.ndarray, seed: int, options: dict[str, Any]
) -> tuple[Any, bool, str]:
    """Return what chooses, whether it learns from the log, and its name."""
    (events, arms, dimension), count = contexts.shape, int(users.max()) + 1
    if isinstance(policy, Bandit):
        if options:
            raise InputError(f"{policy!r} has its options already: leave out {next(iter(options))!r}.")
        if policy.users < count or policy.arms != arms or policy.dimension != dimension:
            raise InputError(
                f"the bandit was loaded for {policy.users} users, {policy.arms} arms and dimension "
                f"{policy.dimension}, but the log has {count}, {arms} and {dimension}: load one with these."
            )
        return policy, False, policy.title
    if isinstance(policy, str | Path):
        sizes: dict[str, Any] = {"users": count, "dimension": dimension, "arms": arms, "horizon": events}
        bandit = load(policy, **sizes, seed=seed, **options)
        return bandit, True, bandit.title
    given = {name.removesuffix("_"): value for name, value in options.items()}
    plain = PlainAlgorithm(policy, tuple(given))
    return plain.make(Problem(count, arms, arms, dimension, events), given, seed), True, plain.TITLE


def _pass(
    player: Any, learns: bool, users: np.ndarray, shown: np.ndarray, paid: np.ndarray, contexts: np.ndarray
) -> np.ndarray:
    """Return the choices of a policy in one pass through the log, (n, K), 1 for the arm chosen and 0 for others.

    It learns from events that showed its choice; a bandit that does not learn is left as it was.
    """
    chances = np.zeros(contexts.shape[:2])
    with contextlib.nullcontext() if learns else player.unchanged():
        for event, (user, logged) in enumerate(zip(users.tolist(), shown.tolist(), strict=True)):
            here = np.ascontiguousarray(contexts[event])
            chosen = player.choose(user, here)
            if not isinstance(chosen, int | np.integer) or not 0 <= chosen < len(here):
                raise InputError(
                    f"choose returned {chosen!r} for event {event + 1}: return an arm, a whole number from 0 to "
                    f"{len(here) - 1}."
                )
            chances[event, chosen] = 1.0
            if learns and chosen == logged:
                # A bandit takes the contexts of all arms and the arm; a policy takes the context of the arm.
                arm = (here, int(chosen)) if isinstance(player, Bandit) else (here[chosen],)
                player.learn(user, *arm, float(paid[event]))
    return chances


def _checked(given: Any, names: np.ndarray, events: int) -> np.ndarray:
    """Return probabilities, (n, K); raise InputError naming the first row or column that is wrong."""
    if isinstance(given, pd.DataFrame):
        columns = {str(column): column for column in given.columns}
        missing = [name for name in names.tolist() if str(name) not in columns]
        if missing or len(columns) != len(names):
            raise InputError(
                f"the probabilities have the columns {', '.join(columns)}: give one column for each arm of the log, "
                f"{', '.join(map(str, names.tolist()))}."
            )
        given = given[[columns[str(name)] for name in names.tolist()]]
    try:
        chances = np.asarray(given, np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"the probabilities are not numbers ({error}): give a row per event.") from error
    if chances.shape != (events, len(names)):
        raise InputError(
            f"the probabilities have the shape {chances.shape}: give a row for each of {events:,} events and a column "
            f"for each of {len(names)} arms."
        )
    wrong = ~((chances >= 0).all(axis=1) & (np.abs(chances.sum(axis=1) - 1) <= TOLERANCE))
    if wrong.any():
        row = int(wrong.argmax())
        raise InputError(f"row {row + 1} of the probabilities, {chances[row]}: give numbers from 0 that sum to 1.")
    return chances
