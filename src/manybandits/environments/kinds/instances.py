"""Games in which one individual a round arrives at one of N instances, such as a hospital or a shop."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, ClassVar, NamedTuple

import numpy as np

from manybandits.algorithms.contract import Problem
from manybandits.base.seeds import stream
from manybandits.environments.kinds.batch import Batch, Workers, kernel_for
from manybandits.environments.kinds.curves import Curves, RunningTotals, no_cluster_columns
from manybandits.environments.kinds.game import BLOCK, Game
from manybandits.environments.kinds.kernels import instances as kernel


class Arrivals(NamedTuple):
    """B consecutive arrivals at instances, of one seed; with an axis of S seeds before the others, of several."""

    users: np.ndarray  # (B,) int32: the instance of the arrival
    contexts: np.ndarray  # (B, d): the same for all arms
    rewards: np.ndarray  # (B, K): what each arm would pay
    expected: np.ndarray  # (B, K): what it pays on average


@dataclass(frozen=True)
class InstanceGame(Game):
    """A frozen game of N instances, see `manybandits.environments.instances`."""

    users: int
    arms: int
    dimension: int
    draw_population: Callable[[dict[str, np.ndarray], np.random.Generator], tuple[np.ndarray, ...]]
    draw_arrivals: Callable[..., Arrivals]

    fit_columns: ClassVar[tuple[str, ...]] = ("fits", "fallbacks", "unconverged")
    """Fits, those that had to be ridge regressions, and LASSO descents that were given up before they converged."""

    @property
    def max_horizon(self) -> int | None:
        """How many rounds there are, where the game goes through its data once."""
        return self.facts.get("rounds")

    def population(self, seeds: np.ndarray) -> list[tuple[np.ndarray, ...]]:
        """Draw what every seed draws before the first round. seeds: (S,) int."""
        return [self.draw_population(self.arrays, stream("instances", self.name, seed)) for seed in seeds.tolist()]

    def rounds(
        self,
        population: list[tuple[np.ndarray, ...]],
        seeds: np.ndarray,
        block: int,
        count: int = BLOCK,
        mapping: Callable[..., Iterable[Arrivals]] = map,
    ) -> Arrivals:
        """Draw the first `count` of the rounds block * BLOCK + 1, ..., (block + 1) * BLOCK of every seed.

        mapping: how to go over the seeds; a thread pool's `map` draws them side by side.
        """

        def draw(seed: int, drawn: tuple[np.ndarray, ...]) -> Arrivals:
            random = stream("rounds", self.name, seed, block)
            return self.draw_arrivals(self.arrays, drawn, block * BLOCK, BLOCK, random)

        parts = zip(*mapping(draw, seeds.tolist(), population), strict=True)
        return Arrivals(*(np.stack([part[:count] for part in of_seeds]) for of_seeds in parts))

    def counted(self, rounds: Arrivals) -> Arrivals:
        """Return the rounds with zeros for those instances whose regret and reward are not counted."""
        if not self.facts.get("counts_first"):
            return rounds
        first = (rounds.users == 0)[:, :, None]
        return rounds._replace(rewards=rounds.rewards * first, expected=rounds.expected * first)

    def problem(self, algorithm: ModuleType, horizon: int, seeds: np.ndarray) -> Problem:
        """Return what a compiled algorithm may know. Contexts are fresh in every round: items are the arms."""
        return Problem(self.users, self.arms, self.arms, self.dimension, horizon)

    def play(self, algorithm: ModuleType, state: tuple[Any, ...], batch: Batch) -> Curves:
        """Play a batch of replicas."""
        population, totals = self.population(batch.drawn), RunningTotals(batch)
        play_rounds = kernel_for(algorithm, kernel)
        with Workers(batch) as workers:
            for block in batch.blocks(BLOCK):
                rounds = self.rounds(population, batch.drawn, block.number, block.length, workers.pool.map)
                chosen = np.empty((batch.replicas, block.length), np.int64)
                given = rounds.users, rounds.contexts, rounds.rewards, chosen
                workers.play(play_rounds, state, block.done, batch.stream, *given)
                counted = self.counted(rounds)
                totals.add(block, counted.rewards, counted.expected, chosen)
        return {
            **totals.curves,
            **no_cluster_columns(batch),
            **self.counts_of(algorithm, state, len(batch.checkpoints)),
        }

    def counts_of(self, algorithm: ModuleType, state: tuple[Any, ...], checkpoints: int) -> Curves:
        """Return what an algorithm counted of its fits, if it does: the columns `fits`, (R, C), alike in all C."""
        if not hasattr(algorithm, "count_fits"):
            return {}
        counts = zip(self.fit_columns, algorithm.count_fits(state).T, strict=True)
        return {name: np.broadcast_to(count[:, None], (len(count), checkpoints)) for name, count in counts}
