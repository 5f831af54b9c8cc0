"""NeuUCB-ONE as the public code of M-CNB and Meta-Ban plays it: one network for all users.

Source: github.com/banyikun/MCNB, commits 53eb178 to cf79294, ``neuucb_one.py``; the plain twin has every line of it.

    a_t     = argmax_k  f(x_k) + sqrt(sum over weights of 1e-4 g(x_k)^2 / U),     U = 0.001 + sum of g^2 of arms played

In the rounds of the schedule the network takes up to 500 plain steps on all observations, one at a time. `optimiser`,
`rate`, `steps` and the schedule are those of the code by default; others train it as another method's network is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import Option, Options, Problem, script
from manybandits.base.seeds import generator
from manybandits.compiling.parts import part
from manybandits.numerics.one_sample import (
    History,
    Workspace,
    first_largest,
    history,
    networks,
    output,
    remember,
    sample,
    slope,
    train,
    trains_after,
    workspace,
)
from manybandits.numerics.vectors import assign

TITLE = "NeuUCB-ONE 2022"
REFERENCE = "Public code of M-CNB, commits 53eb178 to cf79294, neuucb_one.py"
TRAINING = (
    Option("optimiser", "plain", "how the network steps", words=("plain", "adam"), structural=True),
    Option("rate", 0.001, "step size", low=0.0),
    Option("steps", 500, "most steps of a training", low=0),
    Option("early", 10, "rounds between trainings at first", low=1),
    Option("until", 1000, "the first round of the second phase", low=0),
    Option("late", 100, "rounds between trainings afterwards", low=1),
    Option("width", 100, "units of the hidden layer", low=1, structural=True),
)
OPTIONS = (
    Option("exploration", 1e-4, "the factor of g^2 / U in the bonus, lambda nu of the code", low=0.0),
    Option("ridge", 0.001, "U before the first round, lambda of the code", low=1e-9),
    *TRAINING,
)
RELEASED = ""


class State(NamedTuple):
    exploration: float
    by_adam: bool
    rate: float
    steps: int
    early: int
    until: int
    late: int
    network: np.ndarray  # (1, P) float32
    squares: np.ndarray  # (1, P) float32: U
    seen: History
    numbers: np.ndarray  # (T,) int32: 0, 1, ..., for `sample`
    x: np.ndarray  # (d,) float32
    room: Workspace
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, released: bool, random: np.ndarray) -> State:
    """Return the state before the first round."""
    network = networks(1, problem.dimension, options["width"], generator(random))
    return State(
        exploration=options["exploration"],
        by_adam=options["optimiser"] == "adam",
        rate=options["rate"],
        steps=options["steps"],
        early=options["early"],
        until=options["until"],
        late=options["late"],
        network=network,
        squares=np.full_like(network, options["ridge"]),
        seen=history(problem.dimension, problem.horizon),
        numbers=np.arange(problem.horizon, dtype=np.int32),
        x=np.zeros(problem.dimension, np.float32),
        room=workspace(problem.dimension, options["width"]),
        random=random,
    )


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    return choose_by(state.network[0], state.squares[0], state.exploration, contexts, state.x, state.room)


@part
def choose_by(
    network: np.ndarray, squares: np.ndarray, exploration: float, contexts: np.ndarray, x: np.ndarray, room: Workspace
) -> int:
    """Return the arm of a network, (P,), and add the squares of its gradient to U, (P,). contexts: (K, d)."""
    values, kind = np.empty(len(contexts)), network.dtype.type
    for k in range(len(contexts)):
        assign(x, contexts[k])
        f = output(network, x, room.hidden)
        slope(network, x, kind(1), room.hidden, room.slopes)
        values[k] = f + np.sqrt(exploration * share_of(room.slopes, squares))
    arm = first_largest(values)
    assign(x, contexts[arm])
    output(network, x, room.hidden)
    slope(network, x, kind(1), room.hidden, room.slopes)
    for p in range(len(network)):
        squares[p] += room.slopes[p] * room.slopes[p]
    return arm


@part
def share_of(slopes: np.ndarray, squares: np.ndarray) -> float:
    """Return the sum of g^2 / U, each (P,)."""
    found = 0.0
    for p in range(len(slopes)):
        found += slopes[p] * slopes[p] / squares[p]
    return found


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    remember(state.seen, context, reward)
    if trains_after(t - 1, state.early, state.until, state.late):
        steps, random = state.steps, state.random
        order = sample(state.seen.length[0], steps, state.numbers, random)
        train(state.network[0], state.by_adam, state.rate, state.seen, order, steps, False, state.room, random)


if __name__ == "__main__":
    script(__file__)
