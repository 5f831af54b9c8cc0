"""Epsilon-greedy: a random arm with probability epsilon, otherwise the arm with the largest mean reward.

Source: Sutton and Barto 1998, *Reinforcement learning*, section 2.2; LNUCB-TA Table 5 varies epsilon.

    a_t = any arm with probability epsilon, else argmax_a mean_a        an arm that was never pulled has mean 0
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contextfree._records import Records, mean_of, new_records, record
from manybandits.algorithms.contract import Option, Options, Problem, script
from manybandits.algorithms.linear._optimism import best
from manybandits.compiling.parts import part
from manybandits.numerics.draws import below, uniform

TITLE = "Epsilon-greedy"
REFERENCE = "Sutton and Barto 1998, section 2.2"
EPSILON = Option("epsilon", 0.1, "probability of a random arm", low=0.0, high=1.0)
OPTIONS = (EPSILON,)
RANDOMISED = True


class State(NamedTuple):
    epsilon: float
    records: Records
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    return State(options["epsilon"], new_records(problem.items), random)


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    if uniform(state.random) < state.epsilon:
        return below(state.random, len(items))
    values = np.empty(len(items))
    for k in range(len(items)):
        values[k] = mean_of(state.records, items[k])
    return best(values, state.random)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    record(state.records, item, reward)


if __name__ == "__main__":
    script(__file__)
