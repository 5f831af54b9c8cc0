"""Learning curves: regret, reward and statistics of clusters of R replicas, at C checkpoints."""

from __future__ import annotations

from types import ModuleType
from typing import NamedTuple

import numpy as np

from manybandits.environments.kinds.batch import Batch, Block

Curves = dict[str, np.ndarray]
"""The columns of a run table from regret on: name -> (R, C)."""
OPTIONAL = ("clusters", "size", "purity", "agreement", "untried", "dead")
"""The columns that are NaN where there is nothing to measure."""


class RunningTotals:
    """Cumulative regret and reward of the replicas of a batch, and their curves.

    lasting: the number of arms, if an arm is the same action in all rounds, so that one that is never tried is worth a
    note; else 0.
    """

    def __init__(self, batch: Batch, lasting: int = 0) -> None:
        self.stream = batch.stream
        self.tried = np.zeros((batch.replicas, lasting), np.bool_)
        self.so_far = {name: np.zeros((batch.replicas, 1)) for name in ("regret", "reward")}
        self.curves = {name: np.empty((batch.replicas, len(batch.checkpoints))) for name in self.so_far}
        if lasting:
            self.curves["untried"] = np.empty((batch.replicas, len(batch.checkpoints)))

    def add(self, block: Block, rewards: np.ndarray, expected: np.ndarray, chosen: np.ndarray) -> None:
        """Add a block of B rounds.

        rewards, expected: (S, B, K), the reward and the expected reward of each arm; chosen: (R, B), the chosen arms.
        """
        gaps = expected.max(axis=2, keepdims=True) - expected
        for name, values in (("regret", gaps), ("reward", rewards)):
            taken = values[self.stream[:, None], np.arange(chosen.shape[1]), chosen]
            summed = self.so_far[name] + taken.cumsum(axis=1)
            self.curves[name][:, block.checkpoints] = summed[:, block.places]
            self.so_far[name] = summed[:, -1:]
        if self.tried.size:
            self.curves["untried"][:, block.checkpoints] = count_untried(chosen, self.tried)[:, block.places]

    def set_nan(self, block: Block, diverged: np.ndarray) -> None:
        """Set the totals of the replicas that `diverged`, (R,) bool, to NaN from a block on."""
        for name, total in self.so_far.items():
            total[diverged] = np.nan
            self.curves[name][np.ix_(diverged, block.checkpoints)] = np.nan


class ClusterStatistics(NamedTuple):
    """Statistics of the clusters of R replicas, at C checkpoints and between them."""

    truth: np.ndarray  # (n,): the true group of each user, -1 if the game has none
    sums: np.ndarray  # (R, 3): since the last checkpoint, number of rounds, and sums of sizes and purities
    found: np.ndarray  # (R, C, 3): number, mean size, mean purity; NaN if the algorithm has no clusters

    @staticmethod
    def for_batch(users: int, groups: np.ndarray | None, batch: Batch) -> ClusterStatistics:
        """Return empty statistics of n = `users` users. groups: (n,), the true ones, or None if there are none."""
        truth = np.full(users, -1) if groups is None else groups.astype(np.int64)
        shape = batch.replicas, len(batch.checkpoints), 3
        return ClusterStatistics(truth, np.zeros((batch.replicas, 3)), np.full(shape, np.nan))

    def of(self, algorithm: ModuleType) -> tuple[np.ndarray, np.ndarray, np.ndarray] | tuple[()]:
        """Return the arrays if an algorithm has clusters, else ()."""
        return (self.truth, self.sums, self.found) if hasattr(algorithm, "share_cluster") else ()

    @property
    def curves(self) -> Curves:
        purity = np.full(self.found.shape[:2], np.nan) if (self.truth < 0).any() else self.found[:, :, 2]
        return {"clusters": self.found[:, :, 0], "size": self.found[:, :, 1], "purity": purity}


def count_untried(chosen: np.ndarray, tried: np.ndarray) -> np.ndarray:
    """Return how many arms were not tried up to each of B rounds, (R, B).

    chosen: (R, B), the chosen arms; tried: (R, K) bool, the arms that were tried before; those of all rounds are added.
    """
    so_far = tried[:, None] | np.logical_or.accumulate(chosen[:, :, None] == np.arange(tried.shape[1]), axis=1)
    tried |= so_far.any(axis=1)
    return np.count_nonzero(~so_far, axis=2)


def with_optional(curves: Curves) -> Curves:
    """Return `curves` with the columns of `OPTIONAL` that they lack, all NaN."""
    nothing = np.full_like(curves["regret"], np.nan)
    return dict.fromkeys(OPTIONAL, nothing) | curves
