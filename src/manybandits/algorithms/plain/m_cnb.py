"""M-CNB, plainly: Ban, Qi, Wei, Liu and He 2024, "Meta clustering of neural bandits", Algorithms 1 and 2.

Not here: Algorithm 1, lines 1, 4, 5, 10, 18 and 22: the input, and loops; Algorithm 1, line 12: the game plays the arm;
Algorithm 1, lines 19 to 21: other users stay as they are. Algorithm 2 numbers no lines.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from manybandits.algorithms.plain._networks import Steps, Weights, f, flat, g, loss_slopes, plain_weights
from manybandits.algorithms.plain._twin import Twin

Data = list[tuple[np.ndarray, float]]
"""Contexts, (d,), and rewards."""


def step(W: Weights, data: Iterable[tuple[np.ndarray, float]], steps: Steps) -> Weights:
    """Return the weights after a step on the mean of (f(x) - r)^2 / 2."""
    X, r = map(np.array, zip(*data, strict=True))
    return steps.step(W, loss_slopes(W, X, r, 1 / len(r)), X)


class MCNB(Twin):
    """A network for each user, and a meta-learner that adapts to the cluster of each arm."""

    by_user = observes_first = True

    def begin(self) -> None:
        o, n, self.t = self.o, self.problem.users, 0
        drawn = 1 + n * (o["first"] == "own")
        self.Theta, *own = plain_weights(self.random, drawn, self.problem.dimension, o["width"], o["layers"])
        self.theta_0 = own or [self.Theta] * n  # Algorithm 1, line 2: theta_0^u = Theta_0
        self.theta, self.mu, self.T = [*self.theta_0], [0] * n, [Data() for _ in range(n)]
        self.all, self.tried = Data(), dict[int, tuple[list[int], Weights, Steps]]()
        self.user_steps = [Steps(o["user_optimiser"], o["user_rate"]) for _ in range(n)]
        self.meta_steps, self.trained = Steps(o["meta_optimiser"], o["meta_rate"]), Steps("adam", o["rate"])
        for u, x, r in self.first if o["first_data"] == "one" else ():  # Algorithm 1, line 3
            self.all.append((x, r))
            self.take(u, x, r)
            self.mu[u] = 1
        if o["learning"] == "history" and self.all:
            self.train_users()

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        if t > self.t and self.o["draws"] == "round":
            self.drawn = [self.draw(range(len(self.T))) for _ in range(self.o["meta_steps"])]
        self.t, found = t, []
        for k, (item, x) in enumerate(zip(items, contexts, strict=True)):  # Algorithm 1, line 6
            said = [float(f(theta, x[None])[0]) for theta in self.theta]
            reach = (self.o["nu"] - 1) / self.o["nu"] * self.o["gamma"]
            N = [v for v, value in enumerate(said) if abs(value - said[user]) <= reach]  # Algorithm 1, line 7
            Theta, steps = self.sgd_meta(N)  # Algorithm 1, line 8
            self.tried[int(item) if self.problem.each_arm_its_user else k] = N, Theta, steps
            found.append(self.index(user, x, Theta))
        return found  # Algorithm 1, line 11: play the largest

    def index(self, u: int, x: np.ndarray, Theta: Weights) -> float:
        mu, o = max(self.mu[u], 1), self.o
        moved = float(np.linalg.norm(flat(g(Theta, x)) - flat(g(self.theta_0[u], x)))) / o["width"] ** 0.25
        U = moved + math.sqrt((o["S"] + 1) / (2 * mu)) + math.sqrt(2 * math.log(1 / o["delta"]) / mu)
        return float(f(Theta, x[None])[0] + o["alpha"] * U)  # Algorithm 1, line 9

    def draw(self, users: Iterable[int]) -> dict[int, tuple[np.ndarray, float]]:
        return {v: self.T[v][self.random.below(len(self.T[v]))] for v in users if self.T[v]}

    def sgd_meta(self, N: list[int]) -> tuple[Weights, Steps]:
        """Return Theta adapted to a cluster, and its steps (Algorithm 2)."""
        Theta, steps = self.Theta, self.meta_steps.copy()
        for j in range(self.o["meta_steps"]):
            if data := self.few(N) if self.o["samples"] else self.one_each(N, j):
                Theta = step(Theta, data, steps)  # Algorithm 2: a step on the mean of their losses
        return Theta, steps

    def one_each(self, N: list[int], j: int) -> Data:
        drawn = self.draw(N) if self.o["draws"] == "arm" else self.drawn[j]  # Algorithm 2: draw (x, r) from T^v
        return [drawn[v] for v in N if v in drawn]

    def few(self, N: list[int]) -> Data:
        """Return "a few samples" of a cluster (section 4), each drawn by a random member."""
        T = [self.T[v] for v in N if self.T[v]]
        some = (T[self.random.below(len(T))] for _ in range(self.o["samples"] if T else 0))
        return [data[self.random.below(len(data))] for data in some]

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        o, (N, self.Theta, self.meta_steps) = self.o, self.tried[self.arm]  # Algorithm 1, line 13: Theta_t = Theta_i
        self.all.append((context, reward))
        for u in N if o["learners"] == "cluster" else [user]:  # Algorithm 1, line 14
            self.take(u, context, reward)
            self.mu[u] += o["counts"] == "learned"  # Algorithm 1, line 17
        self.mu[user] += o["counts"] == "served"
        if t % (o["early"] if t <= o["until"] else o["late"]) == 0:
            if o["learning"] == "history":
                self.train_users()
            for _ in range(o["steps"] if o["meta_training"] == "all" else 0):
                data = [self.all[self.random.below(len(self.all))] for _ in range(o["batch"])]
                self.Theta = step(self.Theta, data, self.trained)

    def take(self, u: int, x: np.ndarray, r: float) -> None:
        if self.o["learning"] == "step":
            self.theta[u] = step(self.theta[u], [(x, r)], self.user_steps[u])  # Algorithm 1, lines 15 and 16
        self.T[u].append((x, r))  # Algorithm 1, line 17

    def train_users(self) -> None:
        """Train each user on draws from its own data (section 4)."""
        own = max(1, self.o["batch"] // len(self.T))
        drawn = [self.draw(range(len(self.T))) for _ in range(self.o["steps"] * own)]
        for u in range(len(self.T)):
            for start in range(0, len(drawn) if self.T[u] else 0, own):
                batch = [one[u] for one in drawn[start : start + own]]
                self.theta[u] = step(self.theta[u], batch, self.user_steps[u])
