"""LinUCB-ONE: one ridge regression for all users together.

Source: Li, Chu, Langford and Schapire 2010, Algorithm 1, with one model in all. It is LinUCB-IND with a
single user. Clustering methods are between these two extremes.
"""

from __future__ import annotations

import numpy as np

from manybandits.algorithms.contract import ALPHA, LAMBDA, Options, Problem, script
from manybandits.algorithms.linear import linucb_ind
from manybandits.algorithms.linear._optimism import State, optimistic
from manybandits.compiling.parts import part

TITLE = "LinUCB-ONE"
REFERENCE = "Li et al. 2010, Algorithm 1, one model in all"
OPTIONS = (ALPHA, LAMBDA)


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    return optimistic(1, problem, options, random)


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    return linucb_ind.choose(state, t, 0, items, contexts)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    linucb_ind.learn(state, t, 0, item, context, reward)


if __name__ == "__main__":
    script(__file__)
