"""What all kinds of games share: frozen arrays, and rounds that depend on the game and the seed alone.

A game is an ``.npz`` file with its arrays and, beside it, the ``.json`` that says what it was made from. The module
that made it says of which kind it is (`manybandits.environments.game_file`). In a `users.UserGame` one user is served a
round, in an `instances.InstanceGame` one individual arrives at one of N instances, in an `agents.AgentGame` all agents
act in every round. The rounds of a seed are drawn in blocks, each from a stream of its own, so a block can be drawn
without those before it. In a `replay.ReplayGame` the rounds are those events of a log that a policy agrees with; in an
`exploration.ExplorationGame` they are queries, and what a seed draws is where they start.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from manybandits.algorithms.contract import Problem
from manybandits.environments.kinds.batch import Batch
from manybandits.environments.kinds.curves import Curves

BLOCK = 1000
"""Rounds that are drawn together, where one user is served or one individual arrives a round."""


@dataclass(frozen=True)
class Game(ABC):
    """A frozen game of any kind.

    name: digest of its arrays; part of the key of every stream. facts: what pages and figures say about it.
    """

    name: str
    facts: dict[str, Any]
    arrays: dict[str, np.ndarray]

    nan_reason: ClassVar[str] = "diverged"
    """What happened to a replica whose totals are NaN, and"""
    nan_remedy: ClassVar[str] = "give smaller step sizes"
    """what to do where it happened to all of them."""
    neural: ClassVar[bool] = False
    """Whether neural algorithms can play it, see `manybandits.harness.networks`."""
    fit_columns: ClassVar[tuple[str, ...]] = ()
    """Columns beside those of a run table, of algorithms that count their fits; their sums are facts of a run."""

    @property
    def max_horizon(self) -> int | None:
        """How many rounds there are, where a game comes to an end that is known ahead."""
        return None

    @abstractmethod
    def problem(self, algorithm: ModuleType, horizon: int, seeds: np.ndarray) -> Problem:
        """Return what a compiled algorithm may know of the game before it starts. seeds: (R,), of its replicas."""

    @abstractmethod
    def play(self, algorithm: ModuleType, state: tuple[Any, ...], batch: Batch) -> Curves:
        """Play a batch of replicas. state: of the compiled algorithm, before the first round; changed."""
