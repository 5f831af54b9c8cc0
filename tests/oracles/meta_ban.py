"""The plain twin of Meta-Ban: Algorithms 1 to 3 of Ban et al. 2022, written from the text, for one replica.

Networks are lists of matrices, gradients are torch's, contexts are written out, and what the text leaves open is an
option. It shares no code with the package. It takes the weights before the first round and draws in the same order as
the policy: for an adaptation, arm by arm and step by step; for a training, J_1 subsets, the weights for groups, and J_2
subsets for the gradient at the new weights, which stay those of the user until its next training.
"""

from __future__ import annotations

import math

import torch

from tests.oracles.plain import best


def network(weights, contexts):
    """Eq. 9, for the rows of `contexts`."""
    hidden = contexts.T
    for matrix in weights[:-1]:
        hidden = torch.relu(matrix @ hidden)
    return (weights[-1] @ hidden)[0]


def gradient(weights, scalar_of):
    """The gradient of scalar_of(weights) in the weights."""
    weights = [matrix.clone().requires_grad_() for matrix in weights]
    return list(torch.autograd.grad(scalar_of(weights), weights))


def add(one, other, factor=1.0):
    return [a + factor * b for a, b in zip(one, other, strict=True)]


class Descent:
    """Plain gradient descent, or Adam (Kingma and Ba 2015) with its usual constants."""

    def __init__(self, kind, rate):
        self.kind, self.rate = kind, rate
        self.steps, self.mean, self.square = 0, None, None

    def step(self, weights, slope, inputs=None):
        """inputs: those of the first layer that change; None: all of them, with all other layers."""
        if self.kind == "plain":
            return add(weights, slope, -self.rate)
        if self.mean is None:
            self.mean = [torch.zeros_like(g) for g in slope]
            self.square = [torch.zeros_like(g) for g in slope]
        self.steps += 1
        moved = []
        for layer, (m, v, g) in enumerate(zip(self.mean, self.square, slope, strict=True)):
            moves = 1.0 if layer > 0 or inputs is None else inputs.double()
            m += moves * 0.1 * (g - m)
            v += moves * 0.001 * (g * g - v)
            fair, fair_square = m / (1 - 0.9**self.steps), v / (1 - 0.999**self.steps)
            moved.append(moves * fair / (torch.sqrt(fair_square) + 1e-8))
        return add(weights, moved, -self.rate)


