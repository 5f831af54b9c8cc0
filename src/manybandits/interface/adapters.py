"""Policies of river, mabwiser and contextualbandits as algorithms that `manybandits.interface.plays.play` can play.

    from river.bandit import LinUCBDisjoint
    mb.play(mb.adapters.river(LinUCBDisjoint), game=game, alpha=[0.1, 1])

    from mabwiser.mab import LearningPolicy
    mb.play(mb.adapters.mabwiser(LearningPolicy.LinUCB), game=game, alpha=[0.1, 1])

    from contextualbandits.online import LinUCB
    mb.play(mb.adapters.contextualbandits(LinUCB), game=game, alpha=[0.1, 1], fit_intercept=0)

These libraries have a model per arm and see one context in a round, the same for all arms, as games of instances and of
classes have. Where every arm has a context of its own, mabwiser's and contextualbandits' policies score arm k at the
context of arm k; river's have no scores to ask for, and stop with a message. All users share one model.

An adapter imports nothing before it is used. Every replica gets a policy of its own, and the seed of its stream.
"""

from __future__ import annotations

import copy
import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from manybandits.algorithms.contract import Problem
from manybandits.base.exceptions import InputError

__all__ = ["contextualbandits", "mabwiser", "river"]


def __dir__() -> list[str]:
    """Return the public names, for completion."""
    return __all__


def river(policy: Any) -> Callable[..., Any]:
    """Adapt a policy of ``river.bandit``.

    policy: a class, such as ``LinUCBDisjoint``, which gets the options and, if it takes one, a seed; or an object, of
    which every replica plays a copy. Policies without contexts, such as ``UCB``, can be adapted, too.
    """
    return _adapter(_River, policy, "river")


def mabwiser(learning_policy: Any, neighborhood_policy: Any = None) -> Callable[..., Any]:
    """Adapt a learning policy of mabwiser.

    learning_policy: such as ``LearningPolicy.LinUCB``, which gets the options, or ``LearningPolicy.LinUCB(alpha=1)``;
    neighborhood_policy: such as ``NeighborhoodPolicy.KNearest(5)``. The first arms are drawn uniformly, because a
    policy of mabwiser cannot choose before it has learned from as many observations as it has neighbours or clusters.
    """
    return _adapter(functools.partial(_Mabwiser, neighborhood_policy), learning_policy, "mabwiser")


def contextualbandits(policy: Any) -> Callable[..., Any]:
    """Adapt a policy of ``contextualbandits.online``.

    policy: a class, such as ``LinUCB``, which gets ``nchoices``, the number of arms, the options and, if it takes one,
    a ``random_state``; or an object, of which every replica plays a copy. ``use_float=0`` computes with double
    precision and ``fit_intercept=0`` leaves the intercept out.
    """
    return _adapter(_ContextualBandits, policy, "contextualbandits")


def _adapter(adapted: Callable[..., Any], policy: Any, library: str) -> Callable[..., Any]:
    """Return the function that makes a policy for one replica, named after the policy and its library."""
    made = functools.partial(adapted, policy)
    name = getattr(policy, "__name__", type(policy).__name__).lstrip("_")
    made.__name__ = f"{name} ({library})"  # pyrefly: ignore[missing-attribute]
    return made


class _River:
    """A policy of river for one replica."""

    def __init__(self, policy: Any, problem: Problem, seed: int, **options: Any) -> None:
        self.problem, self.arms = problem, list(range(problem.arms))
        self.policy = _made(policy, options, {"seed": seed})
        self.contextual = "context" in inspect.signature(self.policy.pull).parameters

    def choose(self, user: int, contexts: np.ndarray) -> int:
        """Return the arm that the policy pulls."""
        self.seen = [self.features(contexts)] if self.contextual else []
        self.arm = self.policy.pull(self.arms, *self.seen)
        return int(self.arm)

    def learn(self, user: int, context: np.ndarray, reward: float) -> None:
        """Update the arm that was pulled."""
        self.policy.update(self.arm, *self.seen, reward)

    def features(self, contexts: np.ndarray) -> dict[int, float]:
        """Return the context of the round by feature; raise InputError if every arm has its own."""
        shared = shared_context(contexts, self.problem)
        if shared is None:
            raise InputError(
                f"river's {type(self.policy).__name__} sees one context in a round, but here every arm has its own: "
                "give a game of instances, or of classes."
            )
        return dict(enumerate(shared.tolist()))


