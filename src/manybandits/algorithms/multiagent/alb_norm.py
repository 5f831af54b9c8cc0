"""ALB-Norm: OFUL in epochs of doubling length, each with a new bound on the norm of the parameter.

Source: Ghosh, Sankararaman and Ramchandran 2021, Appendix 13, which uses Algorithm 1 of their *Problem-complexity
adaptive model selection for stochastic linear bandits* (2021) without pure exploration.

    b = norm, E = first_epoch
    epoch    play a fresh OFUL for E rounds, with the bound b on the length of the vector
    refine   b <- min(b, max |theta| over the confidence set),  delta <- delta / 2,  E <- 2 E

The longest vector of the confidence set is bounded by |theta| + radius sqrt(largest eigenvalue of V^-1). The first
bound, `norm`, is 1 because the model has |theta*| <= 1.

The second paper was not available, and the first one says two things of b. Its regret, |theta*| R_OFUL, needs that b
multiplies the whole radius, which is then b times that of OFUL for vectors of length 1 (``bound=radius``). "OFUL with
the estimate of the norm" is OFUL with S = b, which leaves the term of the noise as it is (``bound=norm``).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import Option, Options, Problem, script
from manybandits.algorithms.multiagent._oful import OFUL, Oful, new_oful, optimistic_arm, radius, widest
from manybandits.compiling.parts import part
from manybandits.numerics.ridge import Ridge, clear, new_ridge, observe

TITLE = "ALB-Norm"
REFERENCE = "Ghosh et al. 2021, Appendix 13"
BOUND = Option(
    "bound", "radius", "what ALB-Norm's bound is in OFUL: a factor of its radius, or S", words=("radius", "norm")
)
FIRST_EPOCH = Option("first_epoch", 32, "rounds of ALB-Norm's first epoch", low=1)
OPTIONS = (*OFUL, BOUND, FIRST_EPOCH)
MODEL_PER_USER = True


class Epochs(NamedTuple):
    """The state of ALB-Norm for each of N agents."""

    oful: Oful
    factor: bool  # bound=radius
    delta: np.ndarray  # (N,): halved after every epoch
    norm: np.ndarray  # (N,): b
    length: np.ndarray  # (N,): E
    bandits: Ridge  # N learners


class State(NamedTuple):
    epochs: Epochs
    nothing: np.ndarray  # (d,): no shift
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    return State(new_epochs(problem, options), np.zeros(problem.dimension), random)


def new_epochs(problem: Problem, options: Options) -> Epochs:
    """Return the state of N agents before their first epoch."""
    return Epochs(
        oful=new_oful(options),
        factor=options["bound"] == "radius",
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
    """Return the radius of the confidence set of an agent."""
    bound, count = epochs.norm[agent], epochs.bandits.count[agent]
    if epochs.factor:
        return bound * radius(epochs.oful, 1.0, epochs.delta[agent], dimension, count, 1.0)
    return radius(epochs.oful, bound, epochs.delta[agent], dimension, count, 1.0)


@part
def choose_in_epoch(epochs: Epochs, agent: int, contexts: np.ndarray, shift: np.ndarray, random: np.ndarray) -> int:
    """Return the arm of an agent that learns from rewards minus shift' x. shift: (d,)."""
    radius_of_set = reach(epochs, agent, contexts.shape[1])
    return optimistic_arm(epochs.oful, epochs.bandits, agent, radius_of_set, contexts, shift, random)


@part
def learn_in_epoch(epochs: Epochs, agent: int, context: np.ndarray, reward: float) -> None:
    """Learn from one reward; at the end of an epoch, refine the bound and begin the next epoch."""
    observe(epochs.bandits, agent, context, reward)
    if epochs.bandits.count[agent] == epochs.length[agent]:
        refine(epochs, agent)


@part(inlined=False)
def refine(epochs: Epochs, agent: int) -> None:
    estimate = epochs.bandits.estimate[agent]
    longest = np.sqrt((estimate**2).sum()) + reach(epochs, agent, len(estimate)) * widest(epochs.bandits, agent)
    epochs.norm[agent] = min(epochs.norm[agent], longest)
    epochs.delta[agent] /= 2.0
    epochs.length[agent] *= 2
    clear(epochs.bandits, agent, epochs.oful.regularization)


if __name__ == "__main__":
    script(__file__)
