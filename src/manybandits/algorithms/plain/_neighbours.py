"""Nearest neighbours of a context among those in which an arm was played."""

from __future__ import annotations

import math

import numpy as np

from manybandits.algorithms.plain._twin import Twin

TINY = 1e-9
"""A variance that makes k a whole number may be rounded to a number just beside it."""


class Remembering(Twin):
    """A twin that remembers the contexts and the rewards of each arm; items are arms."""

    def begin(self) -> None:
        self.seen: list[list[np.ndarray]] = [[] for _ in range(self.problem.items)]
        self.paid: list[list[float]] = [[] for _ in range(self.problem.items)]

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        self.seen[item].append(context.copy())
        self.paid[item].append(float(reward))

    def mean(self, arm: int) -> float:
        """Return the mean reward of an arm, 0 before the first one."""
        return float(np.mean(self.paid[arm])) if self.paid[arm] else 0.0

    def nearest(self, arm: int, x: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Return distances and rewards of the k nearest; of equally near ones the latest first, or the earliest."""
        squares = ((np.array(self.seen[arm]).reshape(-1, len(x)) - x) ** 2).sum(axis=1)
        age = np.arange(len(squares)) * (1 if self.o.get("ties") == "earliest" else -1)
        order = np.lexsort((age, squares))[:k]
        return np.sqrt(squares[order]), np.array(self.paid[arm])[order]

    def bounded(self, arm: int, x: np.ndarray, rho: float, t: int) -> tuple[float, float, int]:
        """Return the mean of the k nearest rewards, phi times the k-th distance, and k (Reeve et al., Algorithm 1)."""
        distances, rewards = self.nearest(arm, x, self.o["most"])
        reach = self.o["phi"] * distances
        U = [math.sqrt(rho * math.log(t) / (k + 1)) + far for k, far in enumerate(reach)]  # the bound for each k
        k = int(np.argmin(U)) + 1  # k_t(a) = argmin
        return float(np.mean(rewards[:k])), float(reach[k - 1]), k


def score(twin: Remembering, arm: int, x: np.ndarray) -> float:
    """Return f, the mean of an arm's nearest rewards (LNUCB-TA, Algorithm 2)."""
    paid, o = twin.paid[arm], twin.o
    theta = float(np.var(paid)) if paid else 0.0  # Algorithm 2, line 4
    wanted = o["theta_min"] + (o["theta_max"] - o["theta_min"]) * theta  # Algorithm 2, line 5
    if len(paid) < wanted - TINY:  # Algorithm 2, line 6
        return 0.0
    k = math.floor(wanted + TINY + (0.5 if o["rounding"] == "nearest" else 0.0))
    distances, rewards = twin.nearest(arm, x, k)
    if o["weights"] == "uniform":
        return float(np.mean(rewards))  # Algorithm 2, line 7
    if distances[0] == 0:
        return float(np.mean(rewards[distances == 0]))
    return float(np.average(rewards, weights=1 / distances))


def attention(twin: Remembering, items: np.ndarray) -> np.ndarray:
    """Return the softmax of -gamma N_a over the arms offered, (K,) (LNUCB-TA, equation 116)."""
    pulls = np.array([len(twin.paid[a]) for a in items])
    weights = np.exp(-twin.o["gamma"] * (pulls - pulls.min()))
    return np.asarray(weights / weights.sum())
