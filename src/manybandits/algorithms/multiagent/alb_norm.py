"""ALB-Norm: OFUL in epochs of doubling length, each with a new bound on the norm of the parameter.

Source: Ghosh, Sankararaman and Ramchandran 2021, Appendix 13, which uses Algorithm 1 of their *Problem-complexity
adaptive model selection for stochastic linear bandits* (2021) without pure exploration.

    b = 1, E = first_epoch
    epoch    play a fresh OFUL for E rounds, its radius multiplied by b
    refine   b <- min(b, max |theta| over the confidence set),  delta <- delta / 2,  E <- 2 E

The longest vector of the confidence set is bounded by |theta| + radius sqrt(largest eigenvalue of V^-1). The
second paper was not available: that the bound multiplies the radius follows from the regret that the first
paper states, |theta*| R_OFUL. The first bound, `norm`, is 1 because the model has |theta*| <= 1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import LAMBDA, Option, Options, Problem, script
from manybandits.algorithms.multiagent._oful import DELTA, WIDTH, optimistic_arm, radius
from manybandits.compiling.parts import part
from manybandits.numerics.ridge import Ridge, clear, new_ridge, observe

TITLE = "ALB-Norm"
REFERENCE = "Ghosh et al. 2021, Appendix 13"
NORM = Option("norm", 1.0, "ALB-Norm's first bound on the norm of the parameter", low=1e-6)
FIRST_EPOCH = Option("first_epoch", 32, "rounds of ALB-Norm's first epoch", low=1)
OPTIONS = (WIDTH, DELTA, LAMBDA, NORM, FIRST_EPOCH)
RELEASED = ""
MODEL_PER_USER = True


class Epochs(NamedTuple):
    """The state of ALB-Norm for each of N agents."""

    width: float
    regularization: float  # lambda
    delta: np.ndarray  # (N,): halved after every epoch
    norm: np.ndarray  # (N,): b
    length: np.ndarray  # (N,): E
    bandits: Ridge  # N learners


class State(NamedTuple):
    epochs: Epochs
    nothing: np.ndarray  # (d,): no shift
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, released: bool, random: np.ndarray) -> State:
    """Return the state before the first round."""
    return State(new_epochs(problem, options), np.zeros(problem.dimension), random)


def new_epochs(problem: Problem, options: Options) -> Epochs:
    """Return the state of N agents before their first epoch."""
    return Epochs(
        width=options["width"],
        regularization=options["lambda"],
        delta=np.full(problem.users, options["delta"]),
        norm=np.full(problem.users, options["norm"]),
        length=np.full(problem.users, options["first_epoch"]),
        bandits=new_ridge(options["lambda"], problem.users, problem.dimension),
    )


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    return choose_in_epoch(state.epochs, user, contexts, state.nothing, state.random)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    learn_in_epoch(state.epochs, user, context, reward)


@part
def reach(epochs: Epochs, agent: int, dimension: int) -> float:
    """Return the radius of the confidence set of an agent, for a parameter of norm 1."""
    return radius(epochs.width, epochs.delta[agent], epochs.regularization, dimension, epochs.bandits.count[agent])


@part
def choose_in_epoch(epochs: Epochs, agent: int, contexts: np.ndarray, shift: np.ndarray, random: np.ndarray) -> int:
    """Return the arm of an agent that learns from rewards minus shift' x. shift: (d,)."""
    bound = epochs.norm[agent] * reach(epochs, agent, contexts.shape[1])
    return optimistic_arm(epochs.bandits, agent, bound, contexts, shift, random)


@part
def learn_in_epoch(epochs: Epochs, agent: int, context: np.ndarray, reward: float) -> None:
    """Learn from one reward; at the end of an epoch, refine the bound and begin the next epoch."""
    observe(epochs.bandits, agent, context, reward)
    if epochs.bandits.count[agent] == epochs.length[agent]:
        refine(epochs, agent)


@part(inlined=False)
def refine(epochs: Epochs, agent: int) -> None:
    estimate = epochs.bandits.estimate[agent]
    widest = np.sqrt(np.linalg.eigvalsh(epochs.bandits.inverse[agent])[-1])
    bound = epochs.norm[agent] * reach(epochs, agent, len(estimate))
    epochs.norm[agent] = min(epochs.norm[agent], np.sqrt((estimate**2).sum()) + bound * widest)
    epochs.delta[agent] /= 2.0
    epochs.length[agent] *= 2
    clear(epochs.bandits, agent, epochs.regularization)


if __name__ == "__main__":
    script(__file__)
