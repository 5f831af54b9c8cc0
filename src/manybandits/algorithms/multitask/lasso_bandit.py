"""LASSO bandit: at every instance alone, for parameters that are sparse themselves.

Source: Bastani and Bayati 2020, *Online decision making with high-dimensional covariates*, Algorithm 1. Every instance
has a clock of its own, t, which counts its arrivals.

    forced arrivals    (2^n - 1) K q + 1, ..., 2^n K q for n = 0, 1, ...: each arm q times in a row
    other arrivals     the best arm by the LASSO on all its observations, with the penalty
                       lambda_2 sqrt((log(t - 1) + log d) / (t - 1)),
                       among those within h / 2 of the best by the LASSO on its forced ones, with the penalty lambda_1

A LASSO is only computed when it is asked for, and starts from its last solution; an arm without observations has the
estimate 0. Defaults are ours.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import Option, Options, Problem, script
from manybandits.algorithms.multitask._arms import (
    FORCED,
    H,
    Sums,
    add,
    count_fits,
    forced_arm,
    new_sums,
    preferred,
    worth_comparing,
)
from manybandits.compiling.parts import part
from manybandits.numerics.lasso import descend

__all__ = ["count_fits"]

TITLE = "LASSO bandit"
REFERENCE = "Bastani and Bayati 2020, Algorithm 1"
LAMBDA_1 = Option("lambda_1", 0.05, "regularisation of the forced-sample estimates", low=0.0)
LAMBDA_2 = Option(
    "lambda_2", 0.05, "regularisation of the all-sample estimates: what its path is multiplied by", low=0.0
)
OPTIONS = (FORCED, H, LAMBDA_1, LAMBDA_2)
RELEASED = ""


class State(NamedTuple):
    q: np.ndarray  # (R,)
    h: np.ndarray  # (R,)
    lambda_1: np.ndarray  # (R,)
    lambda_2: np.ndarray  # (R,)
    arms: np.ndarray  # (R,): offered in a round
    arrivals: np.ndarray  # (R, N): at every instance so far
    forced: Sums
    every: Sums
    forced_estimate: np.ndarray  # (R, N, K, d)
    estimate: np.ndarray  # (R, N, K, d): of all samples, as last asked for
    residual: np.ndarray  # (R, d): room for a descent
    fits: np.ndarray  # (R, 3): LASSOs, none of them a ridge regression, and those that did not rest
    random: np.ndarray  # (R, 1) uint64


def start(problem: Problem, options: Options, released: bool, random: np.ndarray) -> State:
    """Return the state of R replicas before the first round."""
    replicas, shape = len(random), (problem.users, problem.items, problem.dimension)
    return State(
        **{name: options[name] for name in ("q", "h", "lambda_1", "lambda_2")},
        arms=np.full(replicas, problem.arms),
        arrivals=np.zeros((replicas, problem.users), np.int64),
        forced=new_sums(replicas, *shape),
        every=new_sums(replicas, *shape),
        forced_estimate=np.zeros((replicas, *shape)),
        estimate=np.zeros((replicas, *shape)),
        residual=np.zeros((replicas, problem.dimension)),
        fits=np.zeros((replicas, 3), np.int64),
        random=random,
    )


@part
def choose(state, t, user, items, contexts):  # type: ignore[no-untyped-def]
    clock = state.arrivals[user]
    arm = forced_arm(clock + 1, state.q, state.arms)
    if arm >= 0:
        return arm
    kept = worth_comparing(state.forced_estimate[user], state.h, items, contexts)
    penalty = state.lambda_2 * np.sqrt((np.log(clock) + np.log(contexts.shape[1])) / clock)
    for k in range(len(items)):
        if kept[k]:
            refit(state.every, user, items[k], penalty, state.estimate, state.residual, state.fits)
    return preferred(kept, state.estimate[user], items, contexts, state.random)


@part
def learn(state, t, user, item, context, reward):  # type: ignore[no-untyped-def]
    state.arrivals[user] += 1
    add(state.every, user, item, context, reward)
    if forced_arm(state.arrivals[user], state.q, state.arms) >= 0:
        add(state.forced, user, item, context, reward)
        refit(state.forced, user, item, state.lambda_1, state.forced_estimate, state.residual, state.fits)


@part
def refit(sums, user, item, penalty, estimate, residual, fits):  # type: ignore[no-untyped-def]
    """Move an estimate to the LASSO on the observations that `sums` holds, sums in place of means."""
    count = sums.count[user, item]
    if count > 0:
        gram, moment = sums.gram[user, item], sums.moment[user, item]
        fits[0] += 1
        fits[2] += descend(gram, moment, penalty * count, estimate[user, item], residual) < 0


if __name__ == "__main__":
    script(__file__)
