"""Algorithms 1 and 2 of Xu and Bastani (2021) as plain twins, written from the text alone: rows are kept.

Whatever the text leaves open is an argument, or said here. Where an instance has fewer rows of an arm than dimensions,
least squares has no solution: `least_squares` is given by the caller. An instance without rows has no least-squares
estimate, so it is not in the trimmed mean; of its second step only the penalty remains, whose minimum is the shared
estimate.
"""

from __future__ import annotations

from collections.abc import Callable
from math import floor, log, sqrt

import numpy as np
from sklearn.linear_model import Lasso

Rows = tuple[np.ndarray, np.ndarray]
"""Contexts, (n, d), and rewards, (n,)."""


def trimmed_mean(values: list[float], omega: float) -> float:
    """Section 3.1: sort, remove omega n values at each end, average the rest.

    omega is to be larger than the share of corrupted values, which is 1 / n at least if there are any: so one value is
    removed at each end where omega n is below 1, if that leaves any.
    """
    ordered, n = sorted(values), len(values)
    cut = floor(omega * n + 1e-9)
    if omega > 0:
        cut = max(cut, 1)
    while n - 2 * cut < 1:
        cut -= 1
    return float(np.mean(ordered[cut : n - cut]))


def lasso_towards(shared: np.ndarray, rows: Rows, penalty: float) -> np.ndarray:
    """Equation 3: minimise |X beta - Y|^2 / n + penalty |beta - shared|_1 over beta."""
    x, y = rows
    if len(y) == 0:
        return shared
    # scikit-learn minimises |X w - z|^2 / (2 n) + alpha |w|_1.
    model = Lasso(alpha=penalty / 2, fit_intercept=False, tol=1e-12, max_iter=1_000_000)
    return shared + model.fit(x, y - x @ shared).coef_


def robust_multitask(
    data: list[Rows],
    penalties: list[float],
    omega: float,
    least_squares: Callable[[np.ndarray, np.ndarray], np.ndarray],
    poor: float = 0.0,
) -> list[np.ndarray]:
    """Algorithm 1: an estimate, (d,), for each instance.

    poor: an instance with fewer rows than this share of the mean of all instances is left out of the first loop's
    average, as section 3.2 does with a data-poor instance.
    """
    dimension = data[0][0].shape[1]
    mean = np.mean([len(y) for _, y in data])
    alone = [least_squares(x, y) for x, y in data if len(y) > 0 and len(y) >= poor * mean]
    shared = np.zeros(dimension)
    if alone:
        for i in range(dimension):
            shared[i] = trimmed_mean([float(estimate[i]) for estimate in alone], omega)
    return [lasso_towards(shared, rows, penalty) for rows, penalty in zip(data, penalties, strict=True)]


class RobustMultitaskBandit:
    """Algorithm 2 for N instances, K arms and rounds t = 1, 2, ..., T.

    first_batch: B_0, which is q log T. data: whether an all-sample estimate has the observations of the previous batch
    (Algorithm 2) or all until its end (section 4: all observations of the arm).
    """

    def __init__(
        self,
        instances: int,
        arms: int,
        dimension: int,
        first_batch: int,
        *,
        zeta: tuple[float, float],
        eta: tuple[float, float],
        penalty: tuple[float, float],
        h: float,
        data: str,
        least_squares: Callable[[np.ndarray, np.ndarray], np.ndarray],
    ) -> None:
        self.instances, self.arms, self.dimension, self.first_batch = instances, arms, dimension, first_batch
        self.zeta, self.eta, self.penalty, self.h, self.data = zeta, eta, penalty, h, data
        self.least_squares = least_squares
        self.log: list[tuple[int, int, int, np.ndarray, float]] = []  # round, instance, arm, context, reward
        self.arrivals = [0] * instances
        self.forced: np.ndarray | None = None  # (K, N, d)
        self.newest: np.ndarray | None = None

    def choices(self, t: int, j: int, x: np.ndarray) -> list[int]:
        """Return the arms that may be pulled in round t, from 0: several if their estimates are equal."""
        if t <= self.first_batch:
            return [(self.arrivals[j] + 1) % self.arms]
        assert self.forced is not None
        assert self.newest is not None
        first, second = self.forced[:, j] @ x, self.newest[:, j] @ x
        kept = [k for k in range(self.arms) if first[k] >= first.max() - self.h / 2]
        best = max(second[k] for k in kept)
        return [k for k in kept if abs(second[k] - best) < 1e-9]

    def learn(self, t: int, j: int, arm: int, x: np.ndarray, reward: float) -> None:
        """Store an observation; at the end of a batch compute the estimates that the next one uses."""
        self.arrivals[j] += 1
        self.log.append((t, j, arm, x, reward))
        if t == self.first_batch:
            self.forced = self._fit(0, t, [self.penalty[0]] * self.instances, self.zeta[0] + self.eta[0])
            self.newest = self._fit(0, t, [self.penalty[1]] * self.instances, self.zeta[1] + self.eta[1])
        elif t > self.first_batch and (t / self.first_batch) in {2.0**m for m in range(1, 60)}:
            after = 0 if self.data == "all" else t // 2
            counts = [sum(1 for r, i, *_ in self.log if i == j and after < r <= t) for j in range(self.instances)]
            least = min(count for count in counts if count > 0)
            omega = self.zeta[1] + self.eta[1] * sqrt(log(self.dimension * least))
            # An instance without arrivals has no data, so its penalty does not matter.
            path = [sqrt(log(self.dimension * count) / count) if count else 1.0 for count in counts]
            self.newest = self._fit(after, t, [self.penalty[1] * step for step in path], omega)

    def _fit(self, after: int, last: int, penalties: list[float], omega: float) -> np.ndarray:
        """Return the estimates, (K, N, d), from the rounds in (after, last]."""
        estimates = []
        for arm in range(self.arms):
            data = []
            for instance in range(self.instances):
                mine = [(x, y) for t, j, k, x, y in self.log if after < t <= last and (j, k) == (instance, arm)]
                x = np.array([x for x, _ in mine]).reshape(len(mine), self.dimension)
                data.append((x, np.array([y for _, y in mine])))
            estimates.append(robust_multitask(data, penalties, omega, self.least_squares))
        return np.array(estimates)
