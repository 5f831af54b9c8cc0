"""Oracles of the policies that LNUCB-TA compares: context-free, linear an arm, nearest neighbours, and both."""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import brentq

from tests.oracles.plain import Learner, SplitMix64, best


def normal(random):
    radius = math.sqrt(-2 * math.log(1 - random.uniform()))
    return radius * math.cos(2 * math.pi * random.uniform())


def gamma(shape, random):
    boost = 1.0
    if shape < 1:
        boost = (1 - random.uniform()) ** (1 / shape)
        shape += 1
    d = shape - 1 / 3
    while True:
        x = normal(random)
        v = (1 + x / math.sqrt(9 * d)) ** 3
        if v > 0 and math.log(1 - random.uniform()) < x * x / 2 + d - d * v + d * math.log(v):
            return boost * d * v


def beta(a, b, random):
    x = gamma(a, random)
    return x / (x + gamma(b, random))


def kl_bound(mean, most):
    """The largest q with kl(mean, q) <= most."""

    def gap(q):
        parts = [p * math.log(p / s) for p, s in ((mean, q), (1 - mean, 1 - q)) if p > 0]
        return sum(parts) - most

    high = 1 - 1e-15
    return high if mean >= 1 or gap(high) <= 0 else brentq(gap, mean, high, xtol=1e-14) if most > 0 else mean


class Hybrid:
    """Everything that was seen of every arm, and a linear model of each; with arms = 1, of all together."""

    def __init__(self, arms, dimension, options, released, random, mean_reward):
        self.options, self.released, self.mean_reward = options, released, mean_reward
        self.random = SplitMix64(random)
        self.arms = [Learner(dimension, options.get("lambda", 1.0)) for _ in range(arms)]
        self.seen = [[] for _ in range(arms)]

    def learn(self, t, arm, x, reward):
        self.arms[arm].observe(x, reward)
        self.seen[arm].append((x, reward))

    def rewards(self, arm):
        return [reward for _, reward in self.seen[arm]]

    def mean(self, arm):
        return float(np.mean(self.rewards(arm))) if self.seen[arm] else 0.0

    def linear(self, arm, x):
        learner = self.arms[arm]
        return float(learner.estimate @ x), math.sqrt(x @ learner.inverse @ x)

    def nearest(self, arm, x, k):
        """Distances and rewards of the k nearest; the latest first among equals, unless options say the earliest."""
        if not self.seen[arm]:
            return [], []
        contexts, rewards = (np.array(column) for column in zip(*self.seen[arm], strict=True))
        squares = ((x - contexts) ** 2).sum(axis=1)
        age = np.arange(len(squares))
        order = np.lexsort((age if self.options.get("ties") == "earliest" else -age, squares))[:k]
        return list(np.sqrt(squares[order])), list(rewards[order])

    def bounded(self, arm, x, rho, t):
        distances, rewards = self.nearest(arm, x, self.options["most"])
        distances = [self.options["phi"] * distance for distance in distances]
        doubts = [math.sqrt(rho * math.log(t) / (k + 1)) + distance for k, distance in enumerate(distances)]
        k = int(np.argmin(doubts)) + 1
        return float(np.mean(rewards[:k])), distances[k - 1], k

    def adapted(self, arm, x):
        low, high = self.options["theta_min"], self.options["theta_max"]
        wanted = low + (high - low) * (float(np.var(self.rewards(arm))) if self.seen[arm] else 0.0)
        if len(self.seen[arm]) < wanted - 1e-9:
            return 0.0
        up = 0.5 if self.options["rounding"] == "nearest" else 0.0
        distances, rewards = map(np.array, self.nearest(arm, x, math.floor(wanted + up + 1e-9)))
        if self.options["weights"] == "uniform":
            return float(np.mean(rewards))
        if not distances[0]:
            return float(np.mean(rewards[distances == 0]))
        return float(np.average(rewards, weights=1 / distances))

    def attention(self):
        scores = np.exp([-self.options["gamma"] * len(self.seen[self.model(arm)]) for arm in range(self.offered)])
        return scores / scores.sum()

    def model(self, arm):
        return arm if len(self.seen) > 1 else 0

    def choose(self, t, contexts):
        self.offered = len(contexts)
        return best([self.value(t, self.model(arm), x) for arm, x in enumerate(contexts)], self.random)


class Ucb(Hybrid):
    def value(self, t, arm, x):
        pulls = len(self.seen[arm])
        return self.mean(arm) + math.sqrt(self.options["rho"] * math.log(t) / pulls) if pulls else math.inf


