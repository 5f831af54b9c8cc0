"""Averaged OLS bandit: one model per arm for all instances, the mean of their least-squares estimates.

A baseline: the averaging estimator of Xu and Bastani, section 3.6 and appendix B.2, in their Algorithm 2. It is the AM
bandit with a penalty so large that no instance differs.
"""

from __future__ import annotations

import numpy as np

from manybandits.algorithms.contract import Options, Problem, script
from manybandits.algorithms.multitask import am_bandit
from manybandits.algorithms.multitask._arms import H, count_fits
from manybandits.algorithms.multitask.rmbandit import DATA, POOR, RIDGE, Q, State, choose, learn

__all__ = ["State", "choose", "count_fits", "learn"]

TITLE = "Averaged OLS bandit"
REFERENCE = "Xu and Bastani, Algorithm 2 with the averaging estimator"
OPTIONS = (Q, H, POOR, DATA, RIDGE)
MODEL_PER_USER = True


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    same = {**options, "lambda_0": np.inf, "lambda_1": np.inf, "initial": "constant"}  # no instance differs
    return am_bandit.start(problem, same, random)


if __name__ == "__main__":
    script(__file__)
