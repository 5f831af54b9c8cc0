"""Epsilon-greedy-enhanced: epsilon-greedy with nearest rewards and attention.

Source: Khosravi et al., *LNUCB-TA: Linear-nonlinear hybrid bandit learning with temporal attention*, Appendix B
(Figure 5, Table 6).

    a_t = arm a with probability w_a, with probability epsilon; else argmax_a f_a + mean reward of a

f_a is the mean of the k nearest rewards of an arm, where k grows with their variance (Algorithm 2); w_a = softmax of
-gamma N_a over the arms offered (equation 116). The paper gives no formula for how the two enter, and no gamma.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contextfree.eps_greedy import EPSILON
from manybandits.algorithms.contract import Options, Problem, fields_of, script
from manybandits.algorithms.linear._optimism import best
from manybandits.algorithms.nearest._scores import ADAPTED, GAMMA, Adapted, attention, new_adapted, score
from manybandits.compiling.parts import part
from manybandits.numerics.draws import uniform
from manybandits.numerics.neighbours import remember

TITLE = "Epsilon-greedy-enhanced"
REFERENCE = "Khosravi et al., Appendix B"
OPTIONS = (EPSILON, GAMMA, *ADAPTED)
RANDOMISED = True


class State(NamedTuple):
    epsilon: float
    gamma: float
    near: Adapted
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    return State(
        **fields_of(State, options),
        near=new_adapted(problem, options),
        random=random,
    )


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    if uniform(state.random) < state.epsilon:
        ticket, weight = uniform(state.random), attention(state.near.seen, items, state.gamma)
        arm = 0
        while arm < len(items) - 1 and ticket >= weight[arm]:
            ticket -= weight[arm]
            arm += 1
        return arm
    values = np.empty(len(items))
    for k in range(len(items)):
        near = score(state.near, items[k], contexts[k])
        values[k] = near + state.near.seen.total[items[k]] / max(state.near.seen.count[items[k]], 1)
    return best(values, state.random)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    remember(state.near.seen, item, context, reward)


if __name__ == "__main__":
    script(__file__)
