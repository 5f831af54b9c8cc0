"""LinUCB-Ind: every agent plays OFUL on its own data, as a reference for the gain by collaboration.

Source: Ghosh, Sankararaman and Ramchandran 2021, section 6.1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import Options, Problem, fields_of, script
from manybandits.algorithms.multiagent._oful import OFUL, Oful, new_oful, optimistic_arm, radius
from manybandits.compiling.parts import part
from manybandits.numerics.ridge import Ridge, new_ridge, observe

TITLE = "LinUCB-Ind"
REFERENCE = "Ghosh et al. 2021, section 6.1"
OPTIONS = OFUL
MODEL_PER_USER = True


class State(NamedTuple):
    oful: Oful
    delta: float
    norm: float  # S
    agents: Ridge  # N learners
    nothing: np.ndarray  # (d,): no shift
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    return State(
        **fields_of(State, options),
        oful=new_oful(options),
        agents=new_ridge(options["lambda"], problem.users, problem.dimension),
        nothing=np.zeros(problem.dimension),
        random=random,
    )


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    count = state.agents.count[user]
    reach = radius(state.oful, state.norm, state.delta, contexts.shape[1], count, 1.0)
    return optimistic_arm(state.oful, state.agents, user, reach, contexts, state.nothing, state.random)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    observe(state.agents, user, context, reward)


if __name__ == "__main__":
    script(__file__)
