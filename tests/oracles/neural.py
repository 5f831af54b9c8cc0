"""Neural policies, one replica, written from the pseudo-code with torch's autograd and contexts written out.

They are given the initial weights, and draw from the same stream as the policies in the same order. A network is
a list of first-layer blocks and a last layer (and hidden ones), so that Adam can leave alone the blocks that have no
observation.
"""

from __future__ import annotations

import copy
import math

import numpy
import torch

from tests.oracles.hybrid import normal
from tests.oracles.linear import Club
from tests.oracles.plain import Learner, SplitMix64


class Network:
    """f(x) = last' relu(...relu(W_block x)) with a gradient by autograd, and Adam written from the formula."""

    sparse = True

    def __init__(self, blocks, others):
        self.blocks = [block.clone() for block in blocks]
        self.others = [layer.clone() for layer in others]
        self.moments, self.steps = {}, 0

    def copy(self):
        return copy.deepcopy(self)

    def parameters(self, block):
        return [self.blocks[block], *self.others]

    def value(self, x, block, parameters=None):
        layers = parameters or self.parameters(block)
        below = x
        for layer in layers[:-1]:
            below = (below @ layer).relu()
        return (below @ layers[-1])[0]

    def gradient(self, x, block):
        leaves = [layer.clone().requires_grad_() for layer in self.parameters(block)]
        return list(torch.autograd.grad(self.value(x, block, leaves), leaves))

    def slopes(self, data, share=None):
        """The gradient of the loss over data, by parameter. share: what each loss is divided by."""
        leaves = {("block", b): layer.clone().requires_grad_() for b, layer in enumerate(self.blocks)} | {
            ("other", i): layer.clone().requires_grad_() for i, layer in enumerate(self.others)
        }
        loss = torch.zeros((), dtype=torch.float64)
        for x, block, reward in data:
            layers = [leaves["block", block], *(leaves["other", i] for i in range(len(self.others)))]
            loss = loss + (self.value(x, block, layers) - reward) ** 2 / 2 / (share or len(data))
        found = torch.autograd.grad(loss, list(leaves.values()), allow_unused=True)
        return dict(zip(leaves, found, strict=True))

    def named(self):
        return {("block", b): layer for b, layer in enumerate(self.blocks)} | {
            ("other", i): layer for i, layer in enumerate(self.others)
        }

    def adam(self, data, rate, share=None):
        self.steps += 1
        for name, slope in self.slopes(data, share).items():
            moves = torch.ones(1, 1, dtype=torch.bool)
            if name[0] == "block" and self.sparse:  # only the weights of inputs that are not zero
                seen = [x != 0 for x, block, _ in data if block == name[1]]
                if not seen:
                    continue
                moves = torch.stack(seen).any(0).unsqueeze(1)
            m, v = self.moments.setdefault(name, [torch.zeros_like(slope), torch.zeros_like(slope)])
            m += 0.1 * (slope - m) * moves
            v += 0.001 * (slope * slope - v) * moves
            move = (m / (1 - 0.9**self.steps)) / ((v / (1 - 0.999**self.steps)).sqrt() + 1e-8)
            layer = self.named()[name]
            layer -= rate * move * moves


def initial(weights, learner=0, kind=Network):
    """The network of one learner of the only replica. weights: as `initial_weights` returns them."""
    first, *others = (layer[0, learner] for layer in weights)
    return kind(list(first), others)


def squared_distance(a, b):
    return sum(float(((u - v) ** 2).sum()) for u, v in zip(a, b, strict=True))


class Twin:
    """What the twins share: the stream, the history, and the best arm."""

    def __init__(self, users, options, word):
        self.options, self.users = options, users
        self.random = SplitMix64(word)
        self.history = []

    def below(self, n):
        return int(self.random.uniform() * n)

    def trains(self, t):
        return t % self.options["early" if t <= self.options["until"] else "late"] == 0

    def best(self, values):
        tied = [arm for arm, value in enumerate(values) if value >= max(values) - 1e-9]
        return tied[self.below(len(tied)) if len(tied) > 1 else 0]


