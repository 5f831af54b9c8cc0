"""Meta-Ban, plainly: Ban, Qi, Wei and He 2022, "Neural collaborative filtering bandits via meta learning".

Algorithms 1 to 3.
Not here: Algorithm 1, lines 1, 4, 5, 10 and 19: the input, and loops; Algorithm 1, line 12: the game plays the arm;
Algorithm 1, lines 16 to 18: other users stay as they are; Algorithm 2, line 10: the end of a loop; Algorithm 3, line 7:
the end of a loop.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain._networks import Steps, Weights, f, flat, g, loss_slopes, plain_weights
from manybandits.algorithms.plain._twin import Twin

Data = list[tuple[np.ndarray, float]]
"""Contexts, (d,), and rewards."""


class MetaBan(Twin):
    """A network for each user, and a meta-learner that adapts to the group of each arm."""

    by_user = observes_first = True

    def begin(self) -> None:
        o, n = self.o, self.problem.users
        (self.Theta_0,) = plain_weights(self.random, 1, self.problem.dimension, o["width"], o["layers"])
        self.Theta, self.theta = self.Theta_0, [self.Theta_0] * n  # Algorithm 1, line 2
        self.T, self.past = [Data() for _ in range(n)], [[self.Theta_0] for _ in range(n)]
        self.slopes, self.known = [[0.0 * layer for layer in self.Theta_0]] * n, list[int]()
        self.reach = (o["nu"] - 1) / o["nu"] * o["gamma"]
        self.tried, self.shrink = dict[int, Weights](), o["lambda"] / math.sqrt(o["width"])
        for u, x, r in self.first if o["first_data"] == "one" else ():  # Algorithm 1, line 3
            self.train(u, x, r)

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        found = []
        for k, (item, x) in enumerate(zip(items, contexts, strict=True)):  # Algorithm 1, line 6
            said = [float(f(W, x[None])[0]) for W in self.theta]
            N = [v for v in self.known if abs(said[v] - said[user]) <= self.reach]  # Algorithm 1, line 7
            Theta = self.meta(N)  # Algorithm 1, line 8
            self.tried[int(item) if self.problem.each_arm_its_user else k] = Theta
            moved = float(np.linalg.norm(flat(g(Theta, x)) - flat(g(self.Theta_0, x)))) / self.o["width"] ** 0.25
            own, alpha = 1 / math.sqrt(max(1, len(self.T[user]))), self.o["alpha"]
            bonus = alpha * (moved + own) if self.o["scaled"] == "all" else alpha * moved + own
            found.append(float(f(Theta, x[None])[0]) + bonus)  # Algorithm 1, line 9
        return found  # Algorithm 1, line 11: play the largest

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        self.Theta = self.tried[self.arm]  # Algorithm 1, line 13
        self.train(user, context, reward)  # Algorithm 1, line 15

    def meta(self, N: list[int]) -> Weights:
        """Return Theta adapted to a group (Algorithm 2)."""
        o, Theta = self.o, self.Theta_0 if self.o["meta_start"] == "initial" else self.Theta  # Algorithm 2, line 1
        steps, all_inputs = Steps(o["meta_optimiser"], o["meta_rate"]), np.ones((1, self.problem.dimension))
        for _ in range(o["meta_steps"] if N else 0):  # Algorithm 2, line 2
            slopes = self.at_users(N) if o["gradient"] == "user" else self.at_Theta(N, Theta)
            Theta = steps.step(Theta, slopes, all_inputs)  # Algorithm 2, line 9
        return Theta  # Algorithm 2, line 11

    def at_users(self, N: list[int]) -> Weights:
        """Return the gradient of a group's loss in the weights of its users."""
        share = 1 / len(N) if self.o["loss"] == "mean" else 1.0
        layers = zip(*[self.slopes[v] for v in N], strict=True)
        return [share * np.sum(layer, axis=0) for layer in layers]  # Algorithm 2, line 8

    def at_Theta(self, N: list[int], Theta: Weights) -> Weights:
        """Return the gradient of a group's loss at Theta (equation 5 and Lemma 6.2)."""
        means, batch = self.o["loss"] == "mean", self.o["batch"]
        everything = [one for v in N for one in reversed(self.T[v])]
        if len(everything) <= batch:
            share = np.array([1 / len(N) / len(self.T[v]) if means else 1.0 for v in N for _ in self.T[v]])
            chosen = everything
        else:
            chosen = [self.one(N) if means else everything[self.random.below(len(everything))] for _ in range(batch)]
            share = np.full(batch, (1 if means else len(everything)) / batch)
        return self.slopes_at(Theta, chosen, share, 1 if means else len(N))

    def one(self, N: list[int]) -> tuple[np.ndarray, float]:
        own = self.T[N[self.random.below(len(N))]]
        return own[-1 - self.random.below(len(own))]

    def slopes_at(self, W: Weights, data: Data, share: np.ndarray | float, penalties: int) -> Weights:
        """Return the gradient of sum share (f(x) - r)^2 / 2 + penalties lambda / sqrt(m) |W|_1."""
        X, r = map(np.array, zip(*data, strict=True))
        slopes = loss_slopes(W, X, r, share)
        return [slope + penalties * self.shrink * np.sign(layer) for slope, layer in zip(slopes, W, strict=True)]

    def train(self, u: int, x: np.ndarray, r: float) -> None:
        """Train a user on its data (Algorithm 3)."""
        o, W = self.o, self.Theta_0 if self.o["user_start"] == "initial" else self.Theta  # Algorithm 3, line 2
        self.T[u].append((x, r))  # Algorithm 1, line 14: mu is how many there are
        if u not in self.known:
            self.known.append(u)
        steps = Steps(o["user_optimiser"], o["user_rate"])
        for data in [self.subset(u) for _ in range(o["user_steps"])]:  # Algorithm 3, line 3
            X, y = map(np.array, zip(*data, strict=True))
            W = steps.step(W, loss_slopes(W, X, y, 1 / len(y)), X)  # Algorithm 3, lines 5 and 6
        self.past[u].append(W)  # Algorithm 3, line 8
        self.theta[u] = self.drawn(u)  # Algorithm 3, line 9
        if o["gradient"] == "user":
            share = 1.0 if o["loss"] == "sum" else None
            drawn = [self.subset(u) for _ in range(o["meta_steps"])]  # Algorithm 2, lines 3 and 4: of all steps at once
            parts = [self.slopes_at(W, one, share or 1 / len(one), 1) for one in drawn]  # Algorithm 2, lines 5 to 7
            self.slopes[u] = [np.mean(layer, axis=0) for layer in zip(*parts, strict=True)]

    def drawn(self, u: int) -> Weights:
        """Return one of all weights that a user has had, Theta_0 among them."""
        past, kind = self.past[u], self.o["weights"]
        if kind == "last":
            return past[-1]
        if kind == "uniform":  # the newest replaces the one drawn before with probability 1 / (mu + 1)
            return past[-1] if self.random.below(len(past)) == 0 else self.theta[u]
        return [*past[:0:-1], past[0]][self.random.below(len(past))]

    def subset(self, u: int) -> Data:
        """Return all data of a user, or a random subset."""
        latest_first, batch = self.T[u][::-1], self.o["batch"]  # Algorithm 3, line 1
        if len(latest_first) <= batch:
            return latest_first
        drawn = [self.random.below(len(latest_first)) for _ in range(batch)]
        return [latest_first[place] for place in drawn]  # Algorithm 3, line 4
