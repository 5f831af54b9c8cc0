"""LASSO bandit: a LASSO per arm at every instance alone, for parameters that are sparse.

Source: Bastani and Bayati 2020, *Online decision making with high-dimensional covariates*, Algorithm 1. Every instance
has its own clock t, which counts its arrivals.

    forced arrivals    (2^n - 1) K q + 1, ..., 2^n K q for n = 0, 1, ...: each arm q times in a row
    other arrivals     the best arm by the LASSO on all its observations, with the penalty
                       lambda_2 sqrt((log(t - 1) + log d) / (t - 1)),
                       among those within h / 2 of the best by the LASSO on its forced ones, with the penalty lambda_1

A LASSO is computed only when it is needed, and starts from its last solution. An arm without observations has the
estimate 0. Defaults are ours.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import Option, Options, Problem, fields_of, script
from manybandits.algorithms.multitask._arms import (
    FORCED,
    H,
    Sums,
    add,
    count_fits,
    forced_arm,
    new_fits,
    new_sums,
    prefer,
    worth_comparing,
)
from manybandits.compiling.parts import part
from manybandits.numerics.lasso import descend

__all__ = ["count_fits"]

TITLE = "LASSO bandit"
REFERENCE = "Bastani and Bayati 2020, Algorithm 1"
LAMBDA_1 = Option("lambda_1", 0.05, "regularisation of the forced-sample estimates", low=0.0)
LAMBDA_2 = Option("lambda_2", 0.05, "regularisation of the all-sample estimates: the factor of its path", low=0.0)
OPTIONS = (FORCED, H, LAMBDA_1, LAMBDA_2)
MODEL_PER_USER = True


class State(NamedTuple):
    q: int
    h: float
    lambda_1: float
    lambda_2: float
    arms: int  # offered in a round
    arrivals: np.ndarray  # (N,): at every instance so far
    forced: Sums
    every: Sums
    forced_estimate: np.ndarray  # (N, K, d)
    estimate: np.ndarray  # (N, K, d): of all samples, as last computed
    residual: np.ndarray  # (d,): workspace
    fits: np.ndarray  # (6,): LASSOs, none of them a ridge regression, those that did not converge, and zeros
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    shape = problem.users, problem.items, problem.dimension
    return State(
        **fields_of(State, options),
        arms=problem.arms,
        arrivals=np.zeros(problem.users, np.int64),
        forced=new_sums(*shape),
        every=new_sums(*shape),
        forced_estimate=np.zeros(shape),
        estimate=np.zeros(shape),
        residual=np.zeros(problem.dimension),
        fits=new_fits(),
        random=random,
    )


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    clock = state.arrivals[user]
    arm = forced_arm(clock + 1, state.q, state.arms)
    if arm >= 0:
        return arm
    kept = worth_comparing(state.forced_estimate[user], state.h, items, contexts)
    penalty = state.lambda_2 * np.sqrt((np.log(clock) + np.log(contexts.shape[1])) / clock)
    for k in range(len(items)):
        if kept[k]:
            refit(state, state.every, user, items[k], penalty, state.estimate)
    return prefer(kept, state.estimate[user], items, contexts, state.random)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    state.arrivals[user] += 1
    add(state.every, user, item, context, reward)
    if forced_arm(state.arrivals[user], state.q, state.arms) >= 0:
        add(state.forced, user, item, context, reward)
        refit(state, state.forced, user, item, state.lambda_1, state.forced_estimate)


@part
def refit(state: State, sums: Sums, user: int, item: int, penalty: float, estimate: np.ndarray) -> None:
    """Move an estimate to the LASSO on the observations in `sums`, with sums in place of means."""
    count = sums.count[user, item]
    if count > 0:
        gram, moment = sums.gram[user, item], sums.moment[user, item]
        state.fits[0] += 1
        state.fits[2] += descend(gram, moment, penalty * count, estimate[user, item], state.residual) < 0


if __name__ == "__main__":
    script(__file__)
