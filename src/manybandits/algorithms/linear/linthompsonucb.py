"""LinThompsonUCB: a draw from the posterior of every arm's linear model, and optimism on top of it.

Source: Zhang 2019, *Automatic ensemble learning for online influence maximization*, as LNUCB-TA section 1 describes it:
Thompson sampling combined with the confidence width of LinUCB.

    a_t = argmax_a  x_a' theta~_a + alpha sqrt(x_a' A_a^-1 x_a),    theta~_a ~ N(theta_a, v^2 A_a^-1)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import ALPHA, LAMBDA, Options, Problem, script
from manybandits.algorithms.linear._optimism import best
from manybandits.algorithms.linear.linthompson import V
from manybandits.compiling.parts import part
from manybandits.numerics.ridge import Ridge, mean_and_spread, new_ridge, observe
from manybandits.numerics.samplers import normal

TITLE = "LinThompsonUCB"
REFERENCE = "Zhang 2019"
OPTIONS = (ALPHA, V, LAMBDA)
RELEASED = ""


class State(NamedTuple):
    alpha: np.ndarray  # (R,)
    v: np.ndarray  # (R,)
    arms: Ridge  # K learners
    random: np.ndarray  # (R, 1) uint64


def start(problem: Problem, options: Options, released: bool, random: np.ndarray) -> State:
    """Return the state of R replicas before the first round."""
    arms = new_ridge(options["lambda"], problem.items, problem.dimension, problem.log)
    return State(options["alpha"], options["v"], arms, random)


@part
def choose(state, t, user, items, contexts):  # type: ignore[no-untyped-def]
    values = np.empty(len(items))
    for k in range(len(items)):
        mean, spread = mean_and_spread(state.arms, items[k], contexts[k])
        values[k] = mean + (state.alpha + state.v * normal(state.random)) * np.sqrt(spread)
    return best(values, state.random)


@part
def learn(state, t, user, item, context, reward):  # type: ignore[no-untyped-def]
    observe(state.arms, item, context, reward)


if __name__ == "__main__":
    script(__file__)
