"""(Lin + k-NN)-UCB: the sum of the indices of LinUCB and k-NN UCB.

Source: Khosravi et al., *LNUCB-TA: Linear-nonlinear hybrid bandit learning with temporal attention*, section 5.2, where
it is "the vanilla combination" of the two and has one exploration rate.

    a_t = argmax_a  theta_a' x_a + alpha sqrt(x_a' A_a^-1 x_a) + mean of its k_a nearest rewards + U_(k_a)

with k_a and U_k of k-NN UCB for rho = alpha. An arm that was never pulled comes first. How the two are combined is not
stated: with `bound` = linear, U_(k_a) is left out, so that nearest rewards are added to LinUCB without a bound.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import ALPHA, LAMBDA, Option, Options, Problem, fields_of, script
from manybandits.algorithms.linear._optimism import best
from manybandits.algorithms.nearest._scores import MOST, PHI, bounded
from manybandits.compiling.parts import part
from manybandits.numerics.neighbours import Neighbours, new_neighbours, remember
from manybandits.numerics.ridge import Ridge, mean_and_spread, new_ridge, observe, root
from manybandits.numerics.vectors import filled

TITLE = "(Lin + k-NN)-UCB"
REFERENCE = "Khosravi et al., section 5.2"
OPTIONS = (
    ALPHA,
    LAMBDA,
    PHI,
    MOST,
    Option("bound", "both", "bounds that are added: of both parts, or of the linear one", words=("both", "linear")),
)


class State(NamedTuple):
    alpha: float
    phi: float
    most: int
    bounds_both: bool
    arms: Ridge  # K learners
    seen: Neighbours
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    return State(
        **fields_of(State, options),
        bounds_both=options["bound"] == "both",
        arms=new_ridge(options["lambda"], problem.items, *problem.contexts),
        seen=new_neighbours(*problem.memory),
        random=random,
    )


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    values = filled(len(items), np.inf)
    for k in range(len(items)):
        near, reach, count = bounded(state.seen, items[k], contexts[k], state.most, state.alpha, state.phi, t)
        if count > 0:
            mean, spread = mean_and_spread(state.arms, items[k], contexts[k])
            doubt = state.alpha * root(spread)
            if state.bounds_both:
                doubt = doubt + np.sqrt(state.alpha * np.log(t) / count) + reach
            values[k] = mean + near + doubt
    return best(values, state.random)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    observe(state.arms, item, context, reward)
    remember(state.seen, item, context, reward)


if __name__ == "__main__":
    script(__file__)
