"""PMLB: all agents learn their average together, then every agent learns its difference from the average.

Source: Ghosh, Sankararaman and Ramchandran 2021, Algorithm 4.

    common     sqrt(T) rounds: all agents play the arm of one OFUL, which learns from the average reward  (2-6)
    shift      the estimate of that OFUL                                                                   (7)
    personal   every agent has a bandit of its own that learns from the corrected reward
               y - shift' x for the arm x it plays                                                        (8-14)

The personal bandit learns theta_i - shift. With ``index=sum`` it plays the arm that is best for theta_i, with
the index (shift + estimate)' x + radius sqrt(x' V^-1 x). With ``index=difference`` it plays the arm that is best
for the difference, as lines 11 and 12 and Definition 3 are written.

The personal bandit, `personal`, is LinUCB as in the paper's experiments (section 6.3), or ALB-Norm as in its analysis.

The common OFUL learns from averages of N rewards. Its regularisation is lambda, as Algorithm 4 is written; with
``common_ridge=share`` it is lambda / N, so that the estimate is that of all N rewards of a round as one regression.
With lambda, sqrt(T) = 31 averages in 15 dimensions are far too few to outweigh it: the shift is mostly shrinkage.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import Option, Options, Problem, fields_of, script
from manybandits.algorithms.multiagent._oful import OFUL, Oful, new_oful, optimistic_arm, radius
from manybandits.algorithms.multiagent.alb_norm import (
    BOUND,
    FIRST_EPOCH,
    Epochs,
    choose_in_epoch,
    learn_in_epoch,
    new_epochs,
)
from manybandits.algorithms.multiagent.cmlb import AVERAGED
from manybandits.compiling.parts import part
from manybandits.numerics.ridge import Ridge, new_ridge, observe
from manybandits.numerics.vectors import assign, dot, fill, total

TITLE = "PMLB"
REFERENCE = "Ghosh et al. 2021, Algorithm 4"
PERSONAL = Option("personal", "linucb", "the personal bandit", words=("linucb", "alb-norm"))
INDEX = Option(
    "index", "sum", "what a personal arm is best for: theta_i, or its difference", words=("sum", "difference")
)
COMMON_RIDGE = Option(
    "common_ridge", "whole", "regularisation of the common OFUL: lambda, or lambda / N", words=("whole", "share")
)
OPTIONS = (*OFUL, AVERAGED, COMMON_RIDGE, PERSONAL, INDEX, BOUND, FIRST_EPOCH)

NO_EPOCH = int(np.iinfo(np.int64).max)
"""The length of an epoch that never ends. ALB-Norm with such an epoch, and its bound as S, is LinUCB."""


class State(NamedTuple):
    oful: Oful  # the common one
    delta: float
    norm: float  # S
    known: float  # how many rewards the common OFUL knows that it averages
    common_rounds: int  # sqrt(T)
    to_the_letter: bool  # index=difference
    common: Ridge  # one learner
    shift: np.ndarray  # (d,)
    nothing: np.ndarray  # (d,): no shift
    epochs: Epochs  # the personal bandits
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    linucb = {"bound": "norm", "first_epoch": NO_EPOCH} if options["personal"] == "linucb" else {}
    ridge = options["lambda"] / (problem.users if options["common_ridge"] == "share" else 1)
    return State(
        **fields_of(State, options),
        oful=new_oful({**options, "lambda": ridge}),
        known=float(problem.users) if options["averaged"] == "aware" else 1.0,
        common_rounds=int(np.sqrt(problem.horizon)),
        to_the_letter=options["index"] == "difference",
        common=new_ridge(ridge, 1, problem.dimension),
        shift=np.zeros(problem.dimension),
        nothing=np.zeros(problem.dimension),
        epochs=new_epochs(problem, {**options, **linucb}),
        random=random,
    )


@part
def choose_all(state: State, t: int, contexts: np.ndarray, chosen: np.ndarray) -> None:
    if t <= state.common_rounds:
        count = state.common.count[0]
        reach = radius(state.oful, state.norm, state.delta, contexts.shape[1], count, state.known)
        fill(chosen, optimistic_arm(state.oful, state.common, 0, reach, contexts, state.nothing, state.random))
        return
    added = state.nothing if state.to_the_letter else state.shift
    for agent in range(len(chosen)):
        chosen[agent] = choose_in_epoch(state.epochs, agent, contexts, added, state.random)


@part
def learn_all(state: State, t: int, contexts: np.ndarray, chosen: np.ndarray, rewards: np.ndarray) -> None:
    if t <= state.common_rounds:
        observe(state.common, 0, contexts[chosen[0]], total(rewards) / len(rewards))
        assign(state.shift, state.common.estimate[0])
        return
    for agent in range(len(chosen)):
        context = contexts[chosen[agent]]
        learn_in_epoch(state.epochs, agent, context, rewards[agent] - dot(state.shift, context))


if __name__ == "__main__":
    script(__file__)
