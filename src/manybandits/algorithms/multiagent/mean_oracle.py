"""An oracle that knows the agents' average vector: PMLB's personal phase from the first round.

A reference of ours: the best that PMLB could reach. Algorithms that find groups of agents may do better.
"""

from __future__ import annotations

import numpy as np

from manybandits.algorithms.contract import Options, Problem, script
from manybandits.algorithms.multiagent import pmlb
from manybandits.algorithms.multiagent.pmlb import State, choose_all, learn_all
from manybandits.base.exceptions import InputError

__all__ = ["State", "choose_all", "learn_all"]

TITLE = "Oracle of the mean"
REFERENCE = "a reference of ours"
OPTIONS = pmlb.OPTIONS


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    if problem.truth is None:
        raise InputError("the agents of this game have no vectors that an oracle could know: leave it out.")
    state = pmlb.start(problem, options, random)
    return state._replace(common_rounds=0, shift=problem.truth.mean.copy())


if __name__ == "__main__":
    script(__file__)
