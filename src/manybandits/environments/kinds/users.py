"""Games that serve one user per round."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, ClassVar, NamedTuple

import numpy as np

from manybandits.algorithms.contract import FirstObservations, Problem
from manybandits.base.exceptions import InputError
from manybandits.base.seeds import stream
from manybandits.environments.kinds.batch import Batch, Workers, kernel_for
from manybandits.environments.kinds.curves import ClusterStatistics, Curves, RunningTotals
from manybandits.environments.kinds.game import BLOCK, Game
from manybandits.environments.kinds.kernels import users as kernel
from manybandits.environments.layout import check_indices, check_layout, check_numbers, reals
from manybandits.numerics.sparse_blocks import block_log

LAYOUT = {"item_table": reals("items", "features"), "user_table": reals("raters", "features of raters")}


class Rounds(NamedTuple):
    """B consecutive rounds of S seeds. The context of arm k is item_table[item] followed by user_table[rater]."""

    users: np.ndarray  # (S, B, K) int32: the user to whom each arm is presented, in most games the same for all arms
    items: np.ndarray  # (S, B, K) int32: the items offered
    raters: np.ndarray  # (S, B, K) int32: users whose features follow an item's, if contexts contain user features
    rewards: np.ndarray  # (S, B, K): the reward of each arm
    expected: np.ndarray  # (S, B, K): the expected reward of each arm


def alike(users: np.ndarray, arms: int) -> np.ndarray:
    """Return `users` of rounds that present all K arms to one user, (B, K) int32. users: (B,)."""
    return np.repeat(users.astype(np.int32)[:, None], arms, axis=1)


@dataclass(frozen=True)
class UserGame(Game):
    """A frozen game that serves one user per round.

    draw_block: function of arrays, K, the number of rounds and a generator, which draws rounds of one seed; groups:
    (n,), the true group of each user, or None; draw_order: function of arrays and a generator, which returns the
    instances of one seed round by round, or None if the game does not pass over its data once; draw_first: function of
    arrays, K and a generator, which returns all users with data, (m,), and a round of each one's own data, or None.
    """

    users: int
    arms: int
    draw_block: Callable[[dict[str, np.ndarray], int, int, np.random.Generator], Rounds]
    groups: np.ndarray | None = None
    draw_order: Callable[[dict[str, np.ndarray], np.random.Generator], np.ndarray | None] | None = None
    draw_first: Callable[[dict[str, np.ndarray], int, np.random.Generator], tuple[np.ndarray, Rounds]] | None = None

    neural: ClassVar[bool] = True

    def check(self) -> None:
        """Raise InputError unless the facts, the arrays and the first rounds of a seed agree."""
        check_layout(LAYOUT, self.arrays, {})
        for name in LAYOUT:
            check_numbers("features", self.arrays[name])
        if self.blocks not in (1, self.arms):
            raise InputError(f"{self.blocks} blocks of {self.arms} arms: an arm has one block; freeze the game again.")
        if self.groups is not None and self.groups.shape != (self.users,):
            raise InputError(
                f"the groups of {self.groups.size} users are known, but {self.users} play; freeze the game again."
            )
        rounds = {name: drawn[0] for name, drawn in self.rounds(np.zeros(1, np.int64), 0)._asdict().items()}
        check_layout({name: reals("rounds", "arms") for name in rounds}, rounds, {"arms": self.arms})

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
        return self.arms if self.step else 0

    @property
    def shifted(self) -> bool:
        """Whether arm k is the item of the round from entry k on, and zero elsewhere, so that arms overlap."""
        return bool(self.facts.get("shifted", False))

    @property
    def step(self) -> int:
        """By how many entries the item of the round moves from arm to arm; 0 if every arm has its own item."""
        return int(self.arrays["item_table"].shape[1]) if self.blocks > 1 else int(self.shifted)

    @property
    def each_arm_its_user(self) -> bool:
        """Whether the arms of a round are presented to different users."""
        return bool(self.arrays.get("each_arm_its_user", False))

    @property
    def dimension(self) -> int:
        """Number of features: the length of a context, or of each of its blocks."""
        overlap = self.arms - 1 if self.shifted else 0
        return int(self.arrays["item_table"].shape[1] + self.arrays["user_table"].shape[1] + overlap)

    def refers(self, algorithm: ModuleType) -> bool:
        """Return whether an algorithm gets references to block contexts.

        It does if they are too long to be written out, or if its ``NAMES_BLOCKS`` states that this is always faster.
        See `manybandits.numerics.sparse_blocks.block_log`.
        """
        too_long = self.blocks * self.dimension > block_log.LONGEST
        return self.blocks > 1 and (too_long or getattr(algorithm, "NAMES_BLOCKS", False))

    def tables(self, algorithm: ModuleType) -> tuple[np.ndarray, np.ndarray] | tuple[()]:
        """Return the features of items and of raters, of which a kernel makes contexts; () if they are references."""
        if self.refers(algorithm):
            return ()
        items, raters = (np.ascontiguousarray(self.arrays[name]) for name in LAYOUT)
        return items, raters

    def per_arm_users(self, algorithm: ModuleType) -> tuple[bool] | tuple[()]:
        """Return (True,) if an algorithm values each arm for the arm's own user, else ().

        An algorithm with one model for all users is indifferent to users. Raises InputError if it keeps a model per
        user, but cannot value one arm alone.
        """
        if not self.each_arm_its_user:
            return ()
        if getattr(algorithm, "MODEL_PER_USER", False):
            raise InputError(
                f"{algorithm.TITLE} keeps a model per user and values all arms for one of them, but in "
                f"{self.facts['name']} each arm has a user of its own: give it a game with user = class or hidden."
            )
        return (True,) if hasattr(algorithm, "value") else ()

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
        rounds = Rounds(*(np.stack(parts) for parts in zip(*drawn, strict=True)))
        check_indices("users", rounds.users, self.users)
        check_indices("items", rounds.items, self.items)
        check_indices("raters", rounds.raters, len(self.arrays["user_table"]))
        check_numbers("rewards", rounds.rewards)
        check_numbers("expected rewards", rounds.expected)
        return rounds

    def first_observations(self, seeds: np.ndarray) -> FirstObservations:
        """Draw one observation of each user, (S, n), before the rounds: an arm of a round of the user's own data.

        Source: line 3 of Algorithm 1 in M-CNB and Meta-Ban. The arm is uniform among those presented to the user. Each
        seed has a stream of its own, and no regret is counted. Raises InputError if the game has no such rounds.
        """
        if self.draw_first is None:
            raise InputError(f"{self.name}: this game has no data of single users to observe before round 1.")
        drawn = [self._first(seed) for seed in seeds.tolist()]
        return FirstObservations(*(np.stack(parts) for parts in zip(*drawn, strict=True)))

    def _first(self, seed: int) -> FirstObservations:
        """Draw the first observations of one seed, (n,)."""
        assert self.draw_first is not None
        random = stream("first", self.name, seed)
        users, rounds = self.draw_first(self.arrays, self.arms, random)
        offered = rounds.users == users[:, None]
        arms = np.where(offered, random.random(offered.shape), -1.0).argmax(axis=1)
        items, raters, rewards = (
            table[np.arange(len(users)), arms] for table in (rounds.items, rounds.raters, rounds.rewards)
        )
        places = arms if self.step else np.zeros_like(arms)
        missing = (0, self.users - len(users))
        return FirstObservations(
            users=np.pad(users, missing, constant_values=-1).astype(np.int32),
            items=np.pad(items, missing),
            raters=np.pad(raters, missing),
            arms=np.pad(arms, missing).astype(np.int32),
            rewards=np.pad(rewards, missing),
            places=np.pad(places, missing).astype(np.int32),
        )

    def problem(self, algorithm: ModuleType, horizon: int, seeds: np.ndarray) -> Problem:
        """Return what a compiled algorithm may know of the game.

        Block contexts have K times as many entries as features. The same instance is placed in every block, or from
        every shift on, so the items that an algorithm may cluster are these places.
        """
        items = self.arms if self.step else self.items
        log = None
        if self.refers(algorithm):
            replays = np.unique(seeds, return_inverse=True)[1]
            log = block_log.new_log(replays, self.arrays["item_table"], self.blocks, horizon)
        return Problem(
            self.users,
            items,
            self.arms,
            self.dimension * self.blocks,
            horizon,
            each_arm_its_user=self.each_arm_its_user,
            log=log,
        )

    def play(self, algorithm: ModuleType, state: tuple[Any, ...], batch: Batch) -> Curves:
        """Play a batch of replicas."""
        totals = RunningTotals(batch, self.lasting_arms)
        clusters = ClusterStatistics.for_batch(self.users, self.groups, batch)
        log = block_log.log_of(state)
        tables, measured = self.tables(algorithm), clusters.of(algorithm)
        step = BLOCK if log is None else block_log.TABLED
        # The items of all rounds so far, which only a log needs.
        served = np.empty((len(batch.drawn), 0 if log is None else batch.horizon), np.int32)
        per_arm_users, play_rounds = self.per_arm_users(algorithm), kernel_for(algorithm, kernel)
        with Workers(batch) as workers:
            for block in batch.blocks(BLOCK, state, totals, clusters, served):
                drawn = self.rounds(batch.drawn, block.number, workers.pool.map)
                rounds = Rounds(*(array[:, : block.length] for array in drawn))
                if log is not None:
                    served[:, block.done : block.done + block.length] = rounds.items[:, :, 0]
                chosen = []
                for first in range(0, block.length, step):
                    done, part = block.done + first, slice(first, first + step)
                    if log is not None:
                        block_log.tabulate(log, served[:, : min(done + step, batch.horizon)], workers.pool.map)
                    own = tuple(np.ascontiguousarray(array[:, part]) for array in rounds[:4])
                    chosen.append(np.empty((batch.replicas, own[0].shape[1]), np.int64))
                    given = (*own, tables, self.step, per_arm_users, block.checkpoint_of[part], chosen[-1], measured)
                    workers.play(play_rounds, state, done, batch.stream, *given, rounds=own[0].shape[1])
                totals.add(block, rounds.rewards, rounds.expected, np.concatenate(chosen, axis=1))
        return {**totals.curves, **clusters.curves}
