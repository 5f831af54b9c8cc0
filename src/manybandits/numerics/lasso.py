"""LASSO by coordinate descent on a Gram matrix, at a cost that does not depend on the number of rows.

With G = X'X / n and g = X'y / n, the minimiser of

    (1/n) |X b - y|^2 + penalty |b|_1

has every b_i equal to S(g_i - sum over l != i of G_il b_l, penalty / 2) / G_ii, where S(v, c) shrinks v by c towards 0.
Coordinates are set to this value in turn until none changes (Friedman, Hastie and Tibshirani 2010, *Regularization
paths for generalized linear models via coordinate descent*, section 2.2). scikit-learn's Lasso halves the square: its
alpha is penalty / 2.

After a pass over all coordinates, passes over those that are not zero follow until these converge; then all are passed
again. The descent ends with a pass over all coordinates that changes none. Coordinates that have not converged after
some passes jump to the minimiser among all b with their signs, which is the solution of a linear system, or as far
towards it as no sign changes (Lee, Battle, Raina and Ng 2007, *Efficient sparse coding algorithms*, section 3). Passes
alone would take thousands where there are hardly more rows than coordinates, or fewer.
"""

from __future__ import annotations

import numpy as np

from manybandits.compiling.parts import part

TOLERANCE = 1e-9
"""A pass has converged when no step of a coordinate, times its G_ii, exceeds this share of the largest |g_i|."""
PATIENCE = 40
"""Passes over the coordinates that are not zero before they jump: about as many as a jump costs."""
SINGULAR = 1e-10
"""A part of G is singular if the square of a diagonal entry of its Cholesky factor is at most this share of G_ii."""
PASSES = 200_000
"""Passes over coordinates after which the descent gives up."""


@part(inlined=False)
def descend(gram: np.ndarray, moment: np.ndarray, penalty: float, b: np.ndarray, residual: np.ndarray) -> int:
    """Move b, (d,), to the minimiser; return the number of passes, or -1 if it did not converge within `PASSES`.

    gram: (d, d), G; moment: (d,), g; b: the starting point; residual: (d,), workspace, which ends as g - G b. A
    coordinate whose column of X is zero is set to 0.
    """
    dimension = len(moment)
    for i in range(dimension):
        if gram[i, i] <= 0.0:
            b[i] = 0.0
    subtract_fitted(gram, moment, b, residual)
    rest = 0.0
    for i in range(dimension):
        rest = max(rest, TOLERANCE * abs(moment[i]))
    whole, waited = True, 0
    for passed in range(1, PASSES + 1):
        moved = 0.0
        for i in range(dimension):
            if gram[i, i] <= 0.0 or not (whole or b[i] != 0.0):
                continue
            pull = residual[i] + gram[i, i] * b[i]
            new = np.sign(pull) * max(np.abs(pull) - penalty / 2, 0.0) / gram[i, i]
            step = new - b[i]
            if step != 0.0:
                b[i] = new
                for j in range(dimension):
                    residual[j] -= gram[i, j] * step
                moved = max(moved, gram[i, i] * np.abs(step))
        waited = 0 if whole else waited + 1
        if moved > rest:
            whole = waited > 0 and waited % PATIENCE == 0 and jump(gram, moment, penalty, b, residual)
        elif whole:
            return passed
        else:
            whole = True
    return -1


@part
def subtract_fitted(gram: np.ndarray, moment: np.ndarray, b: np.ndarray, residual: np.ndarray) -> None:
    """Set residual to g - G b. Arguments as in `descend`."""
    for j in range(len(moment)):
        residual[j] = moment[j]
    for i in range(len(moment)):
        if b[i] != 0.0:
            for j in range(len(moment)):
                residual[j] -= gram[i, j] * b[i]


@part(inlined=False)
def jump(gram: np.ndarray, moment: np.ndarray, penalty: float, b: np.ndarray, residual: np.ndarray) -> bool:
    """Move the b_i that are not zero to the minimiser for their signs, or until the first of them is zero.

    Return False, and change nothing, if their part of G is singular. Arguments as in `descend`.
    """
    free = np.flatnonzero(b)
    count = len(free)
    upper, goal = np.empty((count, count)), np.empty(count)  # U, where U'U is that part of G; what b becomes
    for i in range(count):
        goal[i] = moment[free[i]] - np.sign(b[free[i]]) * penalty / 2
        for j in range(i, count):
            upper[i, j] = gram[free[i], free[j]]
    for i in range(count):
        if upper[i, i] <= SINGULAR * gram[free[i], free[i]]:
            return False
        scale = 1.0 / np.sqrt(upper[i, i])
        goal[i] *= scale
        for j in range(i, count):
            upper[i, j] *= scale
        for k in range(i + 1, count):
            weight = upper[i, k]
            goal[k] -= weight * goal[i]
            for j in range(k, count):
                upper[k, j] -= weight * upper[i, j]
    for i in range(count - 1, -1, -1):
        for j in range(i + 1, count):
            goal[i] -= upper[i, j] * goal[j]
        goal[i] /= upper[i, i]
    share, first = 1.0, -1
    for i in range(count):
        if goal[i] * b[free[i]] <= 0.0 and b[free[i]] / (b[free[i]] - goal[i]) < share:
            share, first = b[free[i]] / (b[free[i]] - goal[i]), i
    for i in range(count):
        b[free[i]] = 0.0 if i == first else b[free[i]] + share * (goal[i] - b[free[i]])
    subtract_fitted(gram, moment, b, residual)
    return True
