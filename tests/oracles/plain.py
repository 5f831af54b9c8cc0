"""What the oracles share: ridge regression by full inversion, the widths, ties, connected components.

An oracle is a slow, plain, one-replica policy written from the pseudo-code. It shares no code with the
package. What is drawn before the first round (graphs, seed users) is given to it.
"""

from __future__ import annotations

import math

import numpy as np

MASK = (1 << 64) - 1


class SplitMix64:
    """The generator of the policies' ties (Steele, Lea and Flood 2014), in Python integers."""

    def __init__(self, state: int) -> None:
        self.state = int(state)

    def word(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def uniform(self) -> float:
        return (self.word() >> 11) / 2**53


class Learner:
    """M, b and a count; everything else is computed afresh when asked for."""

    def __init__(self, dimension: int, regularization: float) -> None:
        self.gram = regularization * np.eye(dimension)
        self.moment = np.zeros(dimension)
        self.count = 0

    @property
    def inverse(self) -> np.ndarray:
        return np.linalg.inv(self.gram)

    @property
    def estimate(self) -> np.ndarray:
        return self.inverse @ self.moment

    def observe(self, x: np.ndarray, reward: float) -> None:
        self.gram = self.gram + np.outer(x, x)
        self.moment = self.moment + reward * x
        self.count += 1


def pooled(members: list[Learner], regularization: float) -> Learner:
    """The ridge regression on all data of some learners."""
    dimension = len(members[0].moment)
    whole = Learner(dimension, regularization)
    for member in members:
        whole.gram = whole.gram + member.gram - regularization * np.eye(dimension)
        whole.moment = whole.moment + member.moment
        whole.count += member.count
    return whole


def f(count: int) -> float:
    return math.sqrt((1 + math.log(1 + count)) / (1 + count))


def paper_values(inverse, estimate, contexts, alpha, t):
    return [float(estimate @ x + alpha * math.sqrt(x @ inverse @ x * math.log(t + 1))) for x in contexts]


def best(values, random: SplitMix64) -> int:
    tied = [k for k, value in enumerate(values) if value >= max(values) - 1e-9]
    return tied[int(random.uniform() * len(tied))] if len(tied) > 1 else tied[0]


def component(neighbours: dict[int, set[int]], node: int) -> set[int]:
    found, waiting = {node}, [node]
    while waiting:
        for other in neighbours[waiting.pop()] - found:
            found.add(other)
            waiting.append(other)
    return found
