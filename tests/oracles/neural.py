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

from manybandits.base.seeds import stream
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


class Mcnb(Twin):
    def __init__(self, users, options, word, networks):
        super().__init__(users, options, word)
        self.meta = networks[0].copy()
        self.start = networks[1:] if options["first"] == "own" else [networks[0]] * users
        self.networks = [first.copy() for first in self.start]
        self.stored = [[] for _ in range(users)]

    def choose(self, t, user, arms):
        o = self.options
        draws = [stored[self.below(len(stored))] if stored else None for stored in self.stored]
        self.found, values = [], []
        known = max(1, len(self.stored[user]))
        for x, block in arms:
            own = float(self.networks[user].value(x, block))
            reach = (o["nu"] - 1) / o["nu"] * o["gamma"]
            cluster = [v for v in range(self.users) if abs(float(self.networks[v].value(x, block)) - own) <= reach]
            data = [draws[v] for v in cluster if draws[v] is not None]
            adapted = self.meta.copy()
            if data:
                for name, slope in self.meta.slopes(data).items():
                    if slope is not None:
                        layer = adapted.named()[name]
                        layer -= o["meta_rate"] * slope
            change = math.sqrt(squared_distance(adapted.gradient(x, block), self.start[user].gradient(x, block)))
            bonus = change / o["width"] ** 0.25 + math.sqrt((o["S"] + 1) / 2 / known)
            bonus += math.sqrt(2 * math.log(1 / o["delta"]) / known)
            values.append(float(adapted.value(x, block)) + o["alpha"] * bonus)
            self.found.append((cluster, adapted))
        return self.best(values)

    def learn(self, t, user, arms, arm, reward):
        cluster, self.meta = self.found[arm]
        x, block = arms[arm]
        for v in cluster if self.options["learners"] == "cluster" else [user]:
            self.networks[v].adam([(x, block, reward)], self.options["user_rate"])
            self.stored[v].append((x, block, reward))


class MetaBan(Twin):
    def __init__(self, users, options, word, start):
        super().__init__(users, options, word)
        self.start, self.meta = start, start.copy()
        self.networks = [start.copy() for _ in range(users)]
        self.latest = [start.copy() for _ in range(users)]
        self.past = [[start.copy()] for _ in range(users)]
        self.data = [[] for _ in range(users)]
        self.slopes = [None] * users

    def choose(self, t, user, arms):
        o = self.options
        self.found, values = [], []
        base = self.start if o["start"] == "initial" else self.meta
        reach = (o["nu"] - 1) / o["nu"] * o["gamma"]
        for x, block in arms:
            own = float(self.networks[user].value(x, block))
            group = [
                v
                for v in range(self.users)
                if abs(float(self.networks[v].value(x, block)) - own) <= reach and self.data[v]
            ]
            adapted = base.copy()
            for v in group:
                for name, layer in adapted.named().items():
                    step = o["meta_rate"] * o["meta_steps"] * self.slopes[v][name]
                    layer -= step / len(group) if o["loss"] == "mean" else step
            change = math.sqrt(squared_distance(adapted.gradient(x, block), self.start.gradient(x, block)))
            bonus = o["width"] ** -0.25 * change + 1 / math.sqrt(max(1, len(self.data[user])))
            values.append(float(adapted.value(x, block)) + o["alpha"] * bonus)
            self.found.append(adapted)
        return self.best(values)

    def drawn(self, user, steps):
        latest_first, batch = self.data[user][::-1], self.options["batch"]
        if len(latest_first) <= batch:
            return [latest_first] * steps
        return [[latest_first[self.below(len(latest_first))] for _ in range(batch)] for _ in range(steps)]

    def learn(self, t, user, arms, arm, reward):
        o = self.options
        self.meta = self.found[arm]
        self.data[user].append((*arms[arm], reward))
        own = (self.start if o["start"] == "initial" else self.meta).copy()
        own.moments, own.steps = {}, 0
        for batch in self.drawn(user, o["user_steps"]):
            own.adam(batch, o["user_rate"])
        self.networks[user] = own
        if o["weights"] == "uniform":
            latest_first = [own, *self.past[user][:0:-1], self.past[user][0]]
            self.past[user].append(own)
            self.networks[user] = latest_first[self.below(len(latest_first))]
        data = [one for batch in self.drawn(user, o["meta_steps"]) for one in batch]
        share = len(data) if o["loss"] == "mean" else o["meta_steps"]
        found = own.slopes(data, share)
        self.slopes[user] = {
            name: (torch.zeros_like(layer) if found[name] is None else found[name])
            + o["lambda"] / math.sqrt(o["width"]) * layer.sign()
            for name, layer in own.named().items()
        }


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
        self.club = Club(users, options["width"], options, False, word, everybody)
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


