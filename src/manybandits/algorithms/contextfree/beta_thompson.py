"""Beta-Thompson: each arm is played with the probability that it is the best, for rewards of 0 and 1.

Source: Chapelle and Li 2011, *An empirical evaluation of Thompson sampling*, Algorithm 2; LNUCB-TA Table 5 varies the
prior.

    a_t = argmax_a  p_a,    p_a ~ Beta(a0 + sum of r, b0 + sum of (1 - r)) over the rewards r of arm a

A reward outside of [0, 1] is clipped.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contextfree._records import Records, new_records, record
from manybandits.algorithms.contract import Option, Options, Problem, script
from manybandits.algorithms.linear._optimism import best
from manybandits.compiling.parts import part
from manybandits.numerics.samplers import beta

TITLE = "BetaThompson"
REFERENCE = "Chapelle and Li 2011, Algorithm 2"
PRIORS = ("1:1", "2:2", "0.5:0.5", "3:1", "1:3", "4:4", "8:8", "1:5", "1:10", "0.1:1")
PRIOR = Option("prior", "1:1", "a0:b0; the first six are those of LNUCB-TA's Table 5", words=PRIORS)
OPTIONS = (PRIOR,)
RANDOMISED = True


class State(NamedTuple):
    a0: float
    b0: float
    records: Records
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    return State(*prior_of(options), new_records(problem.items), random)


def prior_of(options: Options) -> tuple[float, float]:
    """Return a0 and b0."""
    a0, b0 = options["prior"].split(":")
    return float(a0), float(b0)


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    values = np.empty(len(items))
    for k in range(len(items)):
        hits = state.records.total[items[k]]
        values[k] = beta(state.a0 + hits, state.b0 + state.records.count[items[k]] - hits, state.random)
    return best(values, state.random)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    record(state.records, item, min(max(reward, 0.0), 1.0))


if __name__ == "__main__":
    script(__file__)
