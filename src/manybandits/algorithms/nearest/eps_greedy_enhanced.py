"""Epsilon-greedy-enhanced: epsilon-greedy with nearest rewards and attention.

Source: Khosravi et al., *LNUCB-TA: Linear-nonlinear hybrid bandit learning with temporal attention*, Appendix B
(Figure 5, Table 6).

    a_t = arm a with probability w_a, with probability epsilon; else argmax_a f_a + mean reward of a

f_a is the mean of the k nearest rewards of an arm, where k grows with their variance (Algorithm 2); w_a = softmax of
-gamma N_a over the arms offered (equation 116). The paper gives no formula for how the two enter, and no gamma.
"""

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contextfree.eps_greedy import EPSILON
from manybandits.algorithms.contract import Options, Problem, fields_of, script
from manybandits.algorithms.linear._optimism import best
from manybandits.algorithms.nearest._scores import (
    GAMMA,
    HIGH,
    LOW,
    ROUNDING,
    TIES,
    WEIGHTS,
    adapted,
    attention,
    neighbour_fields,
)
from manybandits.compiling.parts import part
from manybandits.numerics.draws import uniform
from manybandits.numerics.neighbours import Neighbours, remember

TITLE = "Epsilon-greedy-enhanced"
REFERENCE = "Khosravi et al., Appendix B"
OPTIONS = (EPSILON, GAMMA, LOW, HIGH, ROUNDING, WEIGHTS, TIES)
RANDOMISED = True


class State(NamedTuple):
    epsilon: float
    gamma: float
    theta_min: int
    theta_max: int
    floors: bool
    near_more: bool
    seen: Neighbours
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, released: bool, random: np.ndarray) -> State:
    return State(
        **fields_of(State, options),
        **neighbour_fields(problem, options),
        random=random,
    )


@part
def score(state: State, arm: int, x: np.ndarray) -> float:
    """Return f_a, the neighbours' score of an arm (Algorithm 2)."""
    return adapted(state.seen, arm, x, state.theta_min, state.theta_max, state.floors, state.near_more)


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    if uniform(state.random) < state.epsilon:
        ticket, weight = uniform(state.random), attention(state.seen, items, state.gamma)
        arm = 0
        while arm < len(items) - 1 and ticket >= weight[arm]:
            ticket -= weight[arm]
            arm += 1
        return arm
    values = np.empty(len(items))
    for k in range(len(items)):
        near = score(state, items[k], contexts[k])
        values[k] = near + state.seen.total[items[k]] / max(state.seen.count[items[k]], 1)
    return best(values, state.random)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    remember(state.seen, item, context, reward)


if __name__ == "__main__":
    script(__file__)
