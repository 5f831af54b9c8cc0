"""Oracles of the linear policies, each written from the pseudo-code in its module's docstring."""

from __future__ import annotations

import math

import numpy as np

from tests.oracles.plain import (
    Learner,
    SplitMix64,
    best,
    component,
    f,
    paper_values,
    pooled,
)


class Oracle:
    def __init__(self, users, dimension, options, random, drawn):
        self.alpha, self.lam, self.options = options["alpha"], options["lambda"], options
        self.random = SplitMix64(random)
        self.users = [Learner(dimension, self.lam) for _ in range(users)]
        self.begin(drawn)

    def begin(self, drawn):
        pass

    def values_of(self, learner, contexts, t):
        return paper_values(learner.inverse, learner.estimate, contexts, self.alpha, t)

    def choose(self, t, user, items, contexts):
        return best(self.indices(t, user, items, contexts), self.random)


class LinUCBInd(Oracle):
    def indices(self, t, user, items, contexts):
        return self.values_of(self.users[user], contexts, t)

    def learn(self, t, user, item, x, reward):
        self.users[user].observe(x, reward)


class LinUCBOne(LinUCBInd):
    def indices(self, t, user, items, contexts):
        return super().indices(t, 0, items, contexts)

    def learn(self, t, user, item, x, reward):
        super().learn(t, 0, item, x, reward)


class Club(Oracle):
    """drawn: the first graph, a bool matrix."""

    def begin(self, drawn):
        self.neighbours = {i: set(np.flatnonzero(row).tolist()) for i, row in enumerate(drawn)}
        self.cuts = 0

    def indices(self, t, user, items, contexts):
        members = [self.users[j] for j in component(self.neighbours, user)]
        return self.values_of(pooled(members, self.lam), contexts, t)

    def learn(self, t, user, item, x, reward):
        i = self.users[user]
        for j in sorted(self.neighbours[user]):
            other = self.users[j]
            if np.linalg.norm(i.estimate - other.estimate) > self.options["alpha_2"] * (f(i.count) + f(other.count)):
                self.neighbours[user].remove(j)
                self.neighbours[j].remove(user)
                self.cuts += 1
        i.observe(x, reward)


class Set:
    """A cluster of SCLUB: its users, its data, and its estimate, count and frequency that are kept for a stage."""

    def __init__(self, users, learner, frequency):
        self.users, self.learner = users, learner
        self.frozen = (learner.estimate, learner.count, frequency)

    def frequency(self, t):
        return self.learner.count / (len(self.users) * t)


class Sclub(Oracle):
    def begin(self, drawn):
        whole = Learner(len(self.users[0].moment), self.lam)
        self.sets = {0: Set(set(range(len(self.users))), whole, 0.0)}
        self.checked = set()
        self.splits = self.merges = 0

    def of(self, user):
        return next(j for j, cluster in self.sets.items() if user in cluster.users)

    def indices(self, t, user, items, contexts):
        return self.values_of(self.sets[self.of(user)].learner, contexts, t)

    def learn(self, t, user, item, x, reward):
        j = self.of(user)
        if math.log2(t + 1).is_integer():  # t = 2^s - 1 opens stage s
            self.checked = set()
            for each in self.sets.values():
                each.frozen = (each.learner.estimate, each.learner.count, each.frequency(max(t - 1, 1)))
        self.users[user].observe(x, reward)
        self.sets[j].learner.observe(x, reward)
        self.checked.add(user)
        self.split(t, user, j)
        self.merge(t)

    def split(self, t, user, j):
        cluster, own = self.sets[j], self.users[user]
        if len(cluster.users) == 1:
            return
        estimate, count, share = cluster.frozen
        near = np.linalg.norm(own.estimate - estimate) <= self.options["alpha_theta"] * (f(own.count) + f(count))
        if near and abs(own.count / t - share) <= self.options["alpha_p"] * f(t):
            return
        self.splits += 1
        d = len(own.moment)
        cluster.users.remove(user)
        cluster.learner.gram = cluster.learner.gram - own.gram + self.lam * np.eye(d)
        cluster.learner.moment = cluster.learner.moment - own.moment
        cluster.learner.count -= own.count
        fresh = Learner(d, self.lam)
        fresh.gram, fresh.moment, fresh.count = own.gram, own.moment, own.count
        self.sets[min(set(range(len(self.users))) - set(self.sets))] = Set({user}, fresh, own.count / t)

    def merge(self, t):
        for j in range(len(self.users)):
            for k in range(j + 1, len(self.users)):
                if not (j in self.sets and k in self.sets):
                    continue
                a, b = self.sets[j], self.sets[k]
                if not (a.users | b.users) <= self.checked:
                    continue
                width = self.options["alpha_theta"] / 2 * (f(a.learner.count) + f(b.learner.count))
                if not np.linalg.norm(a.learner.estimate - b.learner.estimate) < width:
                    continue
                if not abs(a.frequency(t) - b.frequency(t)) < self.options["alpha_p"] / 2 * f(t):
                    continue
                self.merges += 1
                a.learner = pooled([a.learner, b.learner], self.lam)
                a.users |= b.users
                del self.sets[k]


