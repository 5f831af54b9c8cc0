"""LASSO bandit, plainly: Bastani and Bayati 2020, Algorithm 1, at each instance alone."""

from __future__ import annotations

import math

import numpy as np

from manybandits.algorithms.plain._robust import Rows, lasso
from manybandits.algorithms.plain._twin import Twin
from manybandits.algorithms.plain.rmbandit import screened

Samples = dict[tuple[int, int], list[tuple[np.ndarray, float]]]
"""Contexts and rewards, by instance and arm."""


class LassoBandit(Twin):
    """Each instance has a clock of its own, which counts its arrivals, and an estimate of each arm."""

    def begin(self) -> None:
        self.t, self.forced, self.every = [0] * self.problem.users, Samples(), Samples()

    def forced_arm(self, t: int) -> int | None:
        """Return the arm forced at the t-th arrival: T_k has (2^n - 1) K q + j for j = q (k - 1) + 1, ..., q k."""
        K, q, n = self.problem.arms, self.o["q"], 0
        while (2**n - 1) * K * q < t:
            for k in range(K):
                if (2**n - 1) * K * q + q * k < t <= (2**n - 1) * K * q + q * (k + 1):
                    return k
            n += 1
        return None

    def choose(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
        arm = self.forced_arm(self.t[user] + 1)
        if arm is not None:  # if t is in T_k
            return arm
        x, K = contexts[0], range(self.problem.arms)
        forced = np.array([x @ self.estimate(self.forced, user, k, "forced") for k in K])
        every = np.array([x @ self.estimate(self.every, user, k, "all") for k in K])
        return screened(forced, every, self)

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        self.t[user] += 1
        for samples in [self.every] + [self.forced] * (self.forced_arm(self.t[user]) is not None):
            samples.setdefault((user, item), []).append((context, reward))  # S_k <- S_k and t

    def estimate(self, samples: Samples, j: int, k: int, kind: str) -> np.ndarray:
        t, d, o = self.t[j], self.problem.dimension, self.o
        lambda_2 = o["lambda_2"] * math.sqrt((math.log(t) + math.log(d)) / t)  # lambda_{2,t}
        return lasso(self.rows(samples, j, k), o["lambda_1"] if kind == "forced" else lambda_2, np.zeros(d))

    def rows(self, samples: Samples, j: int, k: int) -> Rows:
        seen = samples.get((j, k), [])
        X = np.array([x for x, _ in seen]).reshape(-1, self.problem.dimension)
        return X, np.array([y for _, y in seen])
