"""KL-UCB: the arm with the largest upper confidence bound, which the Kullback-Leibler divergence determines.

Source: Garivier and Cappe 2011, *The KL-UCB algorithm for bounded stochastic bandits and beyond*, Algorithm 1.

    a_t = argmax_a  max {q in [mean_a, 1] : N_a kl(mean_a, q) <= ln t + c ln ln t}

kl is the divergence of Bernoulli distributions. An arm that was never pulled comes first. Before t = 3, ln ln t is
negative or undefined, and is replaced by 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contextfree._records import Records, mean_of, new_records, record
from manybandits.algorithms.contract import Option, Options, Problem, script
from manybandits.algorithms.linear._optimism import best
from manybandits.compiling.parts import part
from manybandits.numerics.vectors import filled

TITLE = "KL-UCB"
REFERENCE = "Garivier and Cappe 2011, Algorithm 1"
OPTIONS = (Option("c", 0.0, "exploration: multiplies ln ln t", low=0.0),)

HALVINGS = 40
"""Bisections of the interval that contains q: its length is then below 1e-12."""


class State(NamedTuple):
    c: float
    records: Records
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    return State(options["c"], new_records(problem.items), random)


@part
def divergence(p: float, q: float) -> float:
    """Return kl(p, q), of Bernoulli distributions with p in [0, 1] and q in (0, 1)."""
    total = 0.0
    if p > 0.0:
        total += p * np.log(p / q)
    if p < 1.0:
        total += (1.0 - p) * np.log((1.0 - p) / (1.0 - q))
    return total


@part
def highest(mean: float, most: float) -> float:
    """Return the largest q in [mean, 1] with kl(mean, q) <= most; `mean` is first clipped to [0, 1]."""
    p = min(max(mean, 0.0), 1.0)
    low, high = p, 1.0
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if middle >= 1.0 or divergence(p, middle) > most:
            high = middle
        else:
            low = middle
    return low


@part
def level(t: float, c: float) -> float:
    """Return ln t + c ln ln t."""
    return np.log(t) + (c * np.log(np.log(t)) if t >= 3.0 else 0.0)


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    values = filled(len(items), np.inf)
    for k in range(len(items)):
        pulls = state.records.count[items[k]]
        if pulls > 0:
            values[k] = highest(mean_of(state.records, items[k]), level(t, state.c) / pulls)
    return best(values, state.random)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    record(state.records, item, reward)


if __name__ == "__main__":
    script(__file__)