class MetaBan:
    """The policy. theta: the weights of each user that form groups; fitted: those of its last training."""

    def __init__(self, users, options, random, start):
        self.options, self.random = options, random
        self.start = self.meta = start
        self.theta = [start for _ in range(users)]
        self.fitted = [start for _ in range(users)]
        self.past = [[start] for _ in range(users)]
        self.data = [[] for _ in range(users)]  # (context, reward)
        self.slopes = [None for _ in range(users)]
        self.served = []  # users with data, in the order of their first observation
        width = len(start[0])
        self.beta_2 = width**-0.25
        self.penalty = options["lambda"] / math.sqrt(width)
        self.reach = (options["nu"] - 1) / options["nu"] * options["gamma"]

    def below(self, n):
        return int(self.random.uniform() * n)

    # Algorithm 1

    def observe_first(self, user, context, reward):
        """Line 3."""
        if self.options["first_data"] == "one":
            self.train_user(user, context, reward)

    def choose(self, users, contexts):
        """Lines 6 to 11. users: the user to whom each arm is presented."""
        self.groups = [self.group(user, x) for user, x in zip(users, contexts, strict=True)]
        self.adapted = [self.adapt(group) for group in self.groups]
        indices = zip(users, contexts, self.adapted, strict=True)
        return best([self.index(user, x, meta) for user, x, meta in indices], self.random)

    def group(self, user, context):
        """Line 7, eq. 4: those with data."""
        own = self.value(self.theta[user], context)
        return [u for u in self.served if abs(self.value(self.theta[u], context) - own) <= self.reach]

    def value(self, weights, context):
        return float(network(weights, context[None])[0])

    def index(self, user, context, meta):
        """Line 9."""
        now = gradient(meta, lambda weights: network(weights, context[None])[0])
        first = gradient(self.start, lambda weights: network(weights, context[None])[0])
        moved = math.sqrt(sum(float(((a - b) ** 2).sum()) for a, b in zip(now, first, strict=True)))
        own = 1 / math.sqrt(max(1, len(self.data[user])))
        alpha = self.options["alpha"]
        bonus = alpha * self.beta_2 * moved + (alpha * own if self.options["scaled"] == "all" else own)
        return self.value(meta, context) + bonus

    def learn(self, user, context, reward, arm):
        """Lines 12 to 18."""
        self.meta = self.adapted[arm]
        self.train_user(user, context, reward)

    # Algorithm 2

    def adapt(self, group):
        meta = self.start if self.options["meta_start"] == "initial" else self.meta
        descent = Descent(self.options["meta_optimiser"], self.options["meta_rate"])
        for _ in range(self.options["meta_steps"] if group else 0):
            slope = self.at_users(group) if self.options["gradient"] == "user" else self.at_theta(group, meta)
            meta = descent.step(meta, slope)
        return meta

    def at_users(self, group):
        """Line 9: the gradient at the users' weights."""
        total = [torch.zeros_like(layer) for layer in self.start]
        for user in group:
            total = add(total, self.slopes[user], 1 / len(group) if self.means else 1.0)
        return total

    def at_theta(self, group, meta):
        """Eq. 5 and Lemma 6.2: the gradient at Theta."""
        slope = gradient(meta, lambda weights: self.loss(weights, *self.of_group(group)))
        return add(slope, [torch.sign(layer) for layer in meta], self.penalty * (1 if self.means else len(group)))

    def of_group(self, group):
        """Data of a group, and what each counts in eq. 5."""
        batch, everything = self.options["batch"], [one for u in group for one in reversed(self.data[u])]
        if len(everything) <= batch:
            each = [1 / len(group) / len(self.data[u]) for u in group for _ in self.data[u]]
            return everything, each if self.means else [1.0] * len(everything)
        chosen = []
        for _ in range(batch):
            if self.means:
                own = self.data[group[self.below(len(group))]]
                chosen.append(own[-1 - self.below(len(own))])
            else:
                chosen.append(everything[self.below(len(everything))])
        return chosen, [(1 if self.means else len(everything)) / batch] * batch

    @property
    def means(self):
        return self.options["loss"] == "mean"

    # Algorithm 3

    def train_user(self, user, context, reward):
        self.data[user].append((context, float(reward)))
        if user not in self.served:
            self.served.append(user)
        weights = self.start if self.options["user_start"] == "initial" else self.meta
        descent = Descent(self.options["user_optimiser"], self.options["user_rate"])
        for chosen in [self.subset(user) for _ in range(self.options["user_steps"])]:
            each = [1 / len(chosen)] * len(chosen)
            slope = gradient(weights, lambda w, c=chosen, e=each: self.loss(w, c, e))
            inputs = torch.stack([x != 0 for x, _ in chosen]).any(0)
            weights = descent.step(weights, slope, inputs)
        self.fitted[user] = weights
        self.past[user].append(weights)
        self.theta[user] = self.for_groups(user)
        self.slopes[user] = self.slope_of(user)

    def for_groups(self, user):
        """Line 9: weights drawn uniformly from all that the user has had, theta_0 among them."""
        past, kind = self.past[user], self.options["weights"]
        if kind == "last":
            return past[-1]
        if kind == "uniform":
            return past[-1] if self.below(len(past)) == 0 else self.theta[user]
        latest_first = [*past[:0:-1], past[0]]
        return latest_first[self.below(len(past))]

    def slope_of(self, user):
        """The part of one member in line 9 of Algorithm 2, the mean of J_2 subsets."""
        if self.options["gradient"] == "meta":
            return None
        weights, steps = self.fitted[user], self.options["meta_steps"]
        total = [self.penalty * torch.sign(layer) for layer in weights]
        for chosen in [self.subset(user) for _ in range(steps)]:
            each = [1 / len(chosen) if self.means else 1.0] * len(chosen)
            total = add(total, gradient(weights, lambda w, c=chosen, e=each: self.loss(w, c, e)), 1 / steps)
        return total

    def subset(self, user):
        """All of T_u, or a random subset of it."""
        latest_first, batch = self.data[user][::-1], self.options["batch"]
        if len(latest_first) <= batch:
            return latest_first
        return [latest_first[self.below(len(latest_first))] for _ in range(batch)]

    def loss(self, weights, chosen, each):
        """Eq. 3, with what each observation counts."""
        contexts, rewards = torch.stack([x for x, _ in chosen]), torch.tensor([r for _, r in chosen]).double()
        return (torch.tensor(each).double() * 0.5 * (network(weights, contexts) - rewards) ** 2).sum()
