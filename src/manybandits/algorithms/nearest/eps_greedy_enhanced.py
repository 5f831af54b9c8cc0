"""Epsilon-greedy-enhanced: epsilon-greedy with nearest rewards and attention.

Source: Khosravi et al., *LNUCB-TA: Linear-nonlinear hybrid bandit learning with temporal attention*, Appendix B
(Figure 5, Table 6).

    a_t = arm a with probability w_a, with probability epsilon; else argmax_a f_a + mean reward of a

f_a is the mean of an arm's nearest rewards, of a number that follows their variance (Algorithm 2); w_a = softmax of
-gamma N_a over the arms offered (equation 116). How the two enter is not stated in formulas; gamma is not stated.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contextfree.eps_greedy import EPSILON
from manybandits.algorithms.contract import Options, Problem, script
from manybandits.algorithms.linear._optimism import best
from manybandits.algorithms.nearest._scores import GAMMA, HIGH, LOW, adapted, attention
from manybandits.compiling.parts import part
from manybandits.numerics.draws import uniform
from manybandits.numerics.neighbours import Neighbours, new_neighbours, remember

TITLE = "Epsilon-greedy-enhanced"
REFERENCE = "Khosravi et al., Appendix B"
OPTIONS = (EPSILON, GAMMA, LOW, HIGH)
RELEASED = ""


class State(NamedTuple):
    epsilon: np.ndarray  # (R,)
    gamma: np.ndarray  # (R,)
    theta_min: np.ndarray  # (R,)
    theta_max: np.ndarray  # (R,)
    seen: Neighbours
    random: np.ndarray  # (R, 1) uint64


def start(problem: Problem, options: Options, released: bool, random: np.ndarray) -> State:
    """Return the state of R replicas before the first round."""
    seen = new_neighbours(len(random), *problem.memory)
    return State(options["epsilon"], options["gamma"], options["theta_min"], options["theta_max"], seen, random)


@part
def choose(state, t, user, items, contexts):  # type: ignore[no-untyped-def]
    if uniform(state.random) < state.epsilon:
        ticket, weight = uniform(state.random), attention(state.seen, items, state.gamma)
        arm = 0
        while arm < len(items) - 1 and ticket >= weight[arm]:
            ticket -= weight[arm]
            arm += 1
        return arm
    values = np.empty(len(items))
    for k in range(len(items)):
        near = adapted(state.seen, items[k], contexts[k], state.theta_min, state.theta_max, False, False)
        values[k] = near + state.seen.total[items[k]] / max(state.seen.count[items[k]], 1)
    return best(values, state.random)


@part
def learn(state, t, user, item, context, reward):  # type: ignore[no-untyped-def]
    remember(state.seen, item, context, reward)


if __name__ == "__main__":
    script(__file__)
