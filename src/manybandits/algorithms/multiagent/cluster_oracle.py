"""An oracle that knows the clusters: one OFUL per cluster, which learns from every reward of every agent in it.

A reference of ours. The agents of a cluster take turns, and each one uses the rewards of those before it, as with
CLUB: an algorithm that has to find the clusters is not expected to do better. CMLB, whose clusters play one arm
per round and learn from the average reward, has less data even if it finds the true clusters. With ``acting=together``
the oracle does as CMLB does with the true clusters, and knows that an average has less noise.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import Option, Options, Problem, fields_of, script
from manybandits.algorithms.multiagent._oful import OFUL, Oful, new_oful, optimistic_arm, radius
from manybandits.base.exceptions import InputError
from manybandits.compiling.parts import part
from manybandits.numerics.ridge import Ridge, new_ridge, observe
from manybandits.numerics.vectors import assign

TITLE = "Oracle"
REFERENCE = "a reference of ours"
ACTING = Option(
    "acting", "in-turn", "whether agents act in turn, or all play one arm per round", words=("in-turn", "together")
)
OPTIONS = (*OFUL, ACTING)
MODEL_PER_USER = True


class State(NamedTuple):
    oful: Oful
    delta: float
    norm: float  # S
    label: np.ndarray  # (N,): the true cluster of every agent
    clusters: Ridge  # N learners, of which the first L are used
    together: bool
    size: np.ndarray  # (N,): agents of each cluster
    acted: np.ndarray  # (N,): how many of them have acted in this round; always 0 in turn
    arm: np.ndarray  # (N,): what they play
    paid: np.ndarray  # (N,): the sum of their rewards
    nothing: np.ndarray  # (d,): no shift
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    """Return the state before the first round; raise InputError if there are no clusters."""
    if problem.truth is None or (problem.truth.cluster < 0).any():
        raise InputError("the agents of this game have no clusters that an oracle could know: leave it out.")
    agents = problem.users  # as many as there could be clusters: where agents draw theirs, replicas differ in number
    return State(
        **fields_of(State, options),
        oful=new_oful(options),
        label=problem.truth.cluster,
        clusters=new_ridge(options["lambda"], agents, problem.dimension),
        together=options["acting"] == "together",
        size=np.bincount(problem.truth.cluster, minlength=agents),
        acted=np.zeros(agents, np.int64),
        arm=np.zeros(agents, np.int64),
        paid=np.zeros(agents),
        nothing=np.zeros(problem.dimension),
        random=random,
    )


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    cluster = state.label[user]
    if state.acted[cluster] > 0:
        return state.arm[cluster]
    count, averaged = state.clusters.count[cluster], float(state.size[cluster]) if state.together else 1.0
    reach = radius(state.oful, state.norm, state.delta, contexts.shape[1], count, averaged)
    arm = optimistic_arm(state.oful, state.clusters, cluster, reach, contexts, state.nothing, state.random)
    state.arm[cluster] = arm
    return arm


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    cluster = state.label[user]
    if not state.together:
        observe(state.clusters, cluster, context, reward)
        return
    state.acted[cluster] += 1
    state.paid[cluster] += reward
    if state.acted[cluster] == state.size[cluster]:
        observe(state.clusters, cluster, context, state.paid[cluster] / state.size[cluster])
        state.acted[cluster] = 0
        state.paid[cluster] = 0.0


@part
def label_agents(state: State, labels: np.ndarray) -> None:
    assign(labels, state.label)


if __name__ == "__main__":
    script(__file__)
