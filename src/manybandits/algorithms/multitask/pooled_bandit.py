"""Pooled OLS bandit: one model per arm for all instances, by least squares on all observations.

A baseline: the pooling estimator of Xu and Bastani, section 3.6 and appendix B.3, in their Algorithm 2. It is the
averaged OLS bandit with all arrivals at one instance; batch 0 is as long as that of the other bandits.
"""

from __future__ import annotations

import numpy as np

from manybandits.algorithms.contract import Options, Problem, script
from manybandits.algorithms.multitask import averaged_bandit, rmbandit
from manybandits.algorithms.multitask._arms import H, count_fits
from manybandits.algorithms.multitask.rmbandit import DATA, RIDGE, Q, State
from manybandits.compiling.parts import part

__all__ = ["State", "count_fits"]

TITLE = "Pooled OLS bandit"
REFERENCE = "Xu and Bastani, Algorithm 2 with the pooling estimator"
OPTIONS = (Q, H, DATA, RIDGE)


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    as_long = {**options, "q": options["q"] * problem.users, "poor": 0.0}
    return averaged_bandit.start(problem._replace(users=1), as_long, random)


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    return rmbandit.choose(state, t, 0, items, contexts)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    rmbandit.learn(state, t, 0, item, context, reward)


if __name__ == "__main__":
    script(__file__)
