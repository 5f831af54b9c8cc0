"""Plain twins of LNUCB-TA and of k-NN UCB, written from the texts of their papers and sharing no code with the package.

Every history is a list, every estimate is computed afresh from it, and every choice that a text leaves open is an
argument. `scores` gives one value per arm; who calls it takes the largest.
"""

from __future__ import annotations

import math

import numpy as np


class LNUCBTA:
    """Algorithms 1 to 3 of Khosravi et al., with their equations 3, 4, 9, 18 and 101.

    globally  g: "arms", the mean of the arms' means (equation 101); "pulls", of all rewards; or a number given
    rounding  of k, which equation 5 leaves real: "nearest", halves up; "floor"
    scarce    an arm with fewer than k observations: "none", no neighbours' score (section 3.2); "all", of those it has
    weights   of the neighbours: "uniform" (equation 3) or "distance", its inverse
    target    of the ridge regression: "reward", as LinUCB's; "residual", what the neighbours' score left (equation 18)
    lags      whether theta and the inverse leave out the arm's newest observation
    ties      of equally near neighbours: "earliest" or "latest" counts
    """

    def __init__(
        self,
        arms,
        dimension,
        *,
        alpha=1.0,
        ridge=1.0,
        kappa=0.5,
        least=1,
        most=5,
        globally="arms",
        rounding="nearest",
        scarce="none",
        weights="uniform",
        target="reward",
        lags=False,
        ties="earliest",
        attention=True,
        neighbours=True,
    ):
        self.alpha, self.ridge, self.kappa, self.least, self.most = alpha, ridge, kappa, least, most
        self.globally, self.rounding, self.scarce = globally, rounding, scarce
        self.weights, self.target, self.lags, self.ties = weights, target, lags, ties
        self.attention, self.neighbours = attention, neighbours
        self.dimension = dimension
        self.contexts = [[] for _ in range(arms)]
        self.rewards = [[] for _ in range(arms)]
        self.targets = [[] for _ in range(arms)]
        self.shown = None
        self.solved = {}  # by arm and number of observations, which never change

    def scores(self, contexts):
        self.shown = [self.score(arm, np.asarray(x)) for arm, x in enumerate(contexts)]
        g = self.global_mean()
        values = []
        for arm, x in enumerate(contexts):
            inverse, theta = self.ridge_of(arm)
            width = math.sqrt(x @ inverse @ x)
            values.append(x @ theta + self.shown[arm] + self.rate(arm, g) * width)
        return np.array(values)

    def learn(self, arm, x, reward):
        self.contexts[arm].append(np.array(x))
        self.rewards[arm].append(reward)
        self.targets[arm].append(reward - self.shown[arm] if self.target == "residual" else reward)

    def ridge_of(self, arm):
        """Equation 18."""
        seen = len(self.rewards[arm]) - 1 if self.lags else len(self.rewards[arm])
        if (arm, seen) not in self.solved:
            known = np.array(self.contexts[arm][: max(seen, 0)]).reshape(-1, self.dimension)
            inverse = np.linalg.inv(self.ridge * np.eye(self.dimension) + known.T @ known)
            self.solved[arm, seen] = inverse, inverse @ known.T @ np.array(self.targets[arm][: len(known)])
        return self.solved[arm, seen]

    def rate(self, arm, g):
        """Algorithm 3, line 4."""
        if not self.attention:
            return self.alpha
        pulls = len(self.rewards[arm])
        own = np.mean(self.rewards[arm]) if pulls else 0.0
        return self.alpha / (pulls + 1) * (self.kappa * g + (1 - self.kappa) * own)

    def global_mean(self):
        if self.globally == "arms":
            return np.mean([np.mean(paid) if paid else 0.0 for paid in self.rewards])
        if self.globally == "pulls":
            every = [reward for paid in self.rewards for reward in paid]
            return np.mean(every) if every else 0.0
        return self.globally

    def wanted(self, arm):
        """Algorithm 2, lines 4 and 5: k, which is no whole number in general."""
        variance = np.var(self.rewards[arm]) if self.rewards[arm] else 0.0
        return self.least + (self.most - self.least) * variance

    def score(self, arm, x):
        """Algorithm 2, lines 6 and 7, and equation 3."""
        tiny = 5e-10  # a variance that makes k a whole number may be rounded to a number beside it
        wanted, seen = self.wanted(arm), len(self.rewards[arm])
        if not self.neighbours or seen == 0 or (seen < wanted - tiny and self.scarce == "none"):
            return 0.0
        k = {"nearest": math.floor(wanted + 0.5 + tiny), "floor": math.floor(wanted + tiny)}[self.rounding]
        distance = np.sqrt(((np.array(self.contexts[arm]) - x) ** 2).sum(axis=1))
        age = 1 if self.ties == "earliest" else -1
        nearest = sorted(range(seen), key=lambda s: (distance[s], age * s))[:k]
        paid = np.array([self.rewards[arm][s] for s in nearest])
        if self.weights == "uniform":
            return paid.mean()
        away = np.array([distance[s] for s in nearest])
        if (away == 0).any():
            return paid[away == 0].mean()
        return (paid / away).sum() / (1 / away).sum()


