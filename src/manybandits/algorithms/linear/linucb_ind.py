"""LinUCB-IND: one ridge regression per user; users share nothing.

Source: Li, Chu, Langford and Schapire 2010, *A contextual-bandit approach to personalized news article
recommendation*, Algorithm 1, with one model per user in place of one model per arm.

    a_t = argmax_a  theta_u' x_a + alpha sqrt(x_a' M_u^-1 x_a ln(t + 1))        u: the user served

The width is that of CLUB, so that both differ in their clusters alone; Li et al. have no ln(t + 1).
"""

from __future__ import annotations

import numpy as np

from manybandits.algorithms.contract import ALPHA, LAMBDA, Options, Problem, script
from manybandits.algorithms.linear._optimism import State, best, fill_indices, optimistic
from manybandits.compiling.parts import part
from manybandits.numerics.ridge import observe

TITLE = "LinUCB-IND"
REFERENCE = "Li et al. 2010, Algorithm 1, one model a user"
OPTIONS = (ALPHA, LAMBDA)


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    """Return the state before the first round: a model per user."""
    return optimistic(problem.users, problem, options, random)


@part
def value(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray, values: np.ndarray) -> None:
    fill_indices(state.alpha, state.models, user, t, contexts, values)


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    values = np.empty(len(items))
    value(state, t, user, items, contexts, values)
    return best(values, state.random)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    observe(state.models, user, context, reward)


if __name__ == "__main__":
    script(__file__)
