"""LinThompson: one ridge regression for every arm, and an arm with the probability that it is the best.

Source: Agrawal and Goyal 2013, *Thompson sampling for contextual bandits with linear payoffs*, Algorithm 1, with one
model an arm and a weight of the identity that they set to 1.

    a_t = argmax_a  x_a' theta~_a,    theta~_a ~ N(theta_a, v^2 A_a^-1)

Arms are drawn independently, so a draw of x_a' theta~_a is one number: N(x_a' theta_a, v^2 x_a' A_a^-1 x_a).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from manybandits.algorithms.linear._optimism import best
from manybandits.algorithms.policy import LAMBDA, Option, Options, Problem
from manybandits.core.ridge import Ridge, mean_and_spread, new_ridge, observe
from manybandits.core.samplers import normal

TITLE = "LinThompson"
REFERENCE = "Agrawal and Goyal 2013, Algorithm 1, one model an arm"
V = Option("v", 0.1, "exploration: multiplies the posterior's standard deviation", low=0.0)
OPTIONS = (V, LAMBDA)
RELEASED = ""


class State(NamedTuple):
    v: np.ndarray  # (R,)
    arms: Ridge  # K learners
    random: np.ndarray  # (R, 1) uint64


def start(problem: Problem, options: Options, released: bool, random: np.ndarray) -> State:
    """Return the state of R replicas before the first round."""
    arms = new_ridge(options["lambda"], problem.items, problem.dimension, problem.log)
    return State(options["v"], arms, random)


@njit
def choose(state, t, user, items, contexts):  # type: ignore[no-untyped-def]
    values = np.empty(len(items))
    for k in range(len(items)):
        mean, spread = mean_and_spread(state.arms, items[k], contexts[k])
        values[k] = mean + state.v * np.sqrt(spread) * normal(state.random)
    return best(values, state.random)


@njit
def learn(state, t, user, item, context, reward):  # type: ignore[no-untyped-def]
    observe(state.arms, item, context, reward)


if __name__ == "__main__":
    from manybandits.play import script

    script(__file__)
