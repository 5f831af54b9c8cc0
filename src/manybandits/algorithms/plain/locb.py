"""LOCB, plainly: Ban and He 2021, "Local clustering in contextual multi-armed bandits", Algorithm 1."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain._graph import f
from manybandits.algorithms.plain._ridge import Ridge, pooled
from manybandits.algorithms.plain._twin import Twin


class LOCB(Twin):
    """Clusters grow around seed users, and may overlap."""

    by_user = True

    def begin(self) -> None:
        n, d = self.problem.users, self.problem.dimension
        self.user = [Ridge(d, self.o["lambda"]) for _ in range(n)]  # for each user: A_i = I, b_i = 0
        drawn = self.random.before().choice(n, min(self.o["seeds"], n), replace=False)  # S, s seeds drawn at random
        self.N = {int(s): set(range(n)) for s in sorted(drawn)}  # for each seed: N_s holds all users
        self.finished: set[int] = set()

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        factor, d = self.o["alpha"] * math.sqrt(math.log(t + 1)), self.problem.dimension
        clusters = {frozenset(N) for N in self.N.values() if user in N} or {frozenset([user])}  # those of the user
        models = [pooled([self.user[j] for j in sorted(N)], d, self.o["lambda"]) for N in clusters]
        return [float(value) for value in np.max([one.bounds(contexts, factor) for one in models], axis=0)]  # argmax

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        i = self.user[user]
        i.add(context, reward)  # update A_i, b_i
        for seed in set(self.N) - self.finished:  # for each seed that is not finished
            s = self.user[seed]
            near = np.linalg.norm(i.theta - s.theta) <= f(i.T) + f(s.T)  # the estimates are within both radii
            (self.N[seed].add if near else self.N[seed].discard)(user)  # the user is in N_s
            if f(s.T) <= self.o["gamma"] / 4:
                self.finished.add(seed)  # the cluster is returned
