"""Plain twins of the algorithms for agents that all play in each round, line by line from Ghosh et al. (2021).

Every class but those of single agents plays a whole game of N agents. ``values(contexts)`` returns one row of indices
per agent, (N, K), for the contexts of a round, (K, d), which all agents see; ``learn(contexts, arms, rewards)`` gets an
arm and a reward per agent. Nothing is updated: all estimates are solved anew from everything that was seen. Whatever
the text leaves open is an argument; `twin` makes a twin from the options of the algorithm's module.
"""

from __future__ import annotations

import math

import numpy as np


class Oful:
    """OFUL of Abbasi-Yadkori et al. (2011): ridge regression, with the radius of Theorem 2 for contexts of length 1.

    noise: the scale sigma of the rewards' noise. norm: the bound S on the length of the unknown vector.
    scale: multiplies the whole radius; 1 is the theory's.
    """

    def __init__(self, dimension, delta, regularisation=1.0, noise=1.0, norm=1.0, scale=1.0):
        self.dimension, self.delta, self.regularisation = dimension, delta, regularisation
        self.noise, self.norm, self.scale = noise, norm, scale
        self.contexts, self.rewards = np.empty((0, dimension)), np.empty(0)

    @property
    def matrix(self):
        return self.regularisation * np.eye(self.dimension) + self.contexts.T @ self.contexts

    @property
    def estimate(self):
        return np.linalg.solve(self.matrix, self.contexts.T @ self.rewards)

    @property
    def radius(self):
        t = len(self.rewards)
        spread = math.sqrt(self.dimension * math.log((1 + t / self.regularisation) / self.delta))
        return self.scale * (self.noise * spread + math.sqrt(self.regularisation) * self.norm)

    def values(self, contexts):
        lengths = np.sqrt(np.einsum("kd,dk->k", contexts, np.linalg.solve(self.matrix, contexts.T)))
        return contexts @ self.estimate + self.radius * lengths

    def learn(self, x, reward):
        self.contexts, self.rewards = np.vstack([self.contexts, x]), np.append(self.rewards, reward)


class Alone:
    """LinUCB-Ind of section 6.1: every agent has its own copy of OFUL. new: returns a new learner of one agent."""

    def __init__(self, agents, new):
        self.agents = [new() for _ in range(agents)]

    def values(self, contexts):
        return np.array([agent.values(contexts) for agent in self.agents])

    def learn(self, contexts, arms, rewards):
        for agent, arm, reward in zip(self.agents, arms, rewards, strict=True):
            agent.learn(contexts[arm], reward)


def linked_groups(estimates, threshold):
    """Line 3 of Algorithm 3: the connected components of the graph that links estimates at most `threshold` apart."""
    label = list(range(len(estimates)))
    for i, own in enumerate(estimates):
        for j in range(i):
            if np.linalg.norm(own - estimates[j]) <= threshold:
                old, new = label[i], label[j]
                label = [new if name == old else name for name in label]
    return [[i for i, name in enumerate(label) if name == wanted] for wanted in dict.fromkeys(label)]


def maximal_cluster(estimates, size, threshold):
    """Algorithm 3: components of at least size * N agents, and one cluster of all others."""
    groups = linked_groups(estimates, threshold)
    small = [group for group in groups if len(group) < size * len(estimates)]
    collapsed = sorted(agent for group in small for agent in group)
    return [group for group in groups if group not in small] + ([collapsed] if collapsed else [])


def exploration_rounds(agents, dimension, horizon, delta, alpha, constant, smallest_eigenvalue=1.0):
    """Line 2 of Algorithm 2, T_Explore, with `constant` for C^(2); the proof of Lemma 1 divides it by rho_min."""
    wanted = constant * dimension * (agents * horizon) ** (2 * alpha) * math.log(1 / delta)
    return max(1, math.ceil(wanted / smallest_eigenvalue))


class Cmlb:
    """Algorithm 2.

    explore: T_Explore, rounds of individual learning. aware: whether a cluster's OFUL knows that its reward is an
    average of n, whose noise is smaller by sqrt(n).
    """

    def __init__(self, agents, dimension, delta, explore, threshold, size=0.0, aware=True, **oful):
        self.individual = Alone(agents, lambda: Oful(dimension, delta, **oful))
        self.explore, self.threshold, self.size, self.aware = explore, threshold, size, aware
        self.dimension, self.delta, self.oful = dimension, delta, oful
        self.t = 0
        self.clusters = None  # until lines 4 to 6

    def values(self, contexts):
        if self.t < self.explore:
            return self.individual.values(contexts)
        if self.clusters is None:
            self._cluster()
        values = np.empty((len(self.individual.agents), len(contexts)))
        for members, instance in self.clusters:
            values[members] = instance.values(contexts)
        return values

    def _cluster(self):
        estimates = [agent.estimate for agent in self.individual.agents]
        self.clusters = []
        for members in maximal_cluster(estimates, self.size, self.threshold):
            oful = dict(self.oful)
            if self.aware:
                oful["noise"] /= math.sqrt(len(members))
            self.clusters.append((members, Oful(self.dimension, self.delta, **oful)))

    def learn(self, contexts, arms, rewards):
        if self.t < self.explore:
            self.individual.learn(contexts, arms, rewards)
        else:
            for members, instance in self.clusters:
                instance.learn(contexts[arms[members[0]]], np.mean(rewards[members]))
        self.t += 1


