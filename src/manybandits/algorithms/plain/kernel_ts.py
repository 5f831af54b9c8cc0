"""KernelTS, plainly: Chowdhury and Gopalan 2017, Algorithm 2 (GP-TS), with one nu for v_t."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain.kernel_ucb import KernelUCB

DETERMINED = 1e-10
"""A conditional variance below this share of the variance is a rounding error."""


def root(covariance: np.ndarray) -> np.ndarray:
    """Return a lower triangular matrix with this square; numbers that those before determine have no column."""
    lower = np.zeros_like(covariance)
    for j in range(len(covariance)):
        rest = covariance[:, j] - lower @ lower[j]
        if rest[j] > DETERMINED * covariance[j, j]:
            lower[j:, j] = rest[j:] / np.sqrt(rest[j])
    return lower


class KernelTS(KernelUCB):
    """The arms of a round are drawn jointly from the posterior."""

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        mean, covariance = self.posterior(contexts)
        normals = [self.random.normal() for _ in items]
        return (mean + self.o["nu"] * root(covariance) @ normals).tolist()  # Algorithm 2: sample f_t, choose argmax
