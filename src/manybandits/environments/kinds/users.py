"""Games that serve one user per round."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, ClassVar, NamedTuple

import numpy as np

from manybandits.algorithms.contract import Problem
from manybandits.base.seeds import stream
from manybandits.environments.kinds.batch import Batch, Workers, kernel_for
from manybandits.environments.kinds.curves import ClusterStatistics, Curves, RunningTotals
from manybandits.environments.kinds.game import BLOCK, Game
from manybandits.environments.kinds.kernels import users as kernel
from manybandits.numerics.by_reference import block_log


class Rounds(NamedTuple):
    """B consecutive rounds of S seeds. The context of arm k is item_table[item] followed by user_table[rater]."""

    users: np.ndarray  # (S, B) int32: the user served
    items: np.ndarray  # (S, B, K) int32: the items offered
    raters: np.ndarray  # (S, B, K) int32: users whose features follow an item's, if contexts contain user features
    rewards: np.ndarray  # (S, B, K): the reward of each arm
    expected: np.ndarray  # (S, B, K): the expected reward of each arm


@dataclass(frozen=True)
class UserGame(Game):
    """A frozen game that serves one user per round.

    draw_block: function of arrays, K, the number of rounds and a generator, which draws rounds of one seed; groups:
    (n,), the true group of each user, or None; draw_order: function of arrays and a generator, which returns the
    instances of one seed round by round, or None if the game does not pass over its data once.
    """

    users: int
    arms: int
    draw_block: Callable[[dict[str, np.ndarray], int, int, np.random.Generator], Rounds]
    groups: np.ndarray | None = None
    draw_order: Callable[[dict[str, np.ndarray], np.random.Generator], np.ndarray | None] | None = None

    neural: ClassVar[bool] = True

    @property
    def max_horizon(self) -> int | None:
        """Return the number of rounds if the game passes over its data once, else None."""
        order = self.order(0)
        return None if order is None else len(order)

    def order(self, seed: int) -> np.ndarray | None:
        """Return the instances of a seed round by round if the game passes over its data once, else None."""
        return None if self.draw_order is None else self.draw_order(self.arrays, stream("order", self.name, seed))

    @property
    def items(self) -> int:
        return len(self.arrays["item_table"])

    @property
    def blocks(self) -> int:
        """Number of blocks. If more than 1, arm k is the item of the round in block k, and zero in all other blocks."""
        return int(self.facts.get("blocks", 1))

    @property
    def lasting_arms(self) -> int:
        """Number of arms if an arm is the same action in all rounds, as the class of an instance is; else 0."""
        return self.arms if self.blocks > 1 else 0

    @property
    def dimension(self) -> int:
        return self.arrays["item_table"].shape[1] + self.arrays["user_table"].shape[1]

    def refers(self, algorithm: ModuleType) -> bool:
        """Return whether an algorithm gets references to block contexts.

        It does if they are too long to be written out, or if its ``NAMES_BLOCKS`` states that this is always faster.
        See `manybandits.numerics.by_reference.block_log`.
        """
        too_long = self.blocks * self.dimension > block_log.LONGEST
        return self.blocks > 1 and (too_long or getattr(algorithm, "NAMES_BLOCKS", False))

    def rounds(self, seeds: np.ndarray, block: int, mapping: Callable[..., Iterable[Rounds]] = map) -> Rounds:
        """Draw rounds block * BLOCK + 1, ..., (block + 1) * BLOCK of each seed, or up to its last. seeds: (S,) int.

        mapping: function that maps over the seeds, such as a thread pool's `map`, which draws them in parallel.
        """

        def draw(seed: int) -> Rounds:
            random, order = stream("rounds", self.name, seed, block), self.order(seed)
            if order is None:
                return self.draw_block(self.arrays, self.arms, BLOCK, random)
            order = order[block * BLOCK : (block + 1) * BLOCK]
            return self.draw_block({**self.arrays, "order": order}, self.arms, len(order), random)

        drawn = mapping(draw, seeds.tolist())
        return Rounds(*(np.stack(parts) for parts in zip(*drawn, strict=True)))

    def problem(self, algorithm: ModuleType, horizon: int, seeds: np.ndarray) -> Problem:
        """Return what a compiled algorithm may know of the game.

        Block contexts have K times as many entries as features. The same instance is placed in every block, so the
        items that an algorithm may cluster are the blocks.
        """
        items = self.arms if self.blocks > 1 else self.items
        log = None
        if self.refers(algorithm):
            replays = np.unique(seeds, return_inverse=True)[1]
            log = block_log.new_log(replays, self.arrays["item_table"], self.blocks, horizon)
        return Problem(self.users, items, self.arms, self.dimension * self.blocks, horizon, log=log)

    def play(self, algorithm: ModuleType, state: tuple[Any, ...], batch: Batch) -> Curves:
        """Play a batch of replicas."""
        totals, clusters = (
            RunningTotals(batch, self.lasting_arms),
            ClusterStatistics.for_batch(self.users, self.groups, batch),
        )
        log = block_log.log_of(state)
        tables = () if self.refers(algorithm) else (self.arrays["item_table"], self.arrays["user_table"])
        measured = tuple(clusters) if hasattr(algorithm, "share_cluster") else ()
        step = BLOCK if log is None else block_log.TABLED
        served = np.empty((len(batch.drawn), batch.horizon), np.int32)
        play_rounds = kernel_for(algorithm, kernel)
        with Workers(batch) as workers:
            for block in batch.blocks(BLOCK):
                drawn = self.rounds(batch.drawn, block.number, workers.pool.map)
                rounds = Rounds(*(array[:, : block.length] for array in drawn))
                served[:, block.done : block.done + block.length] = rounds.items[:, :, 0]
                chosen = []
                for first in range(0, block.length, step):
                    done, part = block.done + first, slice(first, first + step)
                    if log is not None:
                        block_log.tabulate(log, served[:, : min(done + step, batch.horizon)], workers.pool.map)
                    own = tuple(np.ascontiguousarray(array[:, part]) for array in rounds[:4])
                    chosen.append(np.empty((batch.replicas, own[0].shape[1]), np.int64))
                    given = (*own, tables, self.blocks, block.checkpoint_of[part], chosen[-1], measured)
                    workers.play(play_rounds, state, done, batch.stream, *given)
                totals.add(block, rounds.rewards, rounds.expected, np.concatenate(chosen, axis=1))
        return {**totals.curves, **clusters.curves}
