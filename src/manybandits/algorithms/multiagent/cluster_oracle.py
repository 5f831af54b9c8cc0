"""An oracle that knows the clusters: one OFUL per cluster, which learns from every reward of every agent in it.

A reference of ours. The agents of a cluster take turns, and each one uses the rewards of those before it, as with
CLUB: an algorithm that has to find the clusters is not expected to do better. CMLB, whose clusters play one arm
per round and learn from the average reward, has less data even if it finds the true clusters.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import Options, Problem, fields_of, script
from manybandits.algorithms.multiagent._oful import OFUL, Oful, new_oful, optimistic_arm, radius
from manybandits.base.exceptions import InputError
from manybandits.compiling.parts import part
from manybandits.numerics.ridge import Ridge, new_ridge, observe
from manybandits.numerics.vectors import assign

TITLE = "Oracle"
REFERENCE = "a reference of ours"
OPTIONS = OFUL
RELEASED = ""
MODEL_PER_USER = True


class State(NamedTuple):
    oful: Oful
    delta: float
    norm: float  # S
    label: np.ndarray  # (N,): the true cluster of every agent
    clusters: Ridge  # L learners
    nothing: np.ndarray  # (d,): no shift
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, released: bool, random: np.ndarray) -> State:
    """Return the state before the first round; raise InputError if there are no clusters."""
    if problem.truth is None or (problem.truth.cluster < 0).any():
        raise InputError("the agents of this game have no clusters that an oracle could know: leave it out.")
    return State(
        **fields_of(State, options),
        oful=new_oful(options),
        label=problem.truth.cluster,
        clusters=new_ridge(options["lambda"], int(problem.truth.cluster.max()) + 1, problem.dimension),
        nothing=np.zeros(problem.dimension),
        random=random,
    )


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    cluster = state.label[user]
    count = state.clusters.count[cluster]
    reach = radius(state.oful, state.norm, state.delta, contexts.shape[1], count, 1.0)
    return optimistic_arm(state.clusters, cluster, reach, contexts, state.nothing, state.random)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    observe(state.clusters, state.label[user], context, reward)


@part
def label_agents(state: State, labels: np.ndarray) -> None:
    assign(labels, state.label)


if __name__ == "__main__":
    script(__file__)
