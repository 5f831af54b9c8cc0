"""Oracles of the kernel policies: the whole kernel matrix is inverted anew whenever it grows."""

from __future__ import annotations

import math

import numpy as np
from scipy.spatial.distance import cdist

from tests.oracles.hybrid import normal
from tests.oracles.plain import SplitMix64, best


def rbf(a: np.ndarray, b: np.ndarray, gamma: float) -> np.ndarray:
    """Kernels of the rows of a with those of b."""
    return np.exp(-gamma * cdist(a, b, "sqeuclidean"))


def exponential(a: np.ndarray, b: np.ndarray, gamma: float) -> np.ndarray:
    """The same without the square."""
    return np.exp(-gamma * cdist(a, b))


def root(covariance: np.ndarray) -> np.ndarray:
    """A lower triangular matrix with this square; numbers that those before them determine have no column."""
    lower = np.zeros_like(covariance)
    for j in range(len(covariance)):
        rest = covariance[:, j] - lower @ lower[j]
        if rest[j] > 1e-10 * covariance[j, j]:
            lower[j:, j] = rest[j:] / math.sqrt(rest[j])
    return lower


class KernelUCB:
    def __init__(self, options, random):
        self.options, self.random = options, SplitMix64(random)
        self.contexts, self.rewards = [], []
        self.inverse = np.zeros((0, 0))

    def posterior(self, x):
        gamma, kernel = self.options["gamma"], exponential if self.options["kernel"] == "exponential" else rbf
        if not self.contexts:
            return np.zeros(len(x)), kernel(x, x, gamma)
        seen = np.array(self.contexts)
        if len(self.inverse) < len(seen):
            self.inverse = np.linalg.inv(kernel(seen, seen, gamma) + self.options["lambda"] * np.eye(len(seen)))
        k = kernel(x, seen, gamma)
        return k @ self.inverse @ np.array(self.rewards), kernel(x, x, gamma) - k @ self.inverse @ k.T

    def choose(self, t, user, items, contexts):
        mean, covariance = self.posterior(contexts)
        return best(mean + self.options["nu"] * np.sqrt(np.maximum(np.diag(covariance), 0)), self.random)

    def learn(self, t, user, item, x, reward):
        if len(self.contexts) < self.options["kept"]:
            self.contexts.append(x)
            self.rewards.append(reward)


class KernelTS(KernelUCB):
    def choose(self, t, user, items, contexts):
        mean, covariance = self.posterior(contexts)
        deviates = [normal(self.random) for _ in items]
        return best(mean + self.options["nu"] * root(covariance) @ deviates, self.random)
