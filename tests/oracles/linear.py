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
    released_values,
)


class Oracle:
    def __init__(self, users, dimension, options, released, random, drawn):
        self.alpha = options["alpha"]
        self.lam = 1.0 if released else options["lambda"]
        self.options, self.released = options, released
        self.random = SplitMix64(random)
        self.users = [Learner(dimension, self.lam) for _ in range(users)]
        self.begin(drawn)

    def begin(self, drawn):
        pass

    def values(self, inverse, estimate, count, contexts, t):
        if self.released:
            return released_values(inverse, estimate, contexts, count, t)
        return paper_values(inverse, estimate, contexts, self.alpha, t)

    def values_of(self, learner, contexts, t):
        return self.values(learner.inverse, learner.estimate, learner.count, contexts, t)

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
        if self.released:
            self.users[user].observe(x, reward)
        i = self.users[user]
        for j in sorted(self.neighbours[user]):
            other = self.users[j]
            if self.released and (i.count == 0 or other.count == 0):
                continue
            if np.linalg.norm(i.estimate - other.estimate) > self.options["alpha_2"] * (f(i.count) + f(other.count)):
                self.neighbours[user].remove(j)
                self.neighbours[j].remove(user)
                self.cuts += 1
        if not self.released:
            self.users[user].observe(x, reward)


class Set:
    """A cluster of SCLUB: its users, its data, and the estimate that is used, which may lag behind the data."""

    def __init__(self, users, learner, inverse, estimate):
        self.users, self.learner = users, learner
        self.inverse, self.estimate = inverse, estimate
        self.frozen = (estimate, learner.count, 0.0)
        self.shares = None  # released: the user whose arrays these are

    def take_stock(self):
        self.inverse, self.estimate = self.learner.inverse, self.learner.estimate

    def frequency(self, t):
        return self.learner.count / (len(self.users) * t)


class Sclub(Oracle):
    def begin(self, drawn):
        d = len(self.users[0].moment)
        whole = Learner(d, self.lam)
        self.sets = {0: Set(set(range(len(self.users))), whole, whole.inverse, whole.estimate)}
        self.checked = set()
        self.seen = {u: np.zeros(d) for u in range(len(self.users))}  # the estimate of every user
        self.splits = self.merges = 0

    def of(self, user):
        return next(j for j, cluster in self.sets.items() if user in cluster.users)

    def indices(self, t, user, items, contexts):
        cluster = self.sets[self.of(user)]
        return self.values(cluster.inverse, cluster.estimate, cluster.learner.count, contexts, t)

    def learn(self, t, user, item, x, reward):
        j = self.of(user)
        cluster, own = self.sets[j], self.users[user]
        if not self.released and math.log2(t + 1).is_integer():  # t = 2^s - 1 opens stage s
            self.checked = set()
            for each in self.sets.values():
                each.frozen = (each.estimate, each.learner.count, each.frequency(max(t - 1, 1)))
        if cluster.shares == user:
            own.observe(x, reward)
            self.seen[user] = own.estimate
            own.gram, own.moment = own.gram + np.outer(x, x), own.moment + reward * x
            cluster.learner.gram, cluster.learner.moment = own.gram, own.moment
            cluster.learner.count += 1
        else:
            own.observe(x, reward)
            self.seen[user] = own.estimate
            cluster.learner.observe(x, reward)
        cluster.take_stock()
        self.checked.add(user)
        self.split(t, user, j)
        self.merge(t)

    def split(self, t, user, j):
        cluster, own = self.sets[j], self.users[user]
        if len(cluster.users) == 1:
            return
        estimate, count, share = cluster.frozen
        if self.released:
            estimate, count, share = cluster.estimate, cluster.learner.count, cluster.frequency(t)
        near = np.linalg.norm(self.seen[user] - estimate) <= self.options["alpha_theta"] * (f(own.count) + f(count))
        if near and abs(own.count / t - share) <= self.options["alpha_p"] * f(t):
            return
        self.splits += 1
        d = len(own.moment)
        cluster.users.remove(user)
        cluster.learner.gram = cluster.learner.gram - own.gram + self.lam * np.eye(d)
        cluster.learner.moment = cluster.learner.moment - own.moment
        cluster.learner.count -= own.count
        if not self.released:
            cluster.take_stock()
        fresh = Learner(d, self.lam)
        fresh.gram, fresh.moment, fresh.count = own.gram, own.moment, own.count
        # A user that once shared its matrix keeps an estimate that is older than its data, until it is served.
        single = Set({user}, fresh, own.inverse, self.seen[user])
        single.frozen = (self.seen[user], own.count, own.count / t)
        single.shares = user if self.released else None
        self.sets[min(set(range(len(self.users))) - set(self.sets))] = single

    def merge(self, t):
        for j in range(len(self.users)):
            for k in range(j + 1, len(self.users)):
                if not (j in self.sets and k in self.sets):
                    continue
                a, b = self.sets[j], self.sets[k]
                if not (a.users | b.users) <= self.checked:
                    continue
                width = self.options["alpha_theta"] / 2 * (f(a.learner.count) + f(b.learner.count))
                if not np.linalg.norm(a.estimate - b.estimate) < width:
                    continue
                if not abs(a.frequency(t) - b.frequency(t)) < self.options["alpha_p"] / 2 * f(t):
                    continue
                self.merges += 1
                a.learner = pooled([a.learner, b.learner], self.lam)
                a.users |= b.users
                a.shares = None
                if not self.released:
                    a.take_stock()
                del self.sets[k]


