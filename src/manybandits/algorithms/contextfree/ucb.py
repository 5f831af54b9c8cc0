"""UCB: the arm with the largest upper confidence bound on its mean reward.

Source: Auer, Cesa-Bianchi and Fischer 2002, *Finite-time analysis of the multiarmed bandit problem*, Figure 1, with
rho in place of their 2; LNUCB-TA Table 5 varies it.

    a_t = argmax_a  mean_a + sqrt(rho ln t / N_a)         an arm that was never pulled comes first

Auer et al. count the plays before the round, t - 1, in the logarithm.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contextfree._records import Records, mean_of, new_records, record
from manybandits.algorithms.contract import Option, Options, Problem, script
from manybandits.algorithms.linear._optimism import best
from manybandits.compiling.parts import part
from manybandits.numerics.vectors import filled

TITLE = "UCB"
REFERENCE = "Auer et al. 2002, UCB1, with rho for 2"
OPTIONS = (Option("rho", 2.0, "exploration: multiplies ln t", low=0.0),)


class State(NamedTuple):
    rho: float
    records: Records
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    return State(options["rho"], new_records(problem.items), random)


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    values = filled(len(items), np.inf)
    for k in range(len(items)):
        pulls = state.records.count[items[k]]
        if pulls > 0:
            values[k] = mean_of(state.records, items[k]) + np.sqrt(state.rho * np.log(t) / pulls)
    return best(values, state.random)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    record(state.records, item, reward)


if __name__ == "__main__":
    script(__file__)
