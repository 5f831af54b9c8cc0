"""Games in which one individual per round arrives at one of N instances, such as hospitals or shops."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, ClassVar, NamedTuple

import numpy as np

from manybandits.algorithms.contract import Problem
from manybandits.base.seeds import stream
from manybandits.environments.kinds.batch import Batch, Workers, kernel_for
from manybandits.environments.kinds.curves import Curves, RunningTotals
from manybandits.environments.kinds.game import BLOCK, Game
from manybandits.environments.kinds.kernels import instances as kernel
from manybandits.environments.layout import check_indices, check_layout, check_numbers, reals


class Arrivals(NamedTuple):
    """B consecutive arrivals at instances, of one seed; for S seeds, arrays have a first axis of length S."""

    users: np.ndarray  # (B,) int32: the instance at which the individual arrives
    contexts: np.ndarray  # (B, d): the same for all arms
    rewards: np.ndarray  # (B, K): the reward of each arm
    expected: np.ndarray  # (B, K): the expected reward of each arm


@dataclass(frozen=True)
class InstanceGame(Game):
    """A frozen game of N instances, see `manybandits.environments.instances`."""

    users: int
    arms: int
    dimension: int
    draw_population: Callable[[dict[str, np.ndarray], np.random.Generator], tuple[np.ndarray, ...]]
    draw_arrivals: Callable[..., Arrivals]

    fit_columns: ClassVar[tuple[str, ...]] = ("fits", "fallbacks", "unconverged", "cut_to_one", "untrimmed", "capped")
    """Numbers of fits, of fits that fell back to ridge regression, of LASSO descents that did not converge; and of
    trimmed means of so few values that one was cut at each end although omega asks for less, or that none could be;
    and of batches for which omega was lowered to what can be cut."""

    def check(self) -> None:
        """Raise InputError unless the first rounds of a seed have the shapes that the facts state."""
        zero = np.zeros(1, np.int64)
        rounds = {name: drawn[0] for name, drawn in self.rounds(self.population(zero), zero, 0)._asdict().items()}
        layout = {
            "users": reals("rounds"),
            "contexts": reals("rounds", "dimension"),
            "rewards": reals("rounds", "arms"),
            "expected": reals("rounds", "arms"),
        }
        check_layout(layout, rounds, {"arms": self.arms, "dimension": self.dimension})

    @property
    def max_horizon(self) -> int | None:
        """Return the number of rounds if the game passes over its data once, else None."""
        return self.facts.get("rounds")

    def population(self, seeds: np.ndarray) -> list[tuple[np.ndarray, ...]]:
        """Draw what is drawn before the first round, for each seed. seeds: (S,) int."""
        return [self.draw_population(self.arrays, stream("instances", self.name, seed)) for seed in seeds.tolist()]

    def rounds(
        self,
        population: list[tuple[np.ndarray, ...]],
        seeds: np.ndarray,
        block: int,
        count: int = BLOCK,
        mapping: Callable[..., Iterable[Arrivals]] = map,
    ) -> Arrivals:
        """Draw the first `count` of the rounds block * BLOCK + 1, ..., (block + 1) * BLOCK of each seed.

        mapping: function that maps over the seeds, such as a thread pool's `map`, which draws them in parallel.
        """

        def draw(seed: int, drawn: tuple[np.ndarray, ...]) -> Arrivals:
            random = stream("rounds", self.name, seed, block)
            return self.draw_arrivals(self.arrays, drawn, block * BLOCK, BLOCK, random)

        parts = zip(*mapping(draw, seeds.tolist(), population), strict=True)
        arrivals = Arrivals(*(np.stack([part[:count] for part in of_seeds]) for of_seeds in parts))
        check_indices("users", arrivals.users, self.users)
        for name in ("contexts", "rewards", "expected"):
            check_numbers(name, getattr(arrivals, name))
        return arrivals

    def counted(self, rounds: Arrivals) -> Arrivals:
        """Return the rounds, with rewards of zero at instances whose regret and reward are not counted."""
        if not self.facts.get("counts_first"):
            return rounds
        first = (rounds.users == 0)[:, :, None]
        return rounds._replace(rewards=rounds.rewards * first, expected=rounds.expected * first)

    def problem(self, algorithm: ModuleType, horizon: int, seeds: np.ndarray) -> Problem:
        """Return what a compiled algorithm may know. Contexts are new in every round, so items are the arms."""
        return Problem(self.users, self.arms, self.arms, self.dimension, horizon)

    def play(self, algorithm: ModuleType, state: tuple[Any, ...], batch: Batch) -> Curves:
        """Play a batch of replicas."""
        population, totals = self.population(batch.drawn), RunningTotals(batch, self.arms)
        play_rounds = kernel_for(algorithm, kernel)
        with Workers(batch) as workers:
            for block in batch.blocks(BLOCK, state, totals):
                rounds = self.rounds(population, batch.drawn, block.number, block.length, workers.pool.map)
                chosen = np.empty((batch.replicas, block.length), np.int64)
                given = rounds.users, rounds.contexts, rounds.rewards, chosen
                workers.play(play_rounds, state, block.done, batch.stream, *given, rounds=block.length)
                counted = self.counted(rounds)
                totals.add(block, counted.rewards, counted.expected, chosen)
        return {
            **totals.curves,
            **self.counts_of(algorithm, state, len(batch.checkpoints)),
        }

    def counts_of(self, algorithm: ModuleType, state: tuple[Any, ...], checkpoints: int) -> Curves:
        """Return the `fit_columns`, (R, C), equal at all C checkpoints; empty if the algorithm does not count fits."""
        if not hasattr(algorithm, "count_fits"):
            return {}
        counts = zip(self.fit_columns, algorithm.count_fits(state).T, strict=True)
        return {name: np.broadcast_to(count[:, None], (len(count), checkpoints)) for name, count in counts}
