"""BetaThompson-enhanced: BetaThompson with nearest rewards and attention.

Source: Khosravi et al., *LNUCB-TA: Linear-nonlinear hybrid bandit learning with temporal attention*, Appendix B
(Figure 5, Table 6).

    a_t = argmax_a  f_a + m_a + w_a (p_a - m_a),    p_a ~ Beta(a0 + hits, b0 + misses) of mean m_a

f_a is the mean of the k nearest rewards of an arm, where k grows with their variance (Algorithm 2); w_a = softmax of
-gamma N_a over the arms offered (equation 116). The paper gives no formula for how the two enter, and no gamma.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contextfree.beta_thompson import PRIOR, prior_of
from manybandits.algorithms.contract import Options, Problem, fields_of, script
from manybandits.algorithms.linear._optimism import best
from manybandits.algorithms.nearest._scores import ADAPTED, GAMMA, Adapted, attention, new_adapted, score
from manybandits.compiling.parts import part
from manybandits.numerics.neighbours import remember
from manybandits.numerics.samplers import beta

TITLE = "BetaThompson-enhanced"
REFERENCE = "Khosravi et al., Appendix B"
OPTIONS = (PRIOR, GAMMA, *ADAPTED)
RANDOMISED = True


class State(NamedTuple):
    a0: float
    b0: float
    gamma: float
    near: Adapted
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    a0, b0 = prior_of(options)
    return State(
        a0,
        b0,
        **fields_of(State, options),
        near=new_adapted(problem, options),
        random=random,
    )


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    values, weight = np.empty(len(items)), attention(state.near.seen, items, state.gamma)
    for k in range(len(items)):
        hits = state.a0 + state.near.seen.total[items[k]]
        misses = state.b0 + state.near.seen.count[items[k]] - state.near.seen.total[items[k]]
        mean = hits / (hits + misses)
        near = score(state.near, items[k], contexts[k])
        values[k] = near + mean + weight[k] * (beta(hits, misses, state.random) - mean)
    return best(values, state.random)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    remember(state.near.seen, item, context, min(max(reward, 0.0), 1.0))


if __name__ == "__main__":
    script(__file__)
