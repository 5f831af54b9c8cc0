"""Comparison of partitions: the clusters that an algorithm finds with the true ones."""

from __future__ import annotations

import numpy as np

CELLS = 10_000_000
"""Number of cells of contingency tables that are in memory at a time."""


def count_parts(labels: np.ndarray) -> np.ndarray:
    """Return the number of clusters of every partition, (...). labels: (..., N) int."""
    ordered = np.sort(labels, axis=-1)
    return 1 + (np.diff(ordered, axis=-1) != 0).sum(axis=-1)


def agreement(labels: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Return the adjusted Rand index, (...), of partitions and the true ones: 1 if and only if they are the same.

    labels: (..., N) int from 0 to N - 1; truth: (..., N) int from 0. Source: Hubert and Arabie 1985.
    """
    agents, parts = labels.shape[-1], int(truth.max()) + 1
    cells = (labels.astype(np.int64) * parts + truth).reshape(-1, agents)
    step = max(1, CELLS // (agents * parts))
    indices = [_adjusted_rand(cells[first : first + step], parts) for first in range(0, len(cells), step)]
    return np.concatenate([np.empty(0), *indices]).reshape(labels.shape[:-1])


def _adjusted_rand(cells: np.ndarray, parts: int) -> np.ndarray:
    """Return the adjusted Rand index of P partitions, (P,).

    cells: (P, N), the cell of each agent in the N x parts contingency table of its partition.
    """
    partitions, agents = cells.shape
    places = np.arange(partitions)[:, None] * (agents * parts) + cells
    tables = np.bincount(places.ravel(), minlength=partitions * agents * parts).reshape(partitions, agents, parts)

    def pairs(counts: np.ndarray) -> np.ndarray:
        return (counts * (counts - 1) // 2).reshape(partitions, -1).sum(axis=1)

    both, found, true = pairs(tables), pairs(tables.sum(axis=2)), pairs(tables.sum(axis=1))
    expected = found * true / max(agents * (agents - 1) // 2, 1)
    most = (found + true) / 2
    same = most == expected  # both partitions have a single cluster, or both have each agent alone
    return np.where(same, 1.0, (both - expected) / np.where(same, 1.0, most - expected))