class _Mabwiser:
    """A policy of mabwiser for one replica."""

    def __init__(self, neighborhood: Any, learning_policy: Any, problem: Problem, seed: int, **options: Any) -> None:
        from mabwiser.mab import MAB

        self.problem, self.random = problem, np.random.default_rng(seed)
        how = _made(learning_policy, options, {})
        self.policy = MAB(list(range(problem.arms)), how, neighborhood, seed=seed)
        self.fitted = False
        # Neighbours cannot be found among fewer observations than there are to be, nor clusters made.
        self.needed = int(getattr(neighborhood, "k", None) or getattr(neighborhood, "n_clusters", None) or 1)
        self.waiting: list[tuple[Any, ...]] = []

    def choose(self, user: int, contexts: np.ndarray) -> int:
        """Return the arm that the policy predicts, the first one of equal scores."""
        self.rows = rows_of(contexts, self.problem)
        if not self.fitted:
            self.arm = int(self.random.integers(self.problem.arms))
        elif not self.policy.is_contextual:
            self.arm = self.policy.predict()
        elif len(self.rows) == 1:
            self.arm = self.policy.predict(self.rows)
        else:
            scores: list[Mapping[int, float]] = self.policy.predict_expectations(self.rows)
            self.arm = int(np.argmax([score[arm] for arm, score in enumerate(scores)]))
        return self.arm

    def learn(self, user: int, context: np.ndarray, reward: float) -> None:
        """Fit the arm that was chosen, as soon as there are enough observations."""
        seen = [_row(self.rows, self.arm)[0]] if self.policy.is_contextual else []
        self.waiting.append((self.arm, reward, *seen))
        if len(self.waiting) >= self.needed or self.fitted:
            fit = self.policy.partial_fit if self.fitted else self.policy.fit
            arms, rewards, *contexts = zip(*self.waiting, strict=True)
            fit(list(arms), list(rewards), *map(np.array, contexts))
            self.fitted, self.waiting = True, []


class _ContextualBandits:
    """A policy of contextualbandits for one replica."""

    def __init__(self, policy: Any, problem: Problem, seed: int, **options: Any) -> None:
        self.problem = problem
        given = {"nchoices": problem.arms, **options}
        self.policy = _made(policy, given, {"random_state": max(seed, 1)})  # which may not be 0

    def choose(self, user: int, contexts: np.ndarray) -> int:
        """Return the arm that the policy predicts."""
        self.rows = rows_of(contexts, self.problem)
        if len(self.rows) == 1:
            self.arm = int(self.policy.predict(self.rows)[0])
        else:
            self.arm = int(np.argmax(np.diagonal(self.policy.decision_function(self.rows))))
        return self.arm

    def learn(self, user: int, context: np.ndarray, reward: float) -> None:
        """Fit the arm that was chosen."""
        self.policy.partial_fit(_row(self.rows, self.arm), np.array([self.arm]), np.array([reward]))


def rows_of(contexts: np.ndarray, problem: Problem) -> np.ndarray:
    """Return the context of the round, (1, d), if all arms share it, else their contexts, (K, d)."""
    shared = shared_context(contexts, problem)
    return contexts if shared is None else shared[None]


def shared_context(contexts: np.ndarray, problem: Problem) -> np.ndarray | None:
    """Return the context of a round that all arms share, (d,), or None if every arm has its own.

    contexts: (K, d), or, if arm k is the item of the round in block k, (K, K d).
    """
    if problem.blocks > 1:
        return contexts[0, : contexts.shape[1] // problem.blocks]
    return contexts[0] if (contexts == contexts[0]).all() else None


def _row(rows: np.ndarray, arm: int) -> np.ndarray:
    """Return the context of an arm as a row, (1, d). rows: as `rows_of` returns them."""
    place = arm if len(rows) > 1 else 0
    return rows[place : place + 1]


def _made(policy: Any, options: Mapping[str, Any], taken: Mapping[str, Any]) -> Any:
    """Return a policy for one replica: a copy of an object, or what a class or function returns.

    options: are given to a class or function; taken: as well, if it has a parameter of the name.
    """
    if not (isinstance(policy, type) or inspect.isroutine(policy)):
        given = [name for name in options if name != "nchoices"]
        if given:
            raise InputError(
                f"{type(policy).__name__} was made already, so it takes no option {given[0]!r}: give its class."
            )
        return copy.deepcopy(policy)
    parameters = inspect.signature(policy).parameters
    return policy(**options, **{name: value for name, value in taken.items() if name in parameters})
