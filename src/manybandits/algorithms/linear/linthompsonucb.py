"""LinThompsonUCB: a draw from the posterior of every arm's linear model, plus a confidence width.

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
from manybandits.numerics.ridge import Ridge, mean_and_spread, new_ridge, observe, root
from manybandits.numerics.samplers import normal

TITLE = "LinThompsonUCB"
REFERENCE = "Zhang 2019"
OPTIONS = (ALPHA, V, LAMBDA)
RANDOMISED = True


class State(NamedTuple):
    alpha: float
    v: float
    arms: Ridge  # K learners
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    return State(options["alpha"], options["v"], new_ridge(options["lambda"], problem.items, *problem.contexts), random)


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    values = np.empty(len(items))
    for k in range(len(items)):
        mean, spread = mean_and_spread(state.arms, items[k], contexts[k])
        values[k] = mean + (state.alpha + state.v * normal(state.random)) * root(spread)
    return best(values, state.random)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    observe(state.arms, item, context, reward)


if __name__ == "__main__":
    script(__file__)
