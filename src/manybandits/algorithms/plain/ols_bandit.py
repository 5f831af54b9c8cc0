"""OLS bandit, plainly: Goldenshluger and Zeevi 2013, for K arms as in Bastani and Bayati 2020, Algorithm 1."""

from __future__ import annotations

import numpy as np

from manybandits.algorithms.plain._robust import least_squares
from manybandits.algorithms.plain.lasso_bandit import LassoBandit, Samples


class OLSBandit(LassoBandit):
    """The LASSO bandit without penalties."""

    def estimate(self, samples: Samples, j: int, k: int, kind: str) -> np.ndarray:
        return least_squares(self.rows(samples, j, k), self.o["ridge"])
