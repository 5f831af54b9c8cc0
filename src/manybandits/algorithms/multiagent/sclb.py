"""SCLB: CMLB in phases of doubling length, with a smaller threshold in each phase.

Source: Ghosh, Sankararaman and Ramchandran 2021, Algorithm 1.

    phase i = 1, 2, ...   play a new CMLB for 2^i rounds with gamma = 3 / (N 2^i)^alpha, delta / 2^i, p* = i^-2

In an early phase T_Explore may be longer than the phase: then the whole phase is individual learning. The last
phase ends with the game. In phase 1, p* = 1: unless all agents form one cluster, all clusters are merged.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import Options, Problem, script
from manybandits.algorithms.multiagent._oful import OFUL
from manybandits.algorithms.multiagent.cmlb import (
    EXPLORING,
    Phase,
    choose_in_phase,
    learn_in_phase,
    new_phase,
    set_phase,
)
from manybandits.compiling.parts import part
from manybandits.numerics.ridge import clear
from manybandits.numerics.vectors import assign

TITLE = "SCLB"
REFERENCE = "Ghosh et al. 2021, Algorithm 1"
OPTIONS = (*OFUL, *EXPLORING)


class State(NamedTuple):
    delta: float
    began: np.ndarray  # (1,): rounds before the phase
    phase: Phase


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    return State(options["delta"], np.zeros(1, np.int64), new_phase(problem, options, random))


@part
def choose_all(state: State, t: int, contexts: np.ndarray, chosen: np.ndarray) -> None:
    if (t & (t + 1)) == 0:  # phase i begins in round 2^i - 1
        begin_phase(state, t)
    choose_in_phase(state.phase, t - state.began[0], contexts, chosen)


@part
def learn_all(state: State, t: int, contexts: np.ndarray, chosen: np.ndarray, rewards: np.ndarray) -> None:
    learn_in_phase(state.phase, t - state.began[0], contexts, chosen, rewards)


@part
def label_agents(state: State, labels: np.ndarray) -> None:
    assign(labels, state.phase.label)


@part(inlined=False)
def begin_phase(state: State, t: int) -> None:
    """Begin the phase whose first round is t = 2^i - 1, with bandits without observations."""
    phase, length = state.phase, t + 1
    i = np.round(np.log2(length))
    state.began[0] = t - 1
    set_phase(phase, length, state.delta / length, i**-2.0)
    for agent in range(len(phase.label)):
        clear(phase.agents, agent, phase.oful.regularization)
        clear(phase.clusters, agent, phase.oful.regularization)
        phase.label[agent] = agent
        phase.size[agent] = 1


if __name__ == "__main__":
    script(__file__)
