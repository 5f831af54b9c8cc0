"""Oracles of the bandits of many instances: plain, one replica, observations in lists."""

from __future__ import annotations

import math

import numpy as np
from sklearn.linear_model import Lasso

from tests.oracles.plain import SplitMix64, best
from tests.oracles.robust_multitask import trimmed_mean

RIDGE = 1e-6


def least_squares(x, y):
    if len(x) < x.shape[1]:
        return np.linalg.solve(x.T @ x + RIDGE * (x**2).sum() / x.shape[1] * np.eye(x.shape[1]), x.T @ y)
    return np.linalg.lstsq(x, y, rcond=None)[0]


def lasso(x, y, penalty):
    if math.isinf(penalty):
        return np.zeros(x.shape[1])
    return Lasso(alpha=penalty / 2, fit_intercept=False, tol=1e-12, max_iter=1_000_000).fit(x, y).coef_


def screened(forced, every, context, h, random):
    """The arm that the second of two lists of K estimates prefers, among those that the first leaves."""
    values = [float(context @ b) for b in forced]
    kept = [value >= max(values) - h / 2 for value in values]
    return best([float(context @ b) if keep else -math.inf for b, keep in zip(every, kept, strict=True)], random)


class Alone:
    """What all oracles have: observations, in a list an instance and arm."""

    def __init__(self, instances, arms, dimension, horizon, options, random):
        self.instances, self.arms, self.dimension, self.horizon = instances, arms, dimension, horizon
        self.options, self.random = options, SplitMix64(random)
        self.clock = [0] * instances
        self.forced, self.every = self.empty(), self.empty()
        self.begin()

    def begin(self):
        pass

    def empty(self):
        return {(j, k): ([], []) for j in range(self.instances) for k in range(self.arms)}

    def data(self, samples, j, k):
        x, y = samples[j, k]
        return np.array(x).reshape(-1, self.dimension), np.array(y)

    def forced_arm(self, arrival):
        q, n = self.options["q"], 0
        while (2**n - 1) * self.arms * q < arrival:
            for k in range(self.arms):
                if (2**n - 1) * self.arms * q + q * k < arrival <= (2**n - 1) * self.arms * q + q * (k + 1):
                    return k
            n += 1
        return None

    def choose(self, t, j, context):
        arm = self.forced_arm(self.clock[j] + 1)
        if arm is not None:
            return arm
        forced = [self.estimate(self.forced, j, k, forced=True) for k in range(self.arms)]
        every = [self.estimate(self.every, j, k, forced=False) for k in range(self.arms)]
        return screened(forced, every, context, self.options["h"], self.random)

    def learn(self, t, j, k, context, reward):
        self.clock[j] += 1
        samples = [self.every] + ([self.forced] if self.forced_arm(self.clock[j]) is not None else [])
        for some in samples:
            some[j, k][0].append(context)
            some[j, k][1].append(reward)


class Ols(Alone):
    def estimate(self, samples, j, k, forced):
        x, y = self.data(samples, j, k)
        return np.linalg.solve(x.T @ x + RIDGE * np.eye(self.dimension), x.T @ y)


class LassoAlone(Alone):
    def estimate(self, samples, j, k, forced):
        t, o = self.clock[j], self.options
        penalty = o["lambda_1"] if forced else o["lambda_2"] * math.sqrt((math.log(t) + math.log(self.dimension)) / t)
        x, y = self.data(samples, j, k)
        return lasso(x, y, penalty) if len(x) else np.zeros(self.dimension)


class Robust(Alone):
    """Algorithm 2; what its ablations and baselines differ in are the values below."""

    trims, penalised = True, True

    def begin(self):
        d, o = self.dimension, self.options
        self.m = 0
        self.first = max(1, math.ceil(o["q"] * self.instances * self.arms * d * math.log(self.horizon)))
        self.by_forced = self.by_all = None

    def fit(self, samples, omega, penalties, before):
        """Estimates of every instance and arm."""
        found = dict(before or {(j, k): np.zeros(self.dimension) for j, k in samples})
        for k in range(self.arms):
            count = [len(samples[j, k][1]) for j in range(self.instances)]
            rich = [
                j
                for j in range(self.instances)
                if count[j] and count[j] >= self.options.get("poor", 0.0) * np.mean(count)
            ]
            if not rich:
                continue
            own = np.stack([least_squares(*self.data(samples, j, k)) for j in rich])
            shared = np.array([trimmed_mean(list(column), omega) for column in own.T])
            for j in range(self.instances):
                x, y = self.data(samples, j, k)
                found[j, k] = shared + (lasso(x, y - x @ shared, penalties[j]) if count[j] else 0.0)
        return found

    def paths(self, arrivals):
        o, d = self.options, self.dimension
        if not self.penalised:
            return 0.0, [math.inf] * self.instances
        fixed = self.m == 0 and o["initial"] == "constant"
        some = [n for n in arrivals if n > 0]
        omega = o["zeta"] + o["eta"] * (1.0 if fixed else math.sqrt(math.log(d * min(some)))) if self.trims else 0.0
        decay = [1.0 if fixed else math.sqrt(math.log(d * max(n, 1)) / max(n, 1)) for n in arrivals]
        return min(omega, 0.49), [o["lambda_1"] * part for part in decay]

    def choose(self, t, j, context):
        if t <= self.first:
            return (self.clock[j] + 1) % self.arms
        estimates = ([some[j, k] for k in range(self.arms)] for some in (self.by_forced, self.by_all))
        return screened(*estimates, context, self.options["h"], self.random)

    def learn(self, t, j, k, context, reward):
        self.clock[j] += 1
        self.every[j, k][0].append(context)
        self.every[j, k][1].append(reward)
        if t == 2**self.m * self.first:
            omega, penalties = self.paths(self.clock)
            if self.m == 0:
                forced = self.options["lambda_0"] if self.penalised else math.inf
                trimmed = self.options["omega_0"] if self.trims else 0.0
                self.by_forced = self.fit(self.every, trimmed, [forced] * self.instances, None)
            self.by_all = self.fit(self.every, omega, penalties, self.by_all)
            self.m += 1
            if self.options["data"] == "batch":
                self.clock = [0] * self.instances
                self.every = self.empty()


class Averaging(Robust):
    trims = False


class Averaged(Averaging):
    penalised = False


class Pooled(Averaged):
    def begin(self):
        super().begin()
        self.instances = 1
        self.clock, self.every = [0], self.empty()

    def choose(self, t, j, context):
        return super().choose(t, 0, context)

    def learn(self, t, j, k, context, reward):
        super().learn(t, 0, k, context, reward)
