"""LinThompson-enhanced: LinThompson with nearest rewards and attention.

Source: Khosravi et al., *LNUCB-TA: Linear-nonlinear hybrid bandit learning with temporal attention*, Appendix B
(Figure 5, Table 6).

    a_t = argmax_a  f_a + x_a' theta + w_a x_a' (theta~ - theta),    theta~ ~ N(theta, v^2 A^-1)

All arms share theta, or each has its own, as in `linthompson`. f_a is the mean of the k nearest rewards of an arm,
where k grows with their variance (Algorithm 2); w_a = softmax of -gamma N_a over the arms offered (equation 116). The
paper gives no formula for how the two enter, and no gamma.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import LAMBDA, Options, Problem, fields_of, script
from manybandits.algorithms.linear._optimism import best
from manybandits.algorithms.linear.linthompson import MODEL, V, new_models, predict_and_draw
from manybandits.algorithms.nearest._scores import ADAPTED, GAMMA, Adapted, attention, new_adapted, score
from manybandits.compiling.parts import part
from manybandits.numerics.neighbours import remember
from manybandits.numerics.ridge import Ridge, observe

TITLE = "LinThompson-enhanced"
REFERENCE = "Khosravi et al., Appendix B"
OPTIONS = (V, MODEL, GAMMA, *ADAPTED, LAMBDA)
RANDOMISED = True


class State(NamedTuple):
    v: float
    one: bool  # whether arms share a model
    models: Ridge  # one learner, or K
    gamma: float
    near: Adapted
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    return State(
        **fields_of(State, options),
        one=options["model"] == "one",
        models=new_models(problem, options),
        near=new_adapted(problem, options),
        random=random,
    )


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    values, off = np.empty(len(items)), np.empty(len(items))
    predict_and_draw(state, items, contexts, values, off)
    weight = attention(state.near.seen, items, state.gamma)
    for k in range(len(items)):
        values[k] += weight[k] * state.v * off[k]
        values[k] += score(state.near, items[k], contexts[k])
    return best(values, state.random)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    observe(state.models, 0 if state.one else item, context, reward)
    remember(state.near.seen, item, context, reward)


if __name__ == "__main__":
    script(__file__)
