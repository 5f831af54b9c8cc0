"""Learning curves: regret, reward and statistics of clusters of R replicas, at C checkpoints."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.environments.kinds.batch import Batch, Block

Curves = dict[str, np.ndarray]
"""The columns of a run table from regret on: name -> (R, C)."""


class RunningTotals:
    """Cumulative regret and reward of the replicas of a batch, and their curves."""

    def __init__(self, batch: Batch) -> None:
        self.stream = batch.stream
        self.so_far = {name: np.zeros((batch.replicas, 1)) for name in ("regret", "reward")}
        self.curves = {name: np.empty((batch.replicas, len(batch.checkpoints))) for name in self.so_far}

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

    def set_nan(self, block: Block, diverged: np.ndarray) -> None:
        """Set the totals of the replicas that `diverged`, (R,) bool, to NaN from a block on."""
        for name, curve in self.curves.items():
            self.so_far[name][diverged] = np.nan
            curve[np.ix_(diverged, block.checkpoints)] = np.nan


class ClusterStatistics(NamedTuple):
    """Statistics of the clusters of R replicas, at C checkpoints and between them."""

    truth: np.ndarray  # (n,): the true group of each user, -1 if the game has none
    sums: np.ndarray  # (R, 3): since the last checkpoint, number of rounds, and sums of sizes and purities
    found: np.ndarray  # (R, C, 3): number, mean size, mean purity; NaN if the algorithm has no clusters

    @staticmethod
    def for_batch(users: int, groups: np.ndarray | None, batch: Batch) -> ClusterStatistics:
        """Return empty statistics of n = `users` users. groups: (n,), the true ones, or None if there are none."""
        truth = np.full(users, -1) if groups is None else groups
        shape = batch.replicas, len(batch.checkpoints), 3
        return ClusterStatistics(truth, np.zeros((batch.replicas, 3)), np.full(shape, np.nan))

    @property
    def curves(self) -> Curves:
        purity = np.full(self.found.shape[:2], np.nan) if (self.truth < 0).any() else self.found[:, :, 2]
        nothing = np.full_like(purity, np.nan)
        return {"clusters": self.found[:, :, 0], "size": self.found[:, :, 1], "purity": purity, "agreement": nothing}


def no_cluster_columns(batch: Batch) -> Curves:
    """Return the columns of cluster statistics for games in which clusters are not measured: all NaN."""
    nothing = np.full((batch.replicas, len(batch.checkpoints)), np.nan)
    return dict.fromkeys(("clusters", "size", "purity", "agreement"), nothing)
