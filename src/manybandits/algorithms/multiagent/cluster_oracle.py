"""The oracle that knows the clusters: CMLB's collaborative phase from the first round, on the true clusters.

A reference of ours: no algorithm that has to find the clusters is expected to do better.
"""

from __future__ import annotations

import numpy as np

from manybandits.algorithms.multiagent._oful import DELTA, WIDTH
from manybandits.algorithms.multiagent.cmlb import AVERAGED, State, choose_all, label_agents, learn_all, new_phase
from manybandits.algorithms.policy import LAMBDA, Options, Problem
from manybandits.core.errors import InputError

__all__ = ["State", "choose_all", "label_agents", "learn_all"]

TITLE = "Oracle"
REFERENCE = "a reference of ours"
OPTIONS = (WIDTH, DELTA, LAMBDA, AVERAGED)
RELEASED = ""


def start(problem: Problem, options: Options, released: bool, random: np.ndarray) -> State:
    """Return the state of R replicas before the first round."""
    if problem.truth is None or (problem.truth.cluster < 0).any():
        raise InputError("the agents of this game have no clusters that an oracle could know: leave it out.")
    phase = new_phase(problem, options, random)
    for r, cluster in enumerate(problem.truth.cluster):
        first, place, count = np.unique(cluster, return_index=True, return_inverse=True, return_counts=True)[1:]
        phase.label[r] = first[place]
        phase.size[r] = 0
        phase.size[r, first] = count
    return State(phase)


if __name__ == "__main__":
    from manybandits.play import script

    script(__file__)
