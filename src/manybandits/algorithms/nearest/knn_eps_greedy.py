"""k-NN epsilon-greedy: a random arm with probability epsilon, otherwise the best mean of nearest rewards.

Source: Madhawa and Murata 2019, *A multi-armed bandit approach for exploring partially observed networks*.

    a_t = any arm with probability epsilon, else argmax_a of the mean of its `most` nearest rewards

If an arm has fewer observations, all of them are used; an arm that was never pulled has mean 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contextfree.eps_greedy import EPSILON
from manybandits.algorithms.contract import Options, Problem, script
from manybandits.algorithms.linear._optimism import best
from manybandits.algorithms.nearest._scores import MOST
from manybandits.compiling.parts import part
from manybandits.numerics.draws import below, uniform
from manybandits.numerics.neighbours import Neighbours, nearest, new_neighbours, remember
from manybandits.numerics.vectors import total

TITLE = "k-NN epsilon-greedy"
REFERENCE = "Madhawa and Murata 2019"
OPTIONS = (EPSILON, MOST)
RANDOMISED = True


class State(NamedTuple):
    epsilon: float
    most: int
    seen: Neighbours
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    return State(options["epsilon"], options["most"], new_neighbours(*problem.memory), random)


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    if uniform(state.random) < state.epsilon:
        return below(state.random, len(items))
    values, distances, rewards = np.empty(len(items)), np.empty(state.most), np.empty(state.most)
    for k in range(len(items)):
        found = nearest(state.seen, items[k], contexts[k], distances, rewards)
        values[k] = total(rewards[:found]) / max(found, 1)
    return best(values, state.random)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    remember(state.seen, item, context, reward)


if __name__ == "__main__":
    script(__file__)
