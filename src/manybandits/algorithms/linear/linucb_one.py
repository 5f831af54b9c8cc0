"""LinUCB-ONE: one ridge regression for all users together.

Source: Li, Chu, Langford and Schapire 2010, Algorithm 1, with one model in all. It is LinUCB-IND with a
single user, and the other end of the scale on which the clustering methods look for their place.
"""

from __future__ import annotations

import numpy as np

from manybandits.algorithms.contract import ALPHA, LAMBDA, Options, Problem, script
from manybandits.algorithms.linear import linucb_ind
from manybandits.algorithms.linear.linucb_ind import State
from manybandits.compiling.parts import part

TITLE = "LinUCB-ONE"
REFERENCE = "Li et al. 2010, Algorithm 1, one model in all"
OPTIONS = (ALPHA, LAMBDA)
RELEASED = linucb_ind.RELEASED


def start(problem: Problem, options: Options, released: bool, random: np.ndarray) -> State:
    """Return the state of R replicas before the first round."""
    return linucb_ind.start(problem._replace(users=1), options, released, random)


@part
def choose(state, t, user, items, contexts):  # type: ignore[no-untyped-def]
    return linucb_ind.choose(state, t, 0, items, contexts)


@part
def learn(state, t, user, item, context, reward):  # type: ignore[no-untyped-def]
    linucb_ind.learn(state, t, 0, item, context, reward)


if __name__ == "__main__":
    script(__file__)
