"""LinUCB: one ridge regression per arm, and optimism.

Source: Li, Chu, Langford and Schapire 2010, *A contextual-bandit approach to personalized news article
recommendation*, Algorithm 1 (disjoint linear models); `lambda`, the weight of the identity, is 1 there.

    a_t = argmax_a  theta_a' x_a + alpha sqrt(x_a' A_a^-1 x_a)

Items are arms: each has its own model. LinUCB-ONE has one model in all, and LinUCB-IND one per user.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import ALPHA, LAMBDA, Options, Problem, script
from manybandits.algorithms.linear._optimism import best
from manybandits.compiling.parts import part
from manybandits.numerics.ridge import Ridge, mean_and_spread, new_ridge, observe, root

TITLE = "LinUCB"
REFERENCE = "Li et al. 2010, Algorithm 1"
OPTIONS = (ALPHA, LAMBDA)


class State(NamedTuple):
    alpha: float
    arms: Ridge  # K learners
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    return State(options["alpha"], new_ridge(options["lambda"], problem.items, *problem.contexts), random)


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    values = np.empty(len(items))
    for k in range(len(items)):
        mean, spread = mean_and_spread(state.arms, items[k], contexts[k])
        values[k] = mean + state.alpha * root(spread)
    return best(values, state.random)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    observe(state.arms, item, context, reward)


if __name__ == "__main__":
    script(__file__)