class Sclb:
    """Algorithm 1: phase i = 1, 2, ... is a new CMLB for 2^i rounds; the last phase ends with the run.

    explore: a function (rounds of the phase, delta of the phase) -> rounds of individual learning.
    """

    def __init__(self, agents, dimension, delta, alpha, explore, threshold=3.0, **cmlb):
        self.agents, self.dimension = agents, dimension
        self.delta, self.alpha, self.explore, self.threshold = delta, alpha, explore, threshold
        self.cmlb = cmlb
        self.phase, self.left = 0, 0

    def values(self, contexts):
        if not self.left:
            self._next_phase()
        return self.instance.values(contexts)

    def _next_phase(self):
        self.phase += 1
        self.left = rounds = 2**self.phase
        delta = self.delta / rounds
        self.instance = Cmlb(
            self.agents,
            self.dimension,
            delta,
            explore=self.explore(rounds, delta),
            threshold=self.threshold / (self.agents * rounds) ** self.alpha,
            size=self.phase**-2,
            **self.cmlb,
        )

    def learn(self, contexts, arms, rewards):
        self.instance.learn(contexts, arms, rewards)
        self.left -= 1


class AlbNorm:
    """ALB-Norm of one agent (Appendix 13): OFUL in epochs, each twice as long, with a bound on the vector's length.

    bound: whether OFUL takes the bound as its S ("norm"), or multiplies the radius for vectors of length 1 by it
    ("radius"). An epoch begins with no observations and half the delta; the bound never grows.
    """

    def __init__(self, dimension, delta, epoch, norm=1.0, bound="radius", **oful):
        self.dimension, self.delta, self.epoch, self.oful = dimension, delta, epoch, oful
        self.norm, self.bound = norm, bound
        self._begin()

    def _begin(self):
        oful = dict(self.oful)
        if self.bound == "norm":
            oful["norm"] = self.norm
        else:
            oful["scale"] = oful.get("scale", 1.0) * self.norm
        self.instance = Oful(self.dimension, self.delta, **oful)

    @property
    def longest(self):
        """The largest length that the confidence ellipsoid allows, by the triangle inequality."""
        smallest = np.linalg.eigvalsh(self.instance.matrix)[0]
        return np.linalg.norm(self.instance.estimate) + self.instance.radius / math.sqrt(smallest)

    def values(self, contexts):
        return self.instance.values(contexts)

    def learn(self, x, reward):
        self.instance.learn(x, reward)
        if len(self.instance.rewards) == self.epoch:
            self.norm = min(self.norm, self.longest)
            self.epoch, self.delta = 2 * self.epoch, self.delta / 2
            self._begin()


class Pmlb:
    """Algorithm 4, with OFUL (section 6.3) or ALB-Norm (line 9) for each agent.

    common: the common OFUL; rounds: its rounds, the square root of the horizon. personal: a function that returns a new
    learner of one agent. shift_played: whether an agent adds the rewards of the common estimate to its own indices, so
    that it plays for its own vector; by Definition 3 it does not: its indices are those of the rest.
    """

    def __init__(self, agents, common, rounds, personal, shift_played=True):
        self.common, self.rounds, self.shift_played = common, rounds, shift_played
        self.agents = [personal() for _ in range(agents)]
        self.t, self.shift = 0, None

    def values(self, contexts):
        if self.t < self.rounds:
            return np.tile(self.common.values(contexts), (len(self.agents), 1))
        added = contexts @ self.shift if self.shift_played else 0.0
        return np.array([agent.values(contexts) + added for agent in self.agents])

    def learn(self, contexts, arms, rewards):
        if self.t < self.rounds:
            self.common.learn(contexts[arms[0]], np.mean(rewards))
        else:
            for agent, arm, reward in zip(self.agents, arms, rewards, strict=True):
                agent.learn(contexts[arm], reward - contexts[arm] @ self.shift)
        self.t += 1
        if self.t == self.rounds:
            self.shift = self.common.estimate


def twin(name, agents, dimension, horizon, options):
    """The twin of an algorithm with these options, as its module names them."""
    o, delta = options, options["delta"]
    oful = {"regularisation": o["lambda"], "noise": o["noise_scale"], "scale": o["width"]}
    normed = {**oful, "norm": o["norm"]}

    def explore(rounds, delta):
        constant = o["constant"] ** 2 if o["exploration"] == "squared" else o["constant"]
        return exploration_rounds(agents, dimension, rounds, delta, o["exponent"], constant, o["rho_min"])

    if name in ("cmlb", "sclb"):
        normed["aware"] = o["averaged"] == "aware"
    if name == "cmlb":
        gamma = o["threshold"] / (agents * horizon) ** o["exponent"]
        return Cmlb(agents, dimension, delta, explore(horizon, delta), gamma, o["p_star"], **normed)
    if name == "sclb":
        return Sclb(agents, dimension, delta, o["exponent"], explore, o["threshold"], **normed)
    if name == "linucb_alone":
        return Alone(agents, lambda: Oful(dimension, delta, **normed))

    def alb():
        return AlbNorm(dimension, delta, o["first_epoch"], o["norm"], o["bound"], **oful)

    if name == "alb_norm":
        return Alone(agents, alb)
    personal = alb if o["personal"] == "alb-norm" else lambda: Oful(dimension, delta, **normed)
    common = dict(normed)
    if o["common_ridge"] == "share":
        common["regularisation"] /= agents
    if o["averaged"] == "aware":
        common["noise"] /= math.sqrt(agents)
    common = Oful(dimension, delta, **common)
    return Pmlb(agents, common, math.isqrt(horizon), personal, o["index"] == "sum")
