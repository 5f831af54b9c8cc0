"""KernelUCB, plainly: Valko et al. 2013, Algorithm 1, with nu for eta / sqrt(gamma); a Gaussian process is the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.spatial.distance import cdist

from manybandits.algorithms.plain._twin import Twin


class KernelUCB(Twin):
    """Kernel ridge regression on the first observations."""

    def begin(self) -> None:
        self.x = np.zeros((0, self.problem.dimension))
        self.y: list[float] = []
        self.inverse = np.zeros((0, 0))

    def k(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        distance = cdist(a, b, "sqeuclidean" if self.o["kernel"] == "gaussian" else "euclidean")
        return np.asarray(np.exp(-self.o["gamma"] * distance))

    def posterior(self, contexts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the means of the arms, (K,), and their covariance, (K, K)."""
        k = self.k(contexts, self.x)
        return k @ self.inverse @ np.array(self.y), self.k(contexts, contexts) - k @ self.inverse @ k.T

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        mean, covariance = self.posterior(contexts)
        sigma = np.sqrt(np.maximum(np.diag(covariance), 0))  # Algorithm 1: sigma_{a,t}
        return (mean + self.o["nu"] * sigma).tolist()  # Algorithm 1: u_{a,t}; choose the largest

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        if len(self.y) < self.o["kept"]:
            self.x, self.y = np.vstack([self.x, context]), [*self.y, reward]
            K = self.k(self.x, self.x)
            self.inverse = np.linalg.inv(K + self.o["lambda"] * np.eye(len(K)))  # Algorithm 1: update K^-1
