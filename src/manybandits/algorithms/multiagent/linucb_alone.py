"""LinUCB-Ind: every agent plays OFUL on its own data. The reference that shows what collaboration gains.

Source: Ghosh, Sankararaman and Ramchandran 2021, section 6.1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import LAMBDA, Options, Problem, script
from manybandits.algorithms.multiagent._oful import DELTA, WIDTH, optimistic_arm, radius
from manybandits.compiling.parts import part
from manybandits.numerics.ridge import Ridge, new_ridge, observe

TITLE = "LinUCB-Ind"
REFERENCE = "Ghosh et al. 2021, section 6.1"
OPTIONS = (WIDTH, DELTA, LAMBDA)
RELEASED = ""


class State(NamedTuple):
    width: np.ndarray  # (R,)
    delta: np.ndarray  # (R,)
    regularization: np.ndarray  # (R,) lambda
    agents: Ridge  # N learners
    nothing: np.ndarray  # (R, d): no shift
    random: np.ndarray  # (R, 1) uint64


def start(problem: Problem, options: Options, released: bool, random: np.ndarray) -> State:
    """Return the state of R replicas before the first round."""
    return State(
        width=options["width"],
        delta=options["delta"],
        regularization=options["lambda"],
        agents=new_ridge(options["lambda"], problem.users, problem.dimension),
        nothing=np.zeros((len(random), problem.dimension)),
        random=random,
    )


@part
def choose(state, t, user, items, contexts):  # type: ignore[no-untyped-def]
    count = state.agents.count[user]
    reach = radius(state.width, state.delta, state.regularization, contexts.shape[1], count)
    return optimistic_arm(state.agents, user, reach, contexts, state.nothing, state.random)


@part
def learn(state, t, user, item, context, reward):  # type: ignore[no-untyped-def]
    observe(state.agents, user, context, reward)


if __name__ == "__main__":
    script(__file__)