class Biased(Network):
    """A network whose layers have one more input, which is 1."""

    sparse = False

    def value(self, x, block, parameters=None):
        layers, one = parameters or self.parameters(block), torch.ones(1, dtype=x.dtype)
        below = x
        for layer in layers[:-1]:
            below = (torch.cat([below, one]) @ layer).relu()
        return (torch.cat([below, one]) @ layers[-1])[0]

    def descend(self, data, rate):
        """One step on the sum of (f(x) - r)^2 over data."""
        for name, slope in self.slopes(data, share=0.5).items():
            if slope is not None:
                layer = self.named()[name]
                layer -= rate * slope


def passages(data, order, steps, step, network):
    """Step through the data in one order, again and again, until a passage has a mean loss of 1e-3."""
    loss = 0.0
    for i in range(steps):
        x, block, reward = data[order[i % len(data)]]
        loss += float((network.value(x, block) - reward) ** 2)
        step((x, block, reward))
        if (i + 1) % len(data) == 0:
            if loss / len(data) <= 1e-3:
                return
            loss = 0.0


class NeuralUCBReleased(Twin):
    """NeuralUCB as released: the bonus is the root of the sum of lambda nu g^2 / U; only the user served is trained."""

    def __init__(self, users, options, word, networks):
        super().__init__(users, options, word)
        self.networks = networks
        self.u = [
            [torch.full_like(layer, options["lambda"]) for layer in network.parameters(0)] for network in networks
        ]

    def choose(self, t, user, arms):
        own, values = user if len(self.networks) > 1 else 0, []
        for x, block in arms:
            slopes = self.networks[own].gradient(x, block)
            shares = [float((g * g / u).sum()) for g, u in zip(slopes, self.u[own], strict=True)]
            bonus = math.sqrt(self.options["lambda"] * self.options["alpha"] * sum(shares))
            values.append(float(self.networks[own].value(x, block)) + bonus)
        return self.best(values)

    def learn(self, t, user, arms, arm, reward):
        own = user if len(self.networks) > 1 else 0
        network = self.networks[own]
        self.u[own] = [u + g * g for u, g in zip(self.u[own], network.gradient(*arms[arm]), strict=True)]
        self.history.append((own, (*arms[arm], reward)))
        if t % 10 == 0:
            data = [observation for of, observation in self.history if of == own]
            order = stream("training", self.random.word()).permutation(len(data))
            passages(data, order, 500, lambda one: network.descend([one], 1e-3), network)


class McnbReleased(Twin):
    def __init__(self, users, options, word, networks):
        super().__init__(users, options, word)
        self.meta, *self.networks = networks
        self.stored = [[] for _ in range(users)]

    def choose(self, t, user, arms):
        values, self.groups = [], []
        opinions = [[float(network.value(x, block)) for x, block in arms] for network in self.networks]
        for arm, (x, block) in enumerate(arms):
            group = [
                v for v in range(self.users) if abs(opinions[v][arm] - opinions[user][arm]) < self.options["gamma"]
            ]
            self.groups.append(group)
            if t % 10 == 0:
                most = max(1, self.users // 5)
                drawn = [group[self.below(len(group))] for _ in range(most)] if len(group) > most else group
                having = [v for v in drawn if self.stored[v]]
                data = []
                for _ in range(100 if having else 0):
                    own = self.stored[having[self.below(len(having))]]
                    data.append(own[self.below(len(own))])
                for one in data:
                    self.meta.descend([one], 0.01)
            length = math.sqrt(sum(float((g * g).sum()) for g in self.meta.gradient(x, block)))
            known = max(1, len(self.stored[user]))
            values.append(float(self.meta.value(x, block)) + 0.01 * length + 1e-4 / math.sqrt(known))
        return self.best(values)

    def learn(self, t, user, arms, arm, reward):
        self.stored[user].append((*arms[arm], reward))
        self.history.append(self.stored[user][-1])
        if t % 10 == 0:
            own = self.networks[user]
            self.passages(self.stored[user], 500, lambda one: own.descend([one], 1e-3), own)
            self.meta.moments, self.meta.steps = {}, 0
            self.passages(self.history, 1000, lambda one: self.meta.adam([one], 1e-3, share=0.5), self.meta)

    def passages(self, data, steps, step, network):
        passages(data, stream("training", self.random.word()).permutation(len(data)), steps, step, network)
