"""LinThompson-enhanced: LinThompson with nearest rewards and attention.

Source: Khosravi et al., *LNUCB-TA: Linear-nonlinear hybrid bandit learning with temporal attention*, Appendix B
(Figure 5, Table 6).

    a_t = argmax_a  f_a + theta_a' x_a + w_a x_a' (theta~_a - theta_a),    theta~_a ~ N(theta_a, v^2 A_a^-1)

f_a is the mean of an arm's nearest rewards, of a number that follows their variance (Algorithm 2); w_a = softmax of
-gamma N_a over the arms offered (equation 116). How the two enter is not stated in formulas; gamma is not stated.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from manybandits.algorithms.linear._optimism import best
from manybandits.algorithms.linear.linthompson import V
from manybandits.algorithms.nearest._scores import GAMMA, HIGH, LOW, adapted, attention
from manybandits.algorithms.policy import LAMBDA, Options, Problem
from manybandits.core.neighbours import Neighbours, new_neighbours, remember
from manybandits.core.ridge import Ridge, mean_and_spread, new_ridge, observe
from manybandits.core.samplers import normal

TITLE = "LinThompson-enhanced"
REFERENCE = "Khosravi et al., Appendix B"
OPTIONS = (V, GAMMA, LOW, HIGH, LAMBDA)
RELEASED = ""


class State(NamedTuple):
    v: np.ndarray  # (R,)
    arms: Ridge  # K learners
    gamma: np.ndarray  # (R,)
    theta_min: np.ndarray  # (R,)
    theta_max: np.ndarray  # (R,)
    seen: Neighbours
    random: np.ndarray  # (R, 1) uint64


def start(problem: Problem, options: Options, released: bool, random: np.ndarray) -> State:
    """Return the state of R replicas before the first round."""
    arms = new_ridge(options["lambda"], problem.items, problem.dimension, problem.log)
    seen = new_neighbours(len(random), *problem.memory)
    return State(options["v"], arms, options["gamma"], options["theta_min"], options["theta_max"], seen, random)


@njit
def choose(state, t, user, items, contexts):  # type: ignore[no-untyped-def]
    values, weight = np.empty(len(items)), attention(state.seen, items, state.gamma)
    for k in range(len(items)):
        mean, spread = mean_and_spread(state.arms, items[k], contexts[k])
        near = adapted(state.seen, items[k], contexts[k], state.theta_min, state.theta_max, False, False)
        values[k] = near + mean + weight[k] * state.v * np.sqrt(spread) * normal(state.random)
    return best(values, state.random)


@njit
def learn(state, t, user, item, context, reward):  # type: ignore[no-untyped-def]
    observe(state.arms, item, context, reward)
    remember(state.seen, item, context, reward)


if __name__ == "__main__":
    from manybandits.play import script

    script(__file__)
