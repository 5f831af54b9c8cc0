"""LinThompson-enhanced: LinThompson with nearest rewards and attention.

Source: Khosravi et al., *LNUCB-TA: Linear-nonlinear hybrid bandit learning with temporal attention*, Appendix B
(Figure 5, Table 6).

    a_t = argmax_a  f_a + x_a' theta + w_a x_a' (theta~ - theta),    theta~ ~ N(theta, v^2 A^-1)

theta is that of all arms or each arm's own, as in `linthompson`; f_a is the mean of an arm's nearest rewards, of a
number that follows their variance (Algorithm 2); w_a = softmax of -gamma N_a over the arms offered (equation 116). How
the two enter is not stated in formulas; gamma is not stated.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import LAMBDA, Options, Problem, script
from manybandits.algorithms.linear._optimism import best
from manybandits.algorithms.linear.linthompson import MODEL, V, new_models, predict_and_draw
from manybandits.algorithms.nearest._scores import GAMMA, HIGH, LOW, adapted, attention
from manybandits.compiling.parts import part
from manybandits.numerics.neighbours import Neighbours, new_neighbours, remember
from manybandits.numerics.ridge import Ridge, observe

TITLE = "LinThompson-enhanced"
REFERENCE = "Khosravi et al., Appendix B"
OPTIONS = (V, MODEL, GAMMA, LOW, HIGH, LAMBDA)
RELEASED = ""


class State(NamedTuple):
    v: np.ndarray  # (R,)
    one: np.ndarray  # (R,) bool: whether arms share a model
    models: Ridge  # one learner, or K
    gamma: np.ndarray  # (R,)
    theta_min: np.ndarray  # (R,)
    theta_max: np.ndarray  # (R,)
    seen: Neighbours
    random: np.ndarray  # (R, 1) uint64


def start(problem: Problem, options: Options, released: bool, random: np.ndarray) -> State:
    """Return the state of R replicas before the first round."""
    seen = new_neighbours(len(random), *problem.memory)
    return State(
        v=options["v"],
        one=options["model"] == "one",
        models=new_models(problem, options),
        gamma=options["gamma"],
        theta_min=options["theta_min"],
        theta_max=options["theta_max"],
        seen=seen,
        random=random,
    )


@part
def choose(state, t, user, items, contexts):  # type: ignore[no-untyped-def]
    values, off = np.empty(len(items)), np.empty(len(items))
    predict_and_draw(state, items, contexts, values, off)
    weight = attention(state.seen, items, state.gamma)
    for k in range(len(items)):
        values[k] += weight[k] * state.v * off[k]
        values[k] += adapted(state.seen, items[k], contexts[k], state.theta_min, state.theta_max, False, False)
    return best(values, state.random)


@part
def learn(state, t, user, item, context, reward):  # type: ignore[no-untyped-def]
    observe(state.models, 0 if state.one else item, context, reward)
    remember(state.seen, item, context, reward)


if __name__ == "__main__":
    script(__file__)
