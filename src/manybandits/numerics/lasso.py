"""LASSO by coordinate descent on a Gram matrix, at a cost that does not depend on the number of rows.

With G = X'X / n and g = X'y / n, the minimiser of

    (1/n) |X b - y|^2 + penalty |b|_1

has every b_i equal to S(g_i - sum over l != i of G_il b_l, penalty / 2) / G_ii, where S(v, c) shrinks v by c towards 0.
Coordinates are set to this value in turn until none changes (Friedman, Hastie and Tibshirani 2010, *Regularization
paths for generalized linear models via coordinate descent*, section 2.2). scikit-learn's Lasso halves the square: its
alpha is penalty / 2.

After a pass over all coordinates, passes over those that are not zero follow until these converge; then all are passed
again. The descent ends with a pass over all coordinates that changes none.
"""

from __future__ import annotations

import numpy as np

from manybandits.compiling.parts import part

TOLERANCE = 1e-9
"""A pass has converged when no step of a coordinate, times its G_ii, exceeds this share of the largest |g_i|."""
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
        residual[i] = moment[i]
    for i in range(dimension):
        if gram[i, i] <= 0.0:
            b[i] = 0.0
        elif b[i] != 0.0:
            for j in range(dimension):
                residual[j] -= gram[i, j] * b[i]
    rest = 0.0
    for i in range(dimension):
        rest = max(rest, TOLERANCE * abs(moment[i]))
    whole = True
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
        if moved <= rest:
            if whole:
                return passed
            whole = True
        else:
            whole = False
    return -1
