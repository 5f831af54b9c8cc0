"""Least squares from sums over observations, and ridge regression where there are too few of them."""

from __future__ import annotations

import numpy as np
from numba import njit

RIDGE = 1e-6
"""Weight of the identity, an observation, where least squares have no single solution."""
PIVOT = 1e-10
"""Share of a diagonal entry of X'X below which what the columns before it leave of it is a rounding error."""


@njit(forceinline=False)
def solve(gram: np.ndarray, moment: np.ndarray, count: int, b: np.ndarray) -> bool:
    """Write the minimiser of |X b - y|^2 to `b`, (d,); return whether it is that of ridge regression instead.

    gram: (d, d), X'X; moment: (d,), X'y; count: rows of X. With fewer rows than columns, or dependent columns, what is
    minimised is |X b - y|^2 + count * RIDGE |b|^2. By a Cholesky factorisation, the same bytes on any machine's BLAS.
    """
    if count >= len(b) and _solved(gram, moment, 0.0, b):
        return False
    _solved(gram, moment, max(count, 1) * RIDGE, b)
    return True


@njit(forceinline=False)
def _solved(gram: np.ndarray, moment: np.ndarray, ridge: float, b: np.ndarray) -> bool:
    """Solve (X'X + ridge I) b = X'y; return whether the matrix is positive definite beyond rounding errors."""
    dimension = len(b)
    upper = gram.copy()  # becomes U, where U'U is the matrix
    b[:] = moment  # becomes U'^-1 X'y, then U^-1 of that
    for i in range(dimension):
        upper[i, i] += ridge
    for i in range(dimension):
        if not upper[i, i] > (0.0 if ridge else PIVOT * gram[i, i]):
            return False
        root = np.sqrt(upper[i, i])
        for j in range(i, dimension):
            upper[i, j] /= root
        b[i] /= root
        for k in range(i + 1, dimension):
            weight = upper[i, k]
            b[k] -= weight * b[i]
            for j in range(k, dimension):
                upper[k, j] -= weight * upper[i, j]
    for i in range(dimension - 1, -1, -1):
        for j in range(i + 1, dimension):
            b[i] -= upper[i, j] * b[j]
        b[i] /= upper[i, i]
    return True
