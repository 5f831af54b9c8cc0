"""The plain twin of M-CNB: Algorithms 1 and 2 of its paper, for one replica, with contexts written out.

Gradients are torch's. What the text leaves open is a parameter of `MCNB`; the defaults are the lines as they stand.
It shares no code with the package.
"""

from __future__ import annotations

import math

import numpy as np
import torch


def network(weights, x):
    """f(x) of equation 4. weights: L matrices, (outputs, inputs) each; x: (d,) or (Q, d)."""
    for layer in weights[:-1]:
        x = torch.relu(x @ layer.T)
    return (x @ weights[-1].T).squeeze(-1)


def value_and_gradient(weights, x):
    leaves = [layer.detach().clone().requires_grad_() for layer in weights]
    value = network(leaves, torch.as_tensor(x))
    return float(value.detach()), torch.autograd.grad(value, leaves)


def loss_gradient(weights, xs, rewards):
    """The gradient of the mean of (f(x) - r)^2 / 2."""
    leaves = [layer.detach().clone().requires_grad_() for layer in weights]
    errors = network(leaves, torch.as_tensor(np.array(xs))) - torch.as_tensor(np.array(rewards, float))
    return torch.autograd.grad((errors**2).mean() / 2, leaves)


class Plain:
    """Gradient descent: the weights minus the rate times the gradient."""

    def step(self, weights, slopes, rate, xs):
        return [layer - rate * slope for layer, slope in zip(weights, slopes, strict=True)]

    def copy(self):
        return self


class Adam:
    """Adam (Kingma and Ba 2015). Weights of inputs that are zero in the whole batch stay, with their moments."""

    def __init__(self):
        self.first = self.second = None
        self.count = 0

    def step(self, weights, slopes, rate, xs):
        if self.first is None:
            self.first = [torch.zeros_like(layer) for layer in weights]
            self.second = [torch.zeros_like(layer) for layer in weights]
        self.count += 1
        self.first, self.second = list(self.first), list(self.second)  # not those of a copy
        present = torch.as_tensor((np.array(xs) != 0).any(0))
        new = []
        for place, (layer, slope) in enumerate(zip(weights, slopes, strict=True)):
            touched = present.expand_as(layer) if place == 0 else torch.ones_like(layer, dtype=torch.bool)
            m = torch.where(touched, 0.9 * self.first[place] + 0.1 * slope, self.first[place])
            v = torch.where(touched, 0.999 * self.second[place] + 0.001 * slope**2, self.second[place])
            self.first[place], self.second[place] = m, v
            scaled = m / (1 - 0.9**self.count) / (torch.sqrt(v / (1 - 0.999**self.count)) + 1e-8)
            new.append(torch.where(touched, layer - rate * scaled, layer))
        return new

    def copy(self):
        other = Adam()
        other.first, other.second, other.count = self.first, self.second, self.count
        return other


OPTIMISERS = {"plain": Plain, "adam": Adam}


