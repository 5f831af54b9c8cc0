"""Beta-Thompson: an arm with the probability that it is the best, for rewards of 0 and 1.

Source: Chapelle and Li 2011, *An empirical evaluation of Thompson sampling*, Algorithm 2; LNUCB-TA Table 5 varies the
prior.

    a_t = argmax_a  p_a ~ Beta(a0 + sum of rewards of a, b0 + sum of what they lack to 1)

A reward outside of [0, 1] is cut.
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
PRIOR = Option("prior", "1:1", "a0:b0 (LNUCB-TA Table 5)", words=("1:1", "2:2", "0.5:0.5", "3:1", "1:3", "4:4"))
OPTIONS = (PRIOR,)
RELEASED = ""


class State(NamedTuple):
    a0: np.ndarray  # (R,)
    b0: np.ndarray  # (R,)
    records: Records
    random: np.ndarray  # (R, 1) uint64


def start(problem: Problem, options: Options, released: bool, random: np.ndarray) -> State:
    """Return the state of R replicas before the first round."""
    a0, b0 = prior_of(options)
    return State(a0, b0, new_records(len(random), problem.items), random)


def prior_of(options: Options) -> tuple[np.ndarray, np.ndarray]:
    """Return a0 and b0 of R replicas, (R,) each."""
    a0, b0 = np.array([[float(part) for part in text.split(":")] for text in options["prior"]]).T
    return np.ascontiguousarray(a0), np.ascontiguousarray(b0)


@part
def choose(state, t, user, items, contexts):  # type: ignore[no-untyped-def]
    values = np.empty(len(items))
    for k in range(len(items)):
        hits = state.records.total[items[k]]
        values[k] = beta(state.a0 + hits, state.b0 + state.records.count[items[k]] - hits, state.random)
    return best(values, state.random)


@part
def learn(state, t, user, item, context, reward):  # type: ignore[no-untyped-def]
    record(state.records, item, min(max(reward, 0.0), 1.0))


if __name__ == "__main__":
    script(__file__)
