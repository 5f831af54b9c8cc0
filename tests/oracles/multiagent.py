"""Oracles of the multi-agent policies: plain, one replica, all agents in a list."""

from __future__ import annotations

import math

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from tests.oracles.plain import Learner, SplitMix64, best


def radius(options, delta, dimension, count):
    return options["width"] * math.sqrt(dimension * math.log((1 + count / options["lambda"]) / delta))


def values(learner, reach, contexts, shift=0.0):
    inverse, theta = learner.inverse, learner.estimate + shift
    return [float(theta @ x + reach * math.sqrt(x @ inverse @ x)) for x in contexts]


def maximal_cluster(estimates, gamma, p_star):
    """Algorithm 3: a list of clusters, each a list of agents."""
    near = np.linalg.norm(estimates[:, None] - estimates[None], axis=2) <= gamma
    count, label = connected_components(csr_array(near), directed=False)
    parts = [np.flatnonzero(label == part).tolist() for part in range(count)]
    small = [part for part in parts if len(part) < p_star * len(estimates)]
    rest = sorted(agent for part in small for agent in part)
    return [part for part in parts if part not in small] + ([rest] if rest else [])


class Agents:
    """What all oracles have."""

    def __init__(self, agents, dimension, horizon, options, random):
        self.agents, self.dimension, self.horizon = agents, dimension, horizon
        self.options, self.random = options, SplitMix64(random)
        self.begin()

    def fresh(self, count):
        return [Learner(self.dimension, self.options["lambda"]) for _ in range(count)]


class Alone(Agents):
    def begin(self):
        self.learners = self.fresh(self.agents)

    def choose(self, t, contexts):
        o = self.options
        return [
            best(values(m, radius(o, o["delta"], self.dimension, m.count), contexts), self.random)
            for m in self.learners
        ]

    def learn(self, t, contexts, arms, rewards):
        for learner, arm, reward in zip(self.learners, arms, rewards, strict=True):
            learner.observe(contexts[arm], reward)


class Cmlb(Agents):
    def begin(self):
        self.phase(self.horizon, self.options["delta"], self.options.get("p_star", 0.0))

    def phase(self, horizon, delta, p_star):
        o, pairs = self.options, self.agents * horizon
        self.delta, self.p_star = delta, p_star
        explore = o["constant"] ** 2 * self.dimension * pairs ** (2 * o["exponent"]) * math.log(1 / delta)
        self.explore = max(1, math.ceil(explore))
        self.gamma = 3 / pairs ** o["exponent"]
        self.alone = self.fresh(self.agents)
        self.clusters = None

    def choose(self, t, contexts):
        if t <= self.explore:
            return [
                best(values(m, radius(self.options, self.delta, self.dimension, m.count), contexts), self.random)
                for m in self.alone
            ]
        arms = [0] * self.agents
        for members, learner in zip(self.clusters, self.learners, strict=True):
            reach = radius(self.options, self.delta, self.dimension, learner.count)
            if self.options["averaged"] == "aware":
                reach /= math.sqrt(len(members))
            arm = best(values(learner, reach, contexts), self.random)
            for agent in members:
                arms[agent] = arm
        return arms

    def learn(self, t, contexts, arms, rewards):
        if t <= self.explore:
            for learner, arm, reward in zip(self.alone, arms, rewards, strict=True):
                learner.observe(contexts[arm], reward)
        if t == self.explore:
            estimates = np.stack([learner.estimate for learner in self.alone])
            self.clusters = sorted(maximal_cluster(estimates, self.gamma, self.p_star))
            self.learners = self.fresh(len(self.clusters))
        if t > self.explore:
            for members, learner in zip(self.clusters, self.learners, strict=True):
                learner.observe(contexts[arms[members[0]]], float(np.mean([rewards[agent] for agent in members])))


class Sclb(Cmlb):
    def begin(self):
        self.before, self.i = 0, 0

    def choose(self, t, contexts):
        if t > self.before + (2**self.i if self.i else 0):
            self.before = t - 1
            self.i += 1
            self.phase(2**self.i, self.options["delta"] / 2**self.i, self.i**-2)
        return super().choose(t - self.before, contexts)

    def learn(self, t, contexts, arms, rewards):
        super().learn(t - self.before, contexts, arms, rewards)


class AlbNorm(Agents):
    shift = 0.0
    corrected = 0.0

    def begin(self):
        o = self.options
        self.learners = self.fresh(self.agents)
        self.norm = [o["norm"]] * self.agents
        self.delta = [o["delta"]] * self.agents
        self.length = [o["first_epoch"]] * self.agents

    def reach(self, agent):
        return radius(self.options, self.delta[agent], self.dimension, self.learners[agent].count)

    def choose(self, t, contexts):
        return [
            best(values(m, self.norm[i] * self.reach(i), contexts, self.shift), self.random)
            for i, m in enumerate(self.learners)
        ]

    def learn(self, t, contexts, arms, rewards):
        for i, m in enumerate(self.learners):
            x = contexts[arms[i]]
            m.observe(x, rewards[i] - float(np.dot(np.broadcast_to(self.corrected, x.shape), x)))
            if m.count == self.length[i]:
                # The longest point of the ellipsoid is at most this far away.
                longest = np.linalg.norm(m.estimate) + self.norm[i] * self.reach(i) / math.sqrt(
                    np.linalg.eigvalsh(m.gram)[0]
                )
                self.norm[i] = min(self.norm[i], longest)
                self.delta[i] /= 2
                self.length[i] *= 2
                self.learners[i] = self.fresh(1)[0]


class Pmlb(AlbNorm):
    def begin(self):
        super().begin()
        self.common = self.fresh(1)[0]
        if self.options["personal"] == "linucb":
            self.norm = [1.0] * self.agents
            self.length = [math.inf] * self.agents

    def choose(self, t, contexts):
        if t <= math.isqrt(self.horizon):
            o = self.options
            reach = radius(o, o["delta"], self.dimension, self.common.count)
            if o["averaged"] == "aware":
                reach /= math.sqrt(self.agents)
            return [best(values(self.common, reach, contexts), self.random)] * self.agents
        return super().choose(t, contexts)

    def learn(self, t, contexts, arms, rewards):
        if t <= math.isqrt(self.horizon):
            self.common.observe(contexts[arms[0]], float(np.mean(rewards)))
            self.corrected = self.common.estimate
            self.shift = 0.0 if self.options["index"] == "difference" else self.corrected
        else:
            super().learn(t, contexts, arms, rewards)
