"""The robust multitask estimator, for linear models of many instances that differ in few coefficients each.

Xu and Bastani, *Learning Across Bandits in High Dimension via Robust Statistics*, Algorithm 1. Instance j of N has the
parameter beta^j = beta + delta^j: the first is shared and delta^j has at most s coefficients that are not zero. The
shared parameter is estimated by the trimmed mean of all instances' own estimates, coefficient by coefficient (equation
2), and each instance is set apart from it again by a LASSO on the difference (equation 3).

Notation: gram is X'X / n and moment is X'y / n of one instance, so that nothing here depends on how many rows it has.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from manybandits.core.lasso import descend


@njit(forceinline=False)
def trimmed_mean(estimates: np.ndarray, included: np.ndarray, omega: float, out: np.ndarray) -> None:
    """Write the mean of the included rows to `out`, (d,), each coefficient without its largest and smallest values.

    estimates: (N, d); included: (N,) bool, at least one True; omega: the share of the included that is cut at each
    end, 0 <= omega < 1/2; 0 is the mean. The paper cuts omega N values and does not say what if that is no whole
    number: here it is rounded down, as in ``scipy.stats.trim_mean``.
    """
    count = np.sum(included)
    column = np.empty(count)
    cut = int(omega * count)
    for i in range(len(out)):
        taken = 0
        for j in range(len(included)):
            if included[j]:
                column[taken] = estimates[j, i]
                taken += 1
        column.sort()
        out[i] = np.mean(column[cut : count - cut])


@njit(forceinline=False)
def debias(gram: np.ndarray, moment: np.ndarray, penalty: float, shared: np.ndarray, out: np.ndarray) -> int:
    """Write to `out`, (d,), the minimiser of (1/n) |X beta - y|^2 + penalty |beta - shared|_1.

    gram: (d, d); moment: (d,); shared: (d,). Returns the passes of the descent, or -1 where it did not come to rest.
    """
    left, apart, residual = moment.copy(), np.zeros_like(shared), np.empty_like(shared)
    for i in range(len(shared)):  # not a product of BLAS, whose bytes depend on its threads
        left -= shared[i] * gram[i]
    passes = descend(gram, left, penalty, apart, residual)
    out[:] = shared + apart
    return passes