class Locb(Oracle):
    """drawn: the seed users."""

    def begin(self, drawn):
        d, n = len(self.users[0].moment), len(self.users)
        self.members = {seed: set(range(n)) for seed in drawn}
        self.learners = {seed: Learner(d, self.lam) for seed in drawn}
        self.finished = set()
        self.changes = 0

    def indices(self, t, user, items, contexts):
        offers = [
            self.values_of(self.learners[seed], contexts, t)
            for seed, members in self.members.items()
            if user in members
        ]
        return list(np.max(offers, axis=0)) if offers else self.values_of(self.users[user], contexts, t)

    def learn(self, t, user, item, x, reward):
        own, d = self.users[user], len(x)
        own.observe(x, reward)
        for seed, members in self.members.items():
            if user in members:
                self.learners[seed].observe(x, reward)
        for seed, members in self.members.items():
            if seed in self.finished:
                continue
            other, learner = self.users[seed], self.learners[seed]
            alike = np.linalg.norm(own.estimate - other.estimate) <= f(own.count) + f(other.count)
            if alike != (user in members):
                self.changes += 1
                sign = 1 if alike else -1
                (members.add if alike else members.remove)(user)
                learner.gram = learner.gram + sign * (own.gram - self.lam * np.eye(d))
                learner.moment = learner.moment + sign * own.moment
                learner.count += sign * own.count
            if f(other.count) <= self.options["gamma"] / 4:
                self.finished.add(seed)


class Cofiba(Oracle):
    """Figures 1 to 3. drawn: the first user graph, a bool matrix, and the neighbours of every item, a list of sets."""

    def begin(self, drawn):
        graph, items = drawn
        self.first = {i: set(np.flatnonzero(row).tolist()) for i, row in enumerate(graph)}
        self.items = {i: set(neighbours) for i, neighbours in enumerate(items)}
        self.cluster = dict.fromkeys(self.items, 0)
        self.graphs = [self.copy()]
        self.context = {}
        self.user_cuts = self.item_cuts = 0

    def copy(self):
        return {i: set(neighbours) for i, neighbours in self.first.items()}

    def indices(self, t, user, items, contexts):
        values = []
        for item, x in zip(map(int, items), contexts, strict=True):
            self.context[item] = x.copy()
            members = component(self.graphs[self.cluster[item]], user)
            values += self.values_of(pooled([self.users[j] for j in members], self.lam), x[None], t)
        return values

    def near(self, t, user, x):
        """The other users whose payoff at x is not told from that of the user served."""

        def cb(j):
            return self.options["alpha_2"] * math.sqrt(x @ self.users[j].inverse @ x * math.log(t + 1))

        own = self.users[user].estimate @ x
        found = set()
        for j in set(range(len(self.users))) - {user}:
            if abs(own - self.users[j].estimate @ x) <= cb(user) + cb(j):
                found.add(j)
        return found

    def learn(self, t, user, item, x, reward):
        self.users[user].observe(x, reward)
        node = int(item)
        # Figure 2: the graph over the users that belongs to the item's cluster.
        near = self.near(t, user, x)
        graph = self.graphs[self.cluster[node]]
        for j in sorted(graph[user] - near):
            graph[user].remove(j)
            graph[j].remove(user)
            self.user_cuts += 1
        # Figure 3: the graph over the items.
        neighbourhood = near if self.options["neighbourhood"] == "test" else graph[user]
        limit = min(self.options["item_clusters"], len(self.items))
        if len(self.graphs) >= limit:
            return
        before = component(self.items, node)
        for other in sorted(self.items[node]):
            if other in self.context and self.near(t, user, self.context[other]) != neighbourhood:
                self.items[node].remove(other)
                self.items[other].remove(node)
                self.item_cuts += 1
        before = {i for i in self.items if self.cluster[i] == self.cluster[node]} | before
        parts, left = [component(self.items, node)], sorted(before)
        for i in left:
            if not any(i in part for part in parts):
                parts.append(component(self.items, i))
        largest = max(range(len(parts)), key=lambda p: len(parts[p]))
        for p, part in enumerate(parts):
            if p != largest and len(self.graphs) < limit:
                for i in part:
                    self.cluster[i] = len(self.graphs)
                self.graphs.append(self.copy())
