"""COFIBA of 2022, plainly: M is github.com/banyikun/MCNB, one replica.

The code asks whether each matrix can be inverted. All can, since each has an identity among its terms.
"""

from __future__ import annotations

import numpy as np

from manybandits.algorithms.plain._graph import Graph, complete, component
from manybandits.algorithms.plain._twin import Twin


class COFIBA2022(Twin):
    """The whole of it."""

    def begin(self) -> None:
        self.n, self.d, arms = self.problem.users, self.problem.dimension, self.problem.arms
        self.S = [np.eye(self.d) for _ in range(self.n)]  # M@53eb178:cofiba.py:35
        self.b = [np.zeros(self.d) for _ in range(self.n)]  # M@53eb178:cofiba.py:36
        self.beta = 0.1  # M@53eb178:cofiba.py:58
        self.G = {0: complete(self.n)}  # M@53eb178:cofiba.py:60
        self.cluster = [0] * arms  # M@53eb178:cofiba.py:62
        self.items = {0: set(range(arms))}  # M@53eb178:cofiba.py:63
        self.GI = complete(arms)  # M@53eb178:cofiba.py:64
        self.width = 4 * np.sqrt(self.d) * 2  # M@53eb178:cofiba.py:66, 127; the counts T stay 0, and f(0) is 1
        self.user_cuts = self.item_cuts = 0  # for tests

    def choose(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
        self.contexts = contexts.copy()  # M@53eb178:cofiba.py:72
        values = np.zeros(len(contexts))  # M@53eb178:cofiba.py:73
        for c in self.G:  # M@53eb178:cofiba.py:74
            members = component(self.G[c], user)  # M@53eb178:cofiba.py:75
            inverse = np.linalg.inv(sum(self.S[j] for j in members))  # M@53eb178:cofiba.py:77-81, 87
            theta = inverse @ sum(self.b[j] for j in members)  # M@53eb178:cofiba.py:78-82, 88
            for k in self.items[c]:  # M@53eb178:cofiba.py:89
                x = contexts[k]
                values[k] = x @ theta + self.beta * (x @ inverse @ x)  # M@53eb178:cofiba.py:90
        self.chosen = int(np.argmax(values))
        return self.chosen  # M@53eb178:cofiba.py:95

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        self.S[user] += np.outer(context, context)  # M@53eb178:cofiba.py:45
        self.b[user] += reward * context  # M@53eb178:cofiba.py:46
        inverse = np.linalg.inv(self.S[user])  # M@53eb178:cofiba.py:167
        graph = self.G[self.cluster[self.chosen]]  # M@53eb178:cofiba.py:170
        for j in sorted(graph[user]):  # M@53eb178:cofiba.py:171-172
            wrong = inverse @ self.b[user] - inverse @ self.b[j]  # M@53eb178:cofiba.py:168, 175: with the S of the user
            if abs(wrong @ context) > self.width:  # M@53eb178:cofiba.py:176
                graph[user].remove(j)  # M@53eb178:cofiba.py:177
                graph[j].remove(user)
                self.user_cuts += 1
        self.update_items(user, self.chosen)  # M@53eb178:cofiba.py:179

    def near(self, user: int, x: np.ndarray) -> set[int]:
        theta = [np.linalg.inv(S) @ b for S, b in zip(self.S, self.b, strict=True)]  # M@53eb178:cofiba.py:111, 126
        others = set(range(self.n)) - {user}  # M@53eb178:cofiba.py:121-123
        return {j for j in others if abs((theta[j] - theta[user]) @ x) < self.width}  # M@53eb178:cofiba.py:127, 131

    def update_items(self, user: int, h: int) -> None:
        before = component(self.GI, h)  # M@53eb178:cofiba.py:113
        here = self.near(user, self.contexts[h])  # M@53eb178:cofiba.py:128, 138
        for other in sorted(self.GI[h]):  # M@53eb178:cofiba.py:115, 139-142
            if self.near(user, self.contexts[other]) != here:  # M@53eb178:cofiba.py:143-144
                self.GI[h].remove(other)  # M@53eb178:cofiba.py:145
                self.GI[other].remove(h)
                self.item_cuts += 1
        part = component(self.GI, h)  # M@53eb178:cofiba.py:148
        if part != before:  # M@53eb178:cofiba.py:149
            c = self.cluster[h]  # M@53eb178:cofiba.py:150
            self.G[c], self.items[c] = self.drawn(), part  # M@53eb178:cofiba.py:151-152
            while rest := before - part:  # M@53eb178:cofiba.py:153-154, 162
                found = component(self.GI, min(rest))  # M@53eb178:cofiba.py:155-156, of a set in the order of its table
                c = len(self.items)  # M@53eb178:cofiba.py:97-107, 157
                self.G[c], self.items[c] = self.drawn(), found  # M@53eb178:cofiba.py:158-159
                for other in found:
                    self.cluster[other] = c  # M@53eb178:cofiba.py:160-161
                part = part | found

    def drawn(self) -> Graph:
        probability = 3 * np.log(self.n) / self.n  # M@53eb178:utlis.py:8
        graph: Graph = {i: set() for i in range(self.n)}
        for i in range(self.n):  # networkx draws the pairs in this order; here from our stream
            for j in range(i + 1, self.n):
                if self.random.uniform() < probability:
                    graph[i].add(j)
                    graph[j].add(i)
        return graph