class MCNB:
    """Algorithm 1.

    first: the weights of Theta_0; starts: the weights of each user, or None if all are Theta_0 (line 2); draw: function
    that returns a number below its argument. A round is a call of `choose`, then one of `learn`.
    """

    def __init__(
        self,
        first,
        users,
        draw,
        *,
        gamma=0.4,
        nu=5.0,
        norm=1.0,  # S
        delta=0.1,
        alpha=1.0,  # multiplies the bonus
        user_rate=0.001,  # eta_1
        meta_rate=0.01,  # eta_2
        user_optimiser="adam",
        meta_optimiser="plain",
        starts=None,
        learning="step",  # line 16; or "history": section 4, on the schedule of section 6
        learners="cluster",  # line 14; or "served"
        counts="learned",  # line 17: mu counts what a user has learned from; or "served": the notation of section 3
        draws="arm",  # Algorithm 2 draws for every arm; or "round": a member's draw serves all arms of a round
        meta_steps=1,
        meta_training=False,  # section 4: Theta is "continuously trained on the collected interactions"
        schedule=(10, 1000, 100),
        steps=10,
        batch=50,
        rate=0.001,
    ):
        self.users = range(users)
        self.draw = draw
        self.radius = (nu - 1) / nu * gamma
        self.norm, self.delta, self.alpha = norm, delta, alpha
        self.user_rate, self.meta_rate, self.rate = user_rate, meta_rate, rate
        self.learning, self.learners, self.counts, self.draws = learning, learners, counts, draws
        self.meta_steps, self.meta_training = meta_steps, meta_training
        self.schedule, self.steps, self.batch = schedule, steps, batch
        self.theta_0 = [list(first if starts is None else starts[u]) for u in self.users]  # line 2
        self.theta = [list(start) for start in self.theta_0]
        self.meta = list(first)
        self.mu = [0 for u in self.users]
        self.data = [[] for u in self.users]  # T^u
        self.interactions = []
        self.optimisers = [OPTIMISERS[user_optimiser]() for u in self.users]
        self.meta_optimiser = OPTIMISERS[meta_optimiser]()
        self.trainer = Adam()
        self.t = 0

    def observe_first(self, observations):
        """Line 3. observations: (user, x, reward) of each user that has one."""
        for u, x, reward in observations:
            self.data[u].append((x, reward))
            self.interactions.append((x, reward))
            self.mu[u] += 1
            if self.learning == "step":
                self._user_step(u, [x], [reward])
        if self.learning == "history":
            self._train_users()

    def choose(self, users, contexts):
        """Lines 5 to 11. users: the user to whom each arm is presented, (K,); contexts: (K, d)."""
        self.t += 1
        drawn = None
        if self.draws == "round":
            drawn = [self._drawn(self.users) for step in range(self.meta_steps)]
        self.clusters, self.adapted, values = [], [], []
        for u, x in zip(users, contexts, strict=True):
            opinions = [float(network(theta, torch.as_tensor(x))) for theta in self.theta]
            cluster = [v for v in self.users if abs(opinions[v] - opinions[u]) <= self.radius]
            adapted, optimiser = self.meta, self.meta_optimiser.copy()
            for step in range(self.meta_steps):
                adapted = self._sgd_meta(cluster, adapted, optimiser, drawn and drawn[step])
            values.append(self._index(u, x, adapted))
            self.clusters.append(cluster)
            self.adapted.append((adapted, optimiser))
        self.values = np.array(values)
        return self.values

    def learn(self, users, contexts, arm, reward):
        """Lines 12 to 21."""
        self.meta, self.meta_optimiser = self.adapted[arm]
        x, served = contexts[arm], users[arm]
        self.interactions.append((x, reward))
        learners = self.clusters[arm] if self.learners == "cluster" else [served]
        for u in learners:
            if self.learning == "step":
                self._user_step(u, [x], [reward])
            self.mu[u] += self.counts == "learned"
            self.data[u].append((x, reward))
        if self.counts == "served":
            self.mu[served] += 1
        early, until, late = self.schedule
        if self.t % (early if self.t <= until else late) == 0:
            if self.learning == "history":
                self._train_users()
            if self.meta_training:
                self._train_meta()

    def _index(self, u, x, adapted):
        """Line 9."""
        value, gradient = value_and_gradient(adapted, x)
        _, at_start = value_and_gradient(self.theta_0[u], x)
        distance = math.sqrt(sum(float(((g - h) ** 2).sum()) for g, h in zip(gradient, at_start, strict=True)))
        width = len(adapted[0])
        mu = max(self.mu[u], 1)
        bonus = distance / width**0.25 + math.sqrt((self.norm + 1) / (2 * mu))
        return value + self.alpha * (bonus + math.sqrt(2 * math.log(1 / self.delta) / mu))

    def _drawn(self, users):
        return {u: self.data[u][self.draw(len(self.data[u]))] for u in users if self.data[u]}

    def _sgd_meta(self, cluster, meta, optimiser, drawn):
        """Algorithm 2. Without line 3, members that have no data are left out."""
        drawn = self._drawn(cluster) if drawn is None else {u: drawn[u] for u in cluster if u in drawn}
        if not drawn:
            return meta
        xs, rewards = zip(*drawn.values(), strict=True)
        return optimiser.step(meta, loss_gradient(meta, xs, rewards), self.meta_rate, xs)

    def _user_step(self, u, xs, rewards):
        slopes = loss_gradient(self.theta[u], xs, rewards)
        self.theta[u] = self.optimisers[u].step(self.theta[u], slopes, self.user_rate, xs)

    def _train_users(self):
        """Section 4: every learner is trained on its own data. The users share the draws of a training."""
        own = max(1, self.batch // len(self.users))
        drawn = [self._drawn(self.users) for _ in range(self.steps * own)]
        for u in self.users:
            for first in range(0, len(drawn) if self.data[u] else 0, own):
                xs, rewards = zip(*(draws[u] for draws in drawn[first : first + own]), strict=True)
                self._user_step(u, xs, rewards)

    def _train_meta(self):
        for _ in range(self.steps):
            places = [self.draw(len(self.interactions)) for _ in range(self.batch)]
            xs, rewards = zip(*(self.interactions[place] for place in places), strict=True)
            self.meta = self.trainer.step(self.meta, loss_gradient(self.meta, xs, rewards), self.rate, xs)