RELEASED = {"target": "reward", "rounding": "floor", "weights": "distance", "lags": True, "ties": "earliest"}
"""What the authors' class does; its g is the mean of the whole reward table, a number that the data give."""


class NearestUCB:
    """k-NN UCB and k-NN KL-UCB of Reeve, Mellor and Brown 2018.

    U_k = sqrt(theta log t / N_k) + phi r_k: N_k counts the arm's pulls among the k nearest of all past contexts, r_k
    is the distance of the farthest of these. k is where U_k is least; an arm that no neighbour played has U = infinity.
    pool: "all" past contexts, as there; "arm": those in which the arm was played, so that N_k = k. most: the limit
    of k. Where arms have contexts of their own, those of past rounds in the place of the arm are meant.
    """

    def __init__(self, arms, *, theta=1.0, phi=1.0, most=None, pool="all", entropy=False):
        self.arms, self.theta, self.phi, self.most = arms, theta, phi, most
        self.pool, self.entropy = pool, entropy
        self.played = []  # one (arm, contexts, reward) a round
        self.shown = None

    def scores(self, contexts):
        self.shown = np.array(contexts)
        return np.array([self.index(arm, np.asarray(x)) for arm, x in enumerate(contexts)])

    def learn(self, arm, x, reward):
        self.played.append((arm, self.shown, reward))

    def index(self, arm, x):
        budget = self.theta * math.log(len(self.played) + 1)
        past = [
            (math.dist(z[arm], x), played == arm, reward)
            for played, z, reward in reversed(self.played)  # of equally near ones the latest first
            if self.pool == "all" or played == arm
        ]
        past.sort(key=lambda event: event[0])
        least, found = math.inf, None
        pulls, paid = 0, 0.0
        for distance, own, reward in past[: self.most]:
            pulls, paid = pulls + own, paid + own * reward
            if pulls:
                uncertainty = math.sqrt(budget / pulls) + self.phi * distance
                if uncertainty < least:
                    least, found = uncertainty, (paid / pulls, pulls, distance)
        if found is None:
            return math.inf
        mean, pulls, distance = found
        if self.entropy:
            return largest(mean, budget / pulls) + self.phi * distance
        return mean + least


def largest(mean, radius):
    """The largest q in [0, 1] whose Bernoulli divergence from `mean` is at most `radius`, by halving."""

    def divergence(q):
        total = 0.0
        for p, other in ((mean, q), (1 - mean, 1 - q)):
            if p > 0:
                total += math.inf if other <= 0 else p * math.log(p / other)
        return total

    low, high = mean, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if divergence(middle) <= radius else (low, middle)
    return low
