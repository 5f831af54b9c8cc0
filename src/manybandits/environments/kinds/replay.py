"""Replays of a log: a round is an event in which the policy chooses the arm that was shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from manybandits.algorithms.contract import Problem
from manybandits.base.seeds import stream
from manybandits.environments.kinds.batch import Batch, Workers, kernel_for
from manybandits.environments.kinds.curves import Curves, count_untried
from manybandits.environments.kinds.game import Game
from manybandits.environments.kinds.kernels import replay as kernel
from manybandits.environments.layout import FLAG, check_indices, check_layout, check_numbers, indices, reals
from manybandits.environments.offpolicy import cumulative_estimate, effective_size

LAYOUT = {
    "shown": indices("events", into="arms"),
    "click": reals("events"),
    "contexts": reals("events", "arms", "dimension"),
    "learn_every": FLAG,
    "guess": reals("events", "arms").maybe,
    "propensity": reals("events").maybe,
    "keep": reals("events").maybe,
}


@dataclass(frozen=True)
class ReplayGame(Game):
    """A frozen log of n events, see `manybandits.environments.replay`.

    arrays: shown, (n,), the arm that each event showed; click, (n,); contexts, (n, K, d); learn_every, whether policies
    learn from events that do not count; guess, (n, K), predicted clicks, only if rewards are estimated by inverse
    propensity or doubly robustly; only if the log was not uniform: propensity, (n,), or, if rewards are those of
    replay, keep, (n,), the probability that a seed keeps an event; see `manybandits.environments.offpolicy`. name:
    digest of the log, the same for all settings.
    """

    arms: int
    dimension: int
    draw_order: Callable[[dict[str, np.ndarray], np.random.Generator], np.ndarray]

    nan_reason: ClassVar[str] = "came to the end of the log"
    nan_remedy: ClassVar[str] = "play fewer rounds"

    def check(self) -> None:
        """Raise InputError unless the facts and the arrays agree."""
        check_layout(LAYOUT, self.arrays, {"arms": self.arms, "dimension": self.dimension})
        for name in ("click", "contexts"):
            check_numbers(name, self.arrays[name])

    @property
    def learns_from_all(self) -> bool:
        return bool(self.arrays["learn_every"])

    def orders(self, seeds: np.ndarray) -> np.ndarray:
        """Return the events in the order of each seed, (S, n) int32, with -1 after the last one. seeds: (S,) int."""
        orders = np.full((len(seeds), len(self.arrays["shown"])), -1, np.int32)
        for row, seed in zip(orders, seeds.tolist(), strict=True):
            events = self.draw_order(self.arrays, stream("order", self.name, seed))
            check_indices("events", events, orders.shape[1])
            row[: len(events)] = events
        return orders

    def earned(self, events: np.ndarray, chosen: np.ndarray) -> np.ndarray:
        """Return the estimated cumulative reward after each of the T events that count, (T,).

        events: (e,), those that the policy saw, in their order; chosen: (e,), the arms that it chose.
        """
        guess, propensity = (
            self.arrays[name][events] if name in self.arrays else None for name in ("guess", "propensity")
        )
        log = self.arrays["shown"][events], self.arrays["click"][events]
        return cumulative_estimate(chosen, *log, guess, propensity)

    def problem(self, algorithm: ModuleType, horizon: int, seeds: np.ndarray) -> Problem:
        """Return what a compiled algorithm may know: one user, and as horizon the number of events to learn from."""
        seen = len(self.arrays["shown"]) if self.learns_from_all else horizon
        problem = Problem(1, self.arms, self.arms, self.dimension, seen)
        return problem._replace(mean_reward=self.arrays["click"].mean())

    def play(self, algorithm: ModuleType, state: tuple[Any, ...], batch: Batch) -> Curves:
        """Play a batch of replicas until `horizon` events count. Totals are NaN after the end of the log."""
        orders = self.orders(batch.drawn)
        chosen = np.full((batch.replicas, orders.shape[1]), -1, np.int32)
        log = self.arrays["shown"], self.arrays["click"], self.arrays["contexts"]
        given = batch.stream, orders, *log, self.learns_from_all, batch.horizon, chosen
        with Workers(batch) as workers:
            workers.play(kernel_for(algorithm, kernel), state, *given, rounds=batch.horizon)
        received, untried, effective = (np.full((batch.replicas, batch.horizon), np.nan) for _ in range(3))
        for r, arms in enumerate(chosen):
            asked = int((arms >= 0).sum())
            events = orders[batch.stream[r], :asked]
            curve = self.earned(events, arms[:asked])
            received[r, : len(curve)] = curve
            agreed = arms[:asked] == self.arrays["shown"][events]
            counted = arms[:asked][agreed]
            untried[r, : len(counted)] = count_untried(counted[None], np.zeros((1, self.arms), np.bool_))[0]
            if "propensity" in self.arrays:
                effective[r, : len(counted)] = effective_size(self.arrays["propensity"][events][agreed])
        at = batch.checkpoints - 1
        curves = {"regret": batch.checkpoints - received[:, at], "reward": received[:, at], "untried": untried[:, at]}
        return {**curves, "effective": effective[:, at]} if "propensity" in self.arrays else curves
