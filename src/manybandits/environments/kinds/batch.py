"""Batches of R replicas that are played together: their blocks of rounds, and the threads that play them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any, NamedTuple, Protocol

import numpy as np
from threadpoolctl import threadpool_limits

from manybandits.algorithms import compiled_policy
from manybandits.base.exceptions import InputError
from manybandits.compiling.kernels import compiled_kernel


class Block(NamedTuple):
    """Rounds done + 1, ..., done + length, and the c of C checkpoints that are among them."""

    number: int
    done: int
    length: int
    checkpoints: np.ndarray  # (c,): numbers of the checkpoints
    places: np.ndarray  # (c,): their rounds, counted from 0 in the block
    checkpoint_of: np.ndarray  # (length,): the number of the checkpoint at each round, or -1


class Checkpointer(Protocol):
    """Keeps what a batch has come to, so that it goes on after it was stopped."""

    def restore(self, parts: Any) -> int:
        """Set parts to what was kept; return the rounds that they have played, 0 if nothing was kept."""

    def maybe_save(self, parts: Any, done: int) -> None:
        """Keep parts that have played `done` rounds, if it is time to."""


class Batch:
    """R replicas that play up to the last of C checkpoints. Replicas with the same seed have the same rounds.

    seeds: (R,); checkpoints: (C,), increasing rounds; progress: function that is called with the number of rounds that
    were played, summed over replicas; checkpointer: what lets a stopped batch go on, None if nothing does.
    """

    def __init__(
        self,
        seeds: np.ndarray,
        checkpoints: np.ndarray,
        threads: int = 1,
        progress: Callable[[int], object] = lambda rounds: None,
        checkpointer: Checkpointer | None = None,
    ) -> None:
        self.replicas, self.horizon = len(seeds), int(checkpoints[-1])
        # Different seeds, (S,), and which of them each replica plays, (R,).
        self.drawn, self.stream = np.unique(seeds, return_inverse=True)
        self.checkpoints, self.threads, self.progress, self.checkpointer = checkpoints, threads, progress, checkpointer
        self.told = 0  # the rounds of the current block that were reported, summed over replicas

    def tell(self, rounds: int) -> None:
        """Report rounds of the current block, summed over replicas; a play that was interrupted ends here."""
        self.told += rounds
        self.progress(rounds)

    def blocks(self, length: int, *parts: object) -> Iterator[Block]:
        """Yield the rounds in blocks of `length`, the last one perhaps shorter; report what was not told of each.

        parts: all that a block changes. If the batch was stopped, they are set to what they were after some block, and
        the next one comes first.
        """
        played = self.checkpointer.restore(parts) if self.checkpointer else 0
        if played:
            self.progress(played * self.replicas)
        for number, done in enumerate(range(0, self.horizon, length)):
            if done < played:
                continue
            rounds = min(length, self.horizon - done)
            checkpoints = np.flatnonzero((self.checkpoints > done) & (self.checkpoints <= done + rounds))
            places, checkpoint_of = self.checkpoints[checkpoints] - done - 1, np.full(rounds, -1)
            checkpoint_of[places] = checkpoints
            self.told = 0
            yield Block(number, done, rounds, checkpoints, places, checkpoint_of)
            self.progress(rounds * self.replicas - self.told)
            if self.checkpointer and done + rounds < self.horizon:
                self.checkpointer.maybe_save(parts, done + rounds)


class Workers:
    """Threads that draw the rounds of several seeds, and play disjoint replicas of a batch, in parallel.

    Within ``with``, each matrix product runs on one core, so that threads do not wait for each other and the order of
    sums does not depend on the number of threads.
    """

    def __init__(self, batch: Batch) -> None:
        self.batch = batch

    def __enter__(self) -> Workers:
        self.pool, self.limits = ThreadPoolExecutor(self.batch.threads), threadpool_limits(1)
        return self

    def __exit__(self, *_: object) -> None:
        self.pool.shutdown(cancel_futures=True)
        self.limits.restore_original_limits()

    def play(self, kernel: Callable[..., None], state: tuple[Any, ...], *given: object, rounds: int) -> None:
        """Play `rounds` of all replicas: kernel(state, first, last, *given) plays those of first, ..., last - 1."""
        count = min(4 * self.batch.threads, self.batch.replicas)
        pieces = np.linspace(0, self.batch.replicas, count + 1).astype(int)
        jobs = [(self.pool.submit(kernel, state, a, b, *given), b - a) for a, b in itertools.pairwise(pieces)]
        for job, replicas in jobs:
            job.result()
            self.batch.tell(rounds * int(replicas))


def kernel_for(algorithm: ModuleType, kernel: ModuleType) -> Callable[..., None]:
    """Return a kernel that is compiled with an algorithm, or run as Python if it is a plain Python object.

    Raises InputError if the algorithm decides for all agents at once, but the kernel is that of another kind of game.
    """
    if hasattr(algorithm, "choose_all") and not hasattr(kernel, "choose_all"):
        raise InputError(f"{algorithm.TITLE} decides for all agents at once: give it a game in which they all act.")
    if hasattr(algorithm, "python_kernel"):
        played: Callable[..., None] = algorithm.python_kernel(kernel)
        return played
    compiled: Callable[..., None] = compiled_kernel(algorithm, kernel, compiled_policy).play
    return compiled
