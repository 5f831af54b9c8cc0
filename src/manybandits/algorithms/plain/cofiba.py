"""COFIBA, plainly: Li, Karatzoglou and Gentile 2016, "Collaborative filtering bandits", Figures 1 to 3."""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain._graph import component, cut, first_items, first_users
from manybandits.algorithms.plain._ridge import Ridge, pooled
from manybandits.algorithms.plain._twin import Twin


class COFIBA(Twin):
    """Items are clustered, and each cluster of items has a graph over the users of its own."""

    by_user = True

    def begin(self) -> None:
        n, d, items = self.problem.users, self.problem.dimension, self.problem.items
        self.user = [Ridge(d, self.o["lambda"]) for _ in range(n)]  # Figure 1, Init: M_i = I, b_i = 0
        self.start = first_users(n, self.o["graph"], self.random)
        self.G = [copy.deepcopy(self.start)]  # Figure 1, Init: one graph over the users
        self.items = first_items(items, self.random)  # Figure 1, Init: a graph over the items
        self.cluster = [0] * items
        self.limit = min(self.o["item_clusters"], items)
        self.seen: dict[int, np.ndarray] = {}  # the context in which an item was offered last
        self.part(0)

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        factor, found = self.o["alpha"] * math.sqrt(math.log(t + 1)), []
        for h, x in zip(map(int, items), contexts, strict=True):
            self.seen[h] = x.copy()
            V = component(self.G[self.cluster[h]], user)  # Figure 1: the cluster of the user in the graph of the item
            M = pooled([self.user[j] for j in sorted(V)], len(x), self.o["lambda"])  # Figure 1: set M and b
            found += M.bounds(x[None], factor)  # Figure 1: k_t = argmax
        return found

    def near(self, t: int, i: int, x: np.ndarray) -> set[int]:
        """Return N_i(x): the other users whose payoffs at x differ from that of user i by at most CB_i + CB_j."""
        CB = [self.o["alpha_2"] * math.sqrt(one.squared(x) * math.log(t + 1)) for one in self.user]
        w = [float(one.theta @ x) for one in self.user]
        return {j for j in range(len(w)) if j != i and abs(w[i] - w[j]) <= CB[i] + CB[j]}

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        self.user[user].add(context, reward)  # Figure 1: update weights
        near, graph = self.near(t, user, context), self.G[self.cluster[item]]  # Figure 1: determine h with x in I_h
        for j in graph[user] - near:
            cut(graph, user, j)  # Figure 2: delete from E_{t,h} all (i, j)
        here = near if self.o["neighbourhood"] == "test" else set(graph[user])
        if len(self.G) < self.limit:
            for other in sorted(self.items[item]):
                if other in self.seen and self.near(t, user, self.seen[other]) != here:
                    cut(self.items, item, other)  # Figure 3: delete from E_t all (h, l)
            self.part(item)

    def part(self, item: int) -> None:
        """Number the parts of the cluster of an item; the largest one keeps its number, and its graph."""
        old = self.cluster[item]
        left, parts = [i for i, c in enumerate(self.cluster) if c == old], list[set[int]]()
        for i in [item, *left]:
            if not any(i in part for part in parts):
                parts.append(component(self.items, i))
        for part in parts:  # Figure 3: the new item clusters are the connected components
            if part is not max(parts, key=len) and len(self.G) < self.limit:
                for i in part:
                    self.cluster[i] = len(self.G)
                self.G.append(copy.deepcopy(self.start))  # Figure 3: each gets a connected graph over the users
