"""What all plain twins share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from manybandits.algorithms.contract import Options, Problem
from manybandits.algorithms.plain._draws import Random

First = Sequence[tuple[int, np.ndarray, float]]
"""One observation of each user that has data, made before round 1: user, context, (d,), and reward."""


class Twin:
    """One replica of an algorithm, which plays as the fast form of the same name does.

    Attributes
    ----------
    problem : what is known of the game before round 1.
    o : the value of every option, by name.
    random : the stream of the replica.
    first : see `First`; empty if the game has none.
    features : (n, d'), of the users served; d' = 0 if the game has none.
    arm : the place of the arm that was chosen last.
    """

    by_user: ClassVar[bool] = False  # whether it values an arm for the user to whom it is presented
    observes_first: ClassVar[bool] = False  # whether it takes an observation of each user before round 1

    def __init__(
        self,
        problem: Problem,
        options: Options,
        random: np.ndarray | Random,
        first: First = (),
        features: np.ndarray | None = None,
    ) -> None:
        """Start a replica. random: (1,) uint64, or another twin's stream."""
        self.problem, self.o = problem, options
        self.random = random if isinstance(random, Random) else Random(random)
        self.first, self.features = first, np.zeros((problem.users, 0)) if features is None else features
        self.arm = 0
        self.begin()

    def begin(self) -> None:
        """Set what is known before round 1."""

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        """Return the index of each arm in round t = 1, 2, ...; items: (K,), contexts: (K, d)."""
        raise NotImplementedError

    def choose(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
        """Return the place of the arm to play: the one with the largest index."""
        self.arm = self.random.best(self.values(t, user, items, contexts))
        return self.arm

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        """Learn from the arm that was played: its item, context, (d,), and reward."""
