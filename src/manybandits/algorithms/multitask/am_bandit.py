"""AM bandit: RMBandit with the mean in place of the trimmed mean, so that a few instances can change all estimates.

An ablation: the averaging multitask estimator of Xu and Bastani, equation 4 and appendix B.4, in their Algorithm 2.
"""

from __future__ import annotations

import numpy as np

from manybandits.algorithms.contract import Options, Problem, script
from manybandits.algorithms.multitask import rmbandit
from manybandits.algorithms.multitask._arms import H, count_fits
from manybandits.algorithms.multitask.rmbandit import (
    DATA,
    INITIAL,
    LAMBDA_0,
    LAMBDA_1,
    POOR,
    RIDGE,
    Q,
    State,
    choose,
    learn,
)

__all__ = ["State", "choose", "count_fits", "learn"]

TITLE = "AM bandit"
REFERENCE = "Xu and Bastani, Algorithm 2 with equation 4"
OPTIONS = (Q, H, LAMBDA_0, LAMBDA_1, POOR, INITIAL, DATA, RIDGE)
MODEL_PER_USER = True


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    untrimmed = {"omega_0": 0.0, "zeta": 0.0, "eta": 0.0, "rounding": "down"}
    return rmbandit.start(problem, {**options, **untrimmed}, random)


if __name__ == "__main__":
    script(__file__)