class NeuralUCB(Twin):
    def __init__(self, users, options, word, networks):
        super().__init__(users, options, word)
        self.networks = networks
        self.z = [
            {name: torch.full_like(layer, options["lambda"]) for name, layer in network.named().items()}
            for network in networks
        ]
        self.whole = []
        if options["covariance"] == "full":  # for small networks only
            sizes = [sum(layer.numel() for layer in network.named().values()) for network in networks]
            self.whole = [options["lambda"] * torch.eye(size, dtype=torch.float64) for size in sizes]

    def flat(self, u, names, slopes):
        """The gradient as one vector over all weights."""
        known = dict(zip(names, slopes, strict=True))
        layers = self.networks[u].named()
        return torch.cat([known.get(name, torch.zeros_like(layer)).flatten() for name, layer in layers.items()])

    def own(self, user):
        return user if len(self.networks) > 1 else 0

    def choose(self, t, user, arms):
        """user: the user served, or a list with the user of each arm."""
        values = []
        for k, (x, block) in enumerate(arms):
            u = self.own(user[k] if isinstance(user, list) else user)
            names = [("block", block), *(("other", i) for i in range(len(self.networks[u].others)))]
            slopes = self.networks[u].gradient(x, block)
            if self.whole:
                g = self.flat(u, names, slopes)
                spread = float(g @ torch.linalg.solve(self.whole[u], g))
            else:
                spread = sum(float((g * g / self.z[u][name]).sum()) for name, g in zip(names, slopes, strict=True))
            values.append(float(self.networks[u].value(x, block)) + self.explore(math.sqrt(spread / self.divisor)))
        return self.best(values)

    def explore(self, deviation):
        return self.options["alpha"] * deviation

    def train(self):
        """Train every network on rounds drawn from all, or that of the latest user on its own."""
        steps, batch = self.options["steps"], self.options["batch"]
        rounds = list(range(len(self.history)))
        if self.options.get("budget") == "served":
            rounds = [p for p in rounds if self.history[p][0] == self.history[-1][0]]
        drawn = [[rounds[self.below(len(rounds))] for _ in range(batch)] for _ in range(steps)]
        for places in drawn:
            for v, network in enumerate(self.networks):
                data = [self.history[p][1] for p in places if self.own(self.history[p][0]) == v]
                if data:
                    network.adam(data, self.options["rate"], share=batch)

    def learn(self, t, user, arms, arm, reward):
        self.add(self.own(user), *arms[arm])
        self.store(t, user, (*arms[arm], reward))

    def add(self, u, x, block):
        """Add g g' / m to Z."""
        names = [("block", block), *(("other", i) for i in range(len(self.networks[u].others)))]
        slopes, divisor = self.networks[u].gradient(x, block), self.divisor
        if self.whole:
            g = self.flat(u, names, slopes)
            self.whole[u] = self.whole[u] + torch.outer(g, g) / divisor
        for name, g in zip(names, slopes, strict=True):
            self.z[u][name] = self.z[u][name] + g * g / divisor

    def store(self, t, user, observation):
        self.history.append((user, observation))
        if self.trains(t):
            self.train()

    @property
    def divisor(self):
        return self.options["width"] if self.options["divisor"] == "width" else 1


class NeuralTS(NeuralUCB):
    def learn(self, t, user, arms, arm, reward):
        self.store(t, user, (*arms[arm], reward))
        self.add(0, *arms[arm])

    def explore(self, deviation):
        return self.options["nu"] * math.sqrt(self.options["lambda"]) * deviation * normal(self.random)


class NeuralEpsGreedy(Twin):
    def __init__(self, users, options, word, networks):
        super().__init__(users, options, word)
        self.networks = networks

    def greedy(self, arms, q):
        return self.best([float(self.networks[q].value(x, block)) for x, block in arms])

    def choose(self, t, user, arms):
        arm = self.greedy(arms, 0)
        return self.below(len(arms)) if self.random.uniform() < self.options["epsilon"] else arm

    def keeps(self):
        return [True]

    def learn(self, t, user, arms, arm, reward):
        self.history.append(((*arms[arm], reward), self.keeps()))
        if self.trains(t):
            drawn = []
            for q in range(len(self.networks)):
                kept = [observation for observation, keeps in self.history if keeps[q]]
                drawn.append(
                    [kept[self.below(len(kept))] for _ in range(self.options["steps"] * self.options["batch"])]
                )
            for network, observations in zip(self.networks, drawn, strict=True):
                for first in range(0, len(observations), self.options["batch"]):
                    network.adam(observations[first : first + self.options["batch"]], self.options["rate"])


class BootstrapNN(NeuralEpsGreedy):
    def choose(self, t, user, arms):
        return self.greedy(arms, self.below(len(self.networks)))

    def keeps(self):
        drawn = [self.random.uniform() < self.options["keep"] for _ in self.networks]
        return drawn if self.history else [True] * len(drawn)


class NeuAU(NeuralUCB):
    """NeuralUCB whose contexts end with the features of the user served. served: (n, d')."""

    served = None

    def longer(self, user, arms):
        return [(torch.cat([x, self.served[user]]), block) for x, block in arms]

    def choose(self, t, user, arms):
        return super().choose(t, user, self.longer(user, arms))

    def learn(self, t, user, arms, arm, reward):
        super().learn(t, user, self.longer(user, arms), arm, reward)


class NeuralLinear(Twin):
    def __init__(self, users, options, word, networks):
        super().__init__(users, options, word)
        self.network = networks[0]
        everybody = torch.ones(users, users).fill_diagonal_(0).bool().numpy()
        self.club = Club(users, options["width"], options, word, everybody)
        self.random = self.club.random
        self.history = []

    def embed(self, x, block):
        below = x
        for layer in self.network.parameters(block)[:-1]:
            below = (below @ layer).relu()
        return below.numpy()

    def choose(self, t, user, arms):
        self.embedded = [self.embed(x, block) for x, block in arms]
        return self.club.choose(t, user, None, numpy.stack(self.embedded))

    def learn(self, t, user, arms, arm, reward):
        self.history.append((user, (*arms[arm], reward)))
        self.club.learn(t, user, None, self.embedded[arm], reward)
        if t % 10 == 0:
            steps, batch = self.options["steps"], self.options["batch"]
            for places in [[self.below(len(self.history)) for _ in range(batch)] for _ in range(steps)]:
                self.network.adam([self.history[p][1] for p in places], self.options["rate"])
            if self.options["memory"] == "embedded":
                self.club.users = [Learner(self.options["width"], self.options["lambda"]) for _ in range(self.users)]
                for v, (x, block, r) in self.history:
                    self.club.users[v].observe(self.embed(x, block), r)
