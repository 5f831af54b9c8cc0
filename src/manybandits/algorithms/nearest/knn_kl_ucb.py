"""k-NN KL-UCB: k-NN UCB with the confidence bound of KL-UCB on the mean of the nearest rewards.

Source: Reeve, Mellor and Brown 2018, *The k-nearest neighbour UCB algorithm for multi-armed bandits with covariates*,
Algorithm 2.

    k_a = argmin_k  sqrt(rho ln t / k) + phi r_k               r_k: the distance of the k-th nearest context of arm a
    a_t = argmax_a  max {q : k_a kl(mean of its k_a nearest rewards, q) <= rho ln t + c ln ln t} + phi r_(k_a)

The source has no c. LNUCB-TA varies a c for KL-UCB and for k-NN KL-UCB, and does not state what it multiplies: here it
is that of KL-UCB, with rho = 1. If it is what multiplies ln t in the source, it is `rho`. An arm that was never pulled
comes first; for phi and for the neighbours see `manybandits.algorithms.nearest.knn_ucb`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contextfree.kl_ucb import highest, level
from manybandits.algorithms.contract import Option, Options, Problem, fields_of, script
from manybandits.algorithms.linear._optimism import best
from manybandits.algorithms.nearest._scores import MOST, PHI, RHO, bounded
from manybandits.compiling.parts import part
from manybandits.numerics.neighbours import Neighbours, new_neighbours, remember
from manybandits.numerics.vectors import filled

TITLE = "k-NN KL-UCB"
REFERENCE = "Reeve et al. 2018, Algorithm 2"
OPTIONS = (Option("c", 0.0, "exploration: multiplies ln ln t", low=0.0), RHO, PHI, MOST)


class State(NamedTuple):
    c: float
    rho: float
    phi: float
    most: int
    seen: Neighbours
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    return State(**fields_of(State, options), seen=new_neighbours(*problem.memory), random=random)


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    values, most = filled(len(items), np.inf), level(t, state.c) + (state.rho - 1.0) * np.log(t)
    for k in range(len(items)):
        mean, reach, count = bounded(state.seen, items[k], contexts[k], state.most, state.rho, state.phi, t)
        if count > 0:
            values[k] = highest(mean, most / count) + reach
    return best(values, state.random)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    remember(state.seen, item, context, reward)


if __name__ == "__main__":
    script(__file__)
