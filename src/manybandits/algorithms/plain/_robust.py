"""The robust multitask estimator, plainly: Xu and Bastani 2021, Algorithm 1, on rows of contexts and rewards."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from sklearn.linear_model import Lasso

Rows = tuple[np.ndarray, np.ndarray]
"""Contexts, (n, d), and rewards, (n,)."""
SMALL = 1e-6
"""The share of the mean square of a column that is added to the diagonal where least squares have no solution."""


def least_squares(rows: Rows, ridge: float = 0.0) -> np.ndarray:
    """Return the least squares, (d,), with a small ridge if there are fewer rows than columns."""
    X, Y = rows
    if not ridge and len(X) >= X.shape[1]:
        return np.asarray(np.linalg.lstsq(X, Y, rcond=None)[0])
    added = ridge or SMALL * (X**2).sum() / X.shape[1]
    return np.linalg.solve(X.T @ X + added * np.eye(X.shape[1]), X.T @ Y)


def trimmed_mean(values: Sequence[float], omega: float, down: bool = False) -> float:
    """Return the mean without the omega n largest and smallest values (section 3.1).

    omega exceeds the share of corrupted values: one is cut at each end where omega n is below 1, or with `down` none.
    """
    ordered, n = sorted(values), len(values)
    cut = math.floor(omega * n + 1e-9)
    if omega > 0 and not down:
        cut = max(cut, 1)
    cut = max(min(cut, (n - 1) // 2), 0)
    return float(np.mean(ordered[cut : n - cut]))


def lasso(rows: Rows, penalty: float, shared: np.ndarray) -> np.ndarray:
    """Return the minimiser of |X beta - Y|^2 / n + penalty |beta - shared|_1 (equation 3)."""
    X, Y = rows
    if math.isinf(penalty) or len(Y) == 0:
        return shared
    # scikit-learn minimises |X w - z|^2 / (2 n) + alpha |w|_1
    model = Lasso(alpha=penalty / 2, fit_intercept=False, tol=1e-12, max_iter=1_000_000)
    return np.asarray(shared + model.fit(X, Y - X @ shared).coef_)


def robust_multitask(
    data: Sequence[Rows],
    penalties: Sequence[float],
    omega: float,
    *,
    poor: float = 0.0,
    ridge: float = 0.0,
    down: bool = False,
) -> np.ndarray | None:
    """Return the estimate of each instance, (N, d), or None if no instance has rows.

    poor: instances with fewer rows than this share of the mean are left out of the trimmed mean (section 3.2).
    """
    least = poor * np.mean([len(Y) for _, Y in data])
    rich = [rows for rows in data if len(rows[1]) > 0 and len(rows[1]) >= least]
    if not rich:
        return None
    own = np.array([least_squares(rows, ridge) for rows in rich])  # the OLS estimator of each instance
    shared = np.array([trimmed_mean(column.tolist(), omega, down) for column in own.T])  # element-wise trimmed mean
    return np.array([lasso(rows, penalty, shared) for rows, penalty in zip(data, penalties, strict=True)])
