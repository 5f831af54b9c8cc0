"""k-NN UCB: the mean of an arm's nearest rewards, plus confidence widths for their noise and their distance.

Source: Reeve, Mellor and Brown 2018, *The k-nearest neighbour UCB algorithm for multi-armed bandits with covariates*,
Algorithm 1.

    k_a = argmin_k  U_k,    U_k = sqrt(rho ln t / k) + phi r_k        r_k: the distance of the k-th nearest context of a
    a_t = argmax_a  mean of its k_a nearest rewards + U_(k_a)

An arm that was never pulled comes first. The source takes the k nearest of all past contexts, and counts the pulls of a
among them. Where k has no limit this is the same: U never falls from one context to the next unless a was played there.
LNUCB-TA limits k to 5 (`most`). Of all past contexts that would leave most arms without an observation, and the choice
to chance; so here it limits the arm's own.

phi stands for how much a reward may change per unit of distance, which neither paper states for its data. Rewards of 0
and 1 and contexts that are tens apart, as in the news log, make phi = 1 a rule that plays the arm whose nearest context
is farthest, below chance (experiment "phi" of the LNUCB-TA paper). The default 0 is what earned most over k-NN UCB,
k-NN KL-UCB and (Lin + k-NN)-UCB on tuning seeds there; distances then choose the neighbours only, and k is `most`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import Options, Problem, script
from manybandits.algorithms.linear._optimism import best
from manybandits.algorithms.nearest._scores import MOST, PHI, RHO, bounded
from manybandits.compiling.parts import part
from manybandits.numerics.neighbours import Neighbours, new_neighbours, remember
from manybandits.numerics.vectors import filled

TITLE = "k-NN UCB"
REFERENCE = "Reeve et al. 2018, Algorithm 1"
OPTIONS = (RHO, PHI, MOST)


class State(NamedTuple):
    rho: float
    phi: float
    most: int
    seen: Neighbours
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    return State(options["rho"], options["phi"], options["most"], new_neighbours(*problem.memory), random)


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    values = filled(len(items), np.inf)
    for k in range(len(items)):
        mean, reach, count = bounded(state.seen, items[k], contexts[k], state.most, state.rho, state.phi, t)
        if count > 0:
            values[k] = mean + np.sqrt(state.rho * np.log(t) / count) + reach
    return best(values, state.random)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    remember(state.seen, item, context, reward)


if __name__ == "__main__":
    script(__file__)
