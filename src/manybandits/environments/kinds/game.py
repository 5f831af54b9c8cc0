"""Base class of all kinds of games: frozen arrays, and rounds that depend on the game and the seed alone.

A game is an ``.npz`` file with its arrays and, beside it, a ``.json`` file with its provenance. The module that made
the game returns it as one of these kinds (`manybandits.environments.game_file`):

users.UserGame                  one user is served per round
instances.InstanceGame          one individual per round arrives at one of N instances
agents.AgentGame                all N agents act in every round
replay.ReplayGame               a round is an event of a log in which the policy chooses the arm that was shown
exploration.ExplorationGame     a round is a query; a seed draws the nodes that are seen at the start

In the first three, the rounds of a seed are drawn in blocks, each from a stream of its own, so that a block can be
drawn without those before it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from html import escape
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from manybandits.algorithms.contract import Problem
from manybandits.environments.kinds.batch import Batch
from manybandits.environments.kinds.curves import Curves

BLOCK = 1000
"""Rounds that are drawn together, in games in which one user is served or one individual arrives per round."""


@dataclass(frozen=True)
class Game(ABC):
    """A frozen game of any kind.

    name: digest of its arrays, part of the key of every stream; facts: what pages and figures state about it.
    """

    name: str
    facts: dict[str, Any]
    arrays: dict[str, np.ndarray]

    nan_reason: ClassVar[str] = "diverged"
    """What happened to a replica whose totals are NaN, for messages."""
    nan_remedy: ClassVar[str] = "give smaller step sizes"
    """What to do if the totals of all replicas are NaN."""
    neural: ClassVar[bool] = False
    """Whether neural algorithms can play it, see `manybandits.harness.neural`."""
    fit_columns: ClassVar[tuple[str, ...]] = ()
    """Additional columns from algorithms that count their fits; their sums are stored in the facts of a run table."""

    def __init_subclass__(cls) -> None:
        """Let all kinds be shown as below, rather than by all of their arrays."""
        cls.__repr__ = Game.__repr__

    def __repr__(self) -> str:
        """Return the game in one line."""
        sizes = (f"{self.facts[one]:,} {one}" for one in ("users", "arms", "items") if self.facts.get(one))
        words = ", ".join([*sizes, *(f"{one} {self.facts[one]}" for one in ("dimension",) if one in self.facts)])
        return f"<Game {self.facts.get('name', self.name[:8])}: {words}>"

    def _repr_html_(self) -> str:
        """Return the game for a notebook: what it is, and its settings."""
        shown = {**self.facts, **self.facts.get("settings", {})}
        plain = {name: value for name, value in shown.items() if isinstance(value, str | int | float)}
        cells = "".join(f"<tr><th>{escape(name)}</th><td>{escape(str(plain[name]))}</td></tr>" for name in plain)
        return f"<table>{cells}</table>"

    @abstractmethod
    def check(self) -> None:
        """Raise InputError unless facts, arrays and the first rounds of a seed agree, or whatever drawing them raises.

        Kernels read arrays without checking an index, so that this is called once, when a game is loaded.
        """

    @property
    def max_horizon(self) -> int | None:
        """Return the number of rounds if the game has only so many, else None."""
        return None

    @abstractmethod
    def problem(self, algorithm: ModuleType, horizon: int, seeds: np.ndarray) -> Problem:
        """Return what a compiled algorithm may know of the game before it starts. seeds: (R,), one per replica."""

    @abstractmethod
    def play(self, algorithm: ModuleType, state: tuple[Any, ...], batch: Batch) -> Curves:
        """Play a batch of replicas and return their curves.

        state: stacked state of the compiled algorithm before the first round; it is changed in place.
        """