class Locb(Oracle):
    """drawn: pairs of a seed user and how often it was drawn."""

    def begin(self, drawn):
        d, n = len(self.users[0].moment), len(self.users)
        self.clusters = []
        for seed, times in drawn:
            learner = Learner(d, self.lam)
            learner.count = int(self.released)
            self.clusters.append(
                {
                    "seed": seed,
                    "members": set(range(n)),
                    "times": [times] * n,
                    "learner": learner,
                    "inverse": learner.inverse,
                    "estimate": learner.estimate,
                    "finished": False,
                }
            )
        self.changes = 0

    def indices(self, t, user, items, contexts):
        offers = [
            self.values(c["inverse"], c["estimate"], c["learner"].count, contexts, t)
            for c in self.clusters
            if c["times"][user] > 0
        ]
        return list(np.max(offers, axis=0)) if offers else self.values_of(self.users[user], contexts, t)

    def learn(self, t, user, item, x, reward):
        own, d = self.users[user], len(x)
        own.observe(x, reward)
        for c in self.clusters:
            for _ in range(c["times"][user]):
                c["learner"].observe(x, reward)
                c["inverse"], c["estimate"] = c["learner"].inverse, c["learner"].estimate
        for c in self.clusters:
            if c["finished"]:
                continue
            seed, learner = self.users[c["seed"]], c["learner"]
            alike = np.linalg.norm(own.estimate - seed.estimate) <= f(own.count) + f(seed.count)
            if alike != (user in c["members"]):
                self.changes += 1
                sign = 1 if alike else -1
                (c["members"].add if alike else c["members"].remove)(user)
                c["times"][user] += sign
                learner.gram = learner.gram + sign * (own.gram - self.lam * np.eye(d))
                learner.moment = learner.moment + sign * own.moment
                learner.count += sign * own.count
                if not self.released:
                    c["inverse"], c["estimate"] = learner.inverse, learner.estimate
            c["finished"] = f(seed.count) <= self.options["gamma"] / 4


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

    def choose(self, t, user, items, contexts):
        nodes = range(len(items)) if self.released else items
        self.arm = super().choose(t, user, nodes, contexts)
        return self.arm

    def indices(self, t, user, items, contexts):
        values = []
        for item, x in zip(map(int, items), contexts, strict=True):
            self.context[item] = x.copy()
            members = component(self.graphs[self.cluster[item]], user)
            whole = pooled([self.users[j] for j in members], self.lam, own_identities=self.released)
            spread = x @ whole.inverse @ x
            width = 0.1 * spread if self.released else self.alpha * math.sqrt(spread * math.log(t + 1))
            values.append(float(whole.estimate @ x + width))
        return values

    def near(self, t, user, x):
        """The other users whose payoff at x is not told from that of the user served."""

        def cb(j):
            return self.options["alpha_2"] * math.sqrt(x @ self.users[j].inverse @ x * math.log(t + 1))

        own = self.users[user].estimate @ x
        found = set()
        for j in set(range(len(self.users))) - {user}:
            threshold = 8 * math.sqrt(len(x)) if self.released else cb(user) + cb(j)
            if abs(own - self.users[j].estimate @ x) <= threshold:
                found.add(j)
        return found

    def learn(self, t, user, item, x, reward):
        self.users[user].observe(x, reward)
        node = self.arm if self.released else int(item)
        # Figure 2: the graph over the users that belongs to the item's cluster.
        near = self.near(t, user, x)
        graph = self.graphs[self.cluster[node]]
        for j in sorted(graph[user] - near):
            graph[user].remove(j)
            graph[j].remove(user)
            self.user_cuts += 1
        # Figure 3: the graph over the items.
        neighbourhood = near if self.released or self.options["neighbourhood"] == "test" else graph[user]
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
