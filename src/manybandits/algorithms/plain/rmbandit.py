"""RMBandit, plainly: Xu and Bastani 2021, Algorithm 2, which numbers no lines; `_robust` has Algorithm 1."""

from __future__ import annotations

import math

import numpy as np

from manybandits.algorithms.plain._robust import Rows, robust_multitask
from manybandits.algorithms.plain._twin import Twin

MOST = 0.49
"""The largest omega: all but the middle values are trimmed."""


class RMBandit(Twin):
    """Forced samples, then batches of doubling length, each with robust multitask estimates from the last one."""

    def begin(self) -> None:
        N, K, d, T = self.problem.users, self.problem.arms, self.problem.dimension, self.problem.horizon
        self.B_0 = max(1, math.ceil(self.o["q"] * N * K * d * math.log(T)))  # define B_0 = q log T
        self.m, self.shape = 0, (K, N, d)
        self.forced, self.newest = np.zeros(self.shape), np.zeros(self.shape)
        self.forget()

    def forget(self) -> None:
        self.B = [0] * self.shape[1]  # |B_m^j|, arrivals at each instance
        self.X: dict[tuple[int, int], list[np.ndarray]] = {}
        self.Y: dict[tuple[int, int], list[float]] = {}

    def choose(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
        if t <= self.B_0:  # if t is in batch 0
            return (self.B[user] + 1) % len(items)  # pull arm (arrivals mod K) + 1
        return screened(self.forced[:, user] @ contexts[0], self.newest[:, user] @ contexts[0], self)

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        self.B[user] += 1
        self.X.setdefault((user, item), []).append(context)
        self.Y.setdefault((user, item), []).append(reward)
        if t == 2**self.m * self.B_0:  # if batch m ends
            self.end()

    def end(self) -> None:
        omega, penalties = self.paths()
        if self.m == 0:
            self.forced = self.fit([self.o["lambda_0"]] * len(self.B), self.o["omega_0"], self.forced)
        self.newest = self.fit(penalties, min(omega, MOST), self.newest)
        self.m += 1
        if self.o["data"] == "batch":
            self.forget()

    def paths(self) -> tuple[float, list[float]]:
        o, d = self.o, self.shape[2]
        if self.m == 0 and o["initial"] == "constant":
            return o["zeta"] + o["eta"], [o["lambda_1"]] * len(self.B)
        grown = math.sqrt(math.log(d * min(n for n in self.B if n)))
        seen = [max(n, 1) for n in self.B]
        fallen = [math.sqrt(math.log(d * n) / n) for n in seen]
        omega = o["zeta"] + o["eta"] * grown  # define zeta_{1,m}, eta_{1,m} and omega_{1,m}
        return omega, [o["lambda_1"] * one for one in fallen]  # define lambda_{1,j,m}

    def fit(self, penalties: list[float], omega: float, before: np.ndarray) -> np.ndarray:
        """Return the estimates of each arm and instance, (K, N, d); an arm that was not played keeps its own."""
        o, found = self.o, before.copy()
        for k in range(self.shape[0]):
            given = {"poor": o.get("poor", 0.0), "ridge": o["ridge"], "down": o.get("rounding") == "down"}
            estimates = robust_multitask([self.rows(j, k) for j in range(self.shape[1])], penalties, omega, **given)
            found[k] = found[k] if estimates is None else estimates
        return found

    def rows(self, j: int, k: int) -> Rows:
        return np.array(self.X.get((j, k), [])).reshape(-1, self.shape[2]), np.array(self.Y.get((j, k), []))


def screened(forced: np.ndarray, newest: np.ndarray, twin: Twin) -> int:
    """Return the best arm by the second estimate, (K,), of those whose first one is within h / 2 of the best."""
    kept = forced >= forced.max() - twin.o["h"] / 2  # let K be the arms within h / 2
    return twin.random.best(np.where(kept, newest, -np.inf).tolist())  # pull arm argmax over K
