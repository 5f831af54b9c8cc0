"""LinUCB-IND: one ridge regression for every user, nothing shared.

Source: Li, Chu, Langford and Schapire 2010, *A contextual-bandit approach to personalized news article
recommendation*, Algorithm 1, with one model a user in place of one model an arm.

    a_t = argmax_a  theta_u' x_a + alpha sqrt(x_a' M_u^-1 x_a ln(t + 1))        u: the user served

Variant ``released``: the width of the authors' code (see `_optimism`); alpha and lambda have no effect.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import ALPHA, LAMBDA, Options, Problem, script
from manybandits.algorithms.linear._optimism import best, indices
from manybandits.compiling.parts import part
from manybandits.numerics.ridge import Ridge, new_ridge, observe

TITLE = "LinUCB-IND"
REFERENCE = "Li et al. 2010, Algorithm 1, one model a user"
OPTIONS = (ALPHA, LAMBDA)
RELEASED = "width beta(N, t) x' M^-1 x without square root, not tuned; lambda = 1"


class State(NamedTuple):
    released: np.ndarray  # (R,) bool
    alpha: np.ndarray  # (R,)
    users: Ridge  # n learners
    random: np.ndarray  # (R, 1) uint64


def start(problem: Problem, options: Options, released: bool, random: np.ndarray) -> State:
    """Return the state of R replicas before the first round."""
    regularization = np.ones(len(random)) if released else options["lambda"]
    return State(
        released=np.full(len(random), released),
        alpha=options["alpha"],
        users=new_ridge(regularization, problem.users, problem.dimension, problem.log),
        random=random,
    )


@part
def choose(state, t, user, items, contexts):  # type: ignore[no-untyped-def]
    values = indices(state.released, state.alpha, state.users, user, t, contexts)
    return best(values, state.random)


@part
def learn(state, t, user, item, context, reward):  # type: ignore[no-untyped-def]
    observe(state.users, user, context, reward)


if __name__ == "__main__":
    script(__file__)