class KlUcb(Hybrid):
    def level(self, t):
        return math.log(t) + (self.options["c"] * math.log(math.log(t)) if t >= 3 else 0.0)

    def value(self, t, arm, x):
        pulls = len(self.seen[arm])
        return kl_bound(self.mean(arm), self.level(t) / pulls) if pulls else math.inf


class EpsGreedy(Hybrid):
    def choose(self, t, contexts):
        self.offered = len(contexts)
        if self.random.uniform() < self.options["epsilon"]:
            return self.explore(self.offered)
        return super().choose(t, contexts)

    def explore(self, arms):
        return int(self.random.uniform() * arms)

    def value(self, t, arm, x):
        return self.mean(arm)


class BetaThompson(Hybrid):
    def posterior(self, arm):
        a0, b0 = map(float, self.options["prior"].split(":"))
        hits = sum(self.rewards(arm))
        return a0 + hits, b0 + len(self.seen[arm]) - hits

    def value(self, t, arm, x):
        return beta(*self.posterior(arm), self.random)


class LinUCB(Hybrid):
    def value(self, t, arm, x):
        mean, width = self.linear(arm, x)
        return mean + self.options["alpha"] * width


class LinThompson(Hybrid):
    def __init__(self, arms, dimension, options, released, random, mean_reward):
        super().__init__(arms, dimension, options, released, random, mean_reward)
        if options["model"] == "one":
            self.arms = [self.arms[0]] * arms

    def choose(self, t, contexts):
        if self.options["model"] == "one":
            deviates = [normal(self.random) for _ in range(len(self.arms[0].moment))]
            off = np.linalg.solve(np.linalg.cholesky(self.arms[0].gram).T, deviates)
            drawn = [float(off @ x) for x in contexts]
        else:
            drawn = [self.linear(self.model(arm), x)[1] * normal(self.random) for arm, x in enumerate(contexts)]
        self.off = iter(drawn)
        return super().choose(t, contexts)

    def value(self, t, arm, x):
        return self.linear(arm, x)[0] + self.options["v"] * next(self.off)


class LinThompsonUCB(Hybrid):
    def value(self, t, arm, x):
        mean, width = self.linear(arm, x)
        return mean + (self.options["alpha"] + self.options["v"] * normal(self.random)) * width


class KnnUcb(Hybrid):
    def value(self, t, arm, x):
        if not self.seen[arm]:
            return math.inf
        mean, reach, k = self.bounded(arm, x, self.options["rho"], t)
        return mean + math.sqrt(self.options["rho"] * math.log(t) / k) + reach


class KnnKlUcb(KlUcb):
    def value(self, t, arm, x):
        if not self.seen[arm]:
            return math.inf
        rho = self.options["rho"]
        mean, reach, k = self.bounded(arm, x, rho, t)
        return kl_bound(mean, (self.level(t) + (rho - 1) * math.log(t)) / k) + reach


class LinKnnUcb(Hybrid):
    def value(self, t, arm, x):
        if not self.seen[arm]:
            return math.inf
        alpha = self.options["alpha"]
        near, reach, k = self.bounded(arm, x, alpha, t)
        mean, width = self.linear(arm, x)
        bound = math.sqrt(alpha * math.log(t) / k) + reach
        return mean + alpha * width + near + (bound if self.options["bound"] == "both" else 0.0)


class KnnEpsGreedy(EpsGreedy):
    def value(self, t, arm, x):
        rewards = self.nearest(arm, x, self.options["most"])[1]
        return float(np.mean(rewards)) if rewards else 0.0


class BetaThompsonEnhanced(BetaThompson):
    def value(self, t, arm, x):
        hits, misses = self.posterior(arm)
        mean = hits / (hits + misses)
        return self.adapted(arm, x) + mean + self.attention()[arm] * (beta(hits, misses, self.random) - mean)


class EpsGreedyEnhanced(EpsGreedy):
    def explore(self, arms):
        return int(np.searchsorted(np.cumsum(self.attention())[:-1], self.random.uniform(), side="right"))

    def value(self, t, arm, x):
        return self.adapted(arm, x) + self.mean(arm)


class LinThompsonEnhanced(LinThompson):
    def value(self, t, arm, x):
        off = self.attention()[arm] * self.options["v"] * next(self.off)
        return self.adapted(arm, x) + self.linear(arm, x)[0] + off
