"""OLS bandit: least squares at every instance alone, with forced samples and screening by them.

Source: Goldenshluger and Zeevi 2013, *A linear response bandit problem*, for K arms as in Bastani and Bayati 2020,
*Online decision making with high-dimensional covariates*: their Algorithm 1 without penalties. Every instance has
its own clock, which counts its arrivals.

    forced arrivals    (2^n - 1) K q + 1, ..., 2^n K q for n = 0, 1, ...: each arm q times in a row
    other arrivals     the best arm by the least squares on all its observations, among those within h / 2 of the best
                       by the least squares on its forced ones

Least squares are computed as ridge regressions with the weight `ridge`, 1e-6. The difference is of this size once there
are as many observations as dimensions; estimates from fewer are counted, see `count_fits`. The estimates are worst with
about as many observations as dimensions: among the forced ones, screening then drops good arms (choose q or h to avoid
this), and among all, a ridge of 1 is the common remedy. Defaults are ours.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import Option, Options, Problem, script
from manybandits.algorithms.multitask._arms import FORCED, H, count_fits, forced_arm, new_fits, prefer, worth_comparing
from manybandits.compiling.parts import part
from manybandits.numerics.ridge import Ridge, new_ridge, observe

__all__ = ["count_fits"]

TITLE = "OLS bandit"
REFERENCE = "Goldenshluger and Zeevi 2013; Bastani and Bayati 2020"
RIDGE = Option("ridge", 1e-6, "weight of the identity in least squares; an observation has the weight 1", low=1e-12)
OPTIONS = (FORCED, H, RIDGE)
MODEL_PER_USER = True


class State(NamedTuple):
    q: int
    h: float
    arms: int  # offered in a round
    items: int  # learners of an instance
    arrivals: np.ndarray  # (N,): at every instance so far
    forced: Ridge  # N I learners: item i at instance j is learner j I + i
    every: Ridge  # N I learners
    fits: np.ndarray  # (6,): estimates, those with fewer observations than dimensions, and zeros
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    learners = problem.users * problem.items
    return State(
        q=options["q"],
        h=options["h"],
        arms=problem.arms,
        items=problem.items,
        arrivals=np.zeros(problem.users, np.int64),
        forced=new_ridge(options["ridge"], learners, problem.dimension),
        every=new_ridge(options["ridge"], learners, problem.dimension),
        fits=new_fits(),
        random=random,
    )


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    arm = forced_arm(state.arrivals[user] + 1, state.q, state.arms)
    if arm >= 0:
        return arm
    first, last = user * state.items, (user + 1) * state.items
    kept = worth_comparing(state.forced.estimate[first:last], state.h, items, contexts)
    return prefer(kept, state.every.estimate[first:last], items, contexts, state.random)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    state.arrivals[user] += 1
    learner = user * state.items + item
    refit(state.every, learner, context, reward, state.fits)
    if forced_arm(state.arrivals[user], state.q, state.arms) >= 0:
        refit(state.forced, learner, context, reward, state.fits)


@part
def refit(ridge: Ridge, learner: int, context: np.ndarray, reward: float, fits: np.ndarray) -> None:
    observe(ridge, learner, context, reward)
    fits[0] += 1
    fits[1] += ridge.count[learner] < len(context)


if __name__ == "__main__":
    script(__file__)
