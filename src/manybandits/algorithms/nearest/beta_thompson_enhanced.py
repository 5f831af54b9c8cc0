"""BetaThompson-enhanced: BetaThompson with nearest rewards and attention.

Source: Khosravi et al., *LNUCB-TA: Linear-nonlinear hybrid bandit learning with temporal attention*, Appendix B
(Figure 5, Table 6).

    a_t = argmax_a  f_a + m_a + w_a (p_a - m_a),    p_a ~ Beta(a0 + hits, b0 + misses) of mean m_a

f_a is the mean of the k nearest rewards of an arm, where k grows with their variance (Algorithm 2); w_a = softmax of
-gamma N_a over the arms offered (equation 116). The paper gives no formula for how the two enter, and no gamma.
"""

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contextfree.beta_thompson import PRIOR, prior_of
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
from manybandits.numerics.neighbours import Neighbours, remember
from manybandits.numerics.samplers import beta

TITLE = "BetaThompson-enhanced"
REFERENCE = "Khosravi et al., Appendix B"
OPTIONS = (PRIOR, GAMMA, LOW, HIGH, ROUNDING, WEIGHTS, TIES)
RANDOMISED = True


class State(NamedTuple):
    a0: float
    b0: float
    gamma: float
    theta_min: int
    theta_max: int
    floors: bool
    near_more: bool
    seen: Neighbours
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, released: bool, random: np.ndarray) -> State:
    a0, b0 = prior_of(options)
    return State(
        a0,
        b0,
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
    values, weight = np.empty(len(items)), attention(state.seen, items, state.gamma)
    for k in range(len(items)):
        hits = state.a0 + state.seen.total[items[k]]
        misses = state.b0 + state.seen.count[items[k]] - state.seen.total[items[k]]
        mean = hits / (hits + misses)
        near = score(state, items[k], contexts[k])
        values[k] = near + mean + weight[k] * (beta(hits, misses, state.random) - mean)
    return best(values, state.random)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    remember(state.seen, item, context, min(max(reward, 0.0), 1.0))


if __name__ == "__main__":
    script(__file__)
