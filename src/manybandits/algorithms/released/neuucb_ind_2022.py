"""NeuUCB-IND as the public code of M-CNB and Meta-Ban plays it: a network for every user.

Source: github.com/banyikun/MCNB, commits 53eb178 to cf79294, ``neuucb_ind.py``; the plain twin has every line of it.

    a_t     = argmax_k  f_u(x_k) + sqrt(sum over weights of 1e-2 g^2 / U_u),     U_u = 1 + sum of g^2 of u's arms played

In the rounds of the schedule the network of the user served takes up to 500 plain steps on its own observations, one at
a time. `optimiser`, `rate`, `steps` and the schedule are those of the code by default; others train it as another
method's network is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import Option, Options, Problem, script
from manybandits.algorithms.released._stored import Stored, draw_own, store, stored
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
    slope,
    train,
    trains_after,
    workspace,
)
from manybandits.numerics.vectors import assign

TITLE = "NeuUCB-IND 2022"
REFERENCE = "Public code of M-CNB, commits 53eb178 to cf79294, neuucb_ind.py"
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
    Option("exploration", 1e-2, "the factor of g^2 / U in the bonus, lambda nu of the code", low=0.0),
    Option("ridge", 1.0, "U before the first round, lambda of the code", low=1e-9),
    *TRAINING,
)
MODEL_PER_USER = True


class State(NamedTuple):
    exploration: float
    by_adam: bool
    rate: float
    steps: int
    early: int
    until: int
    late: int
    networks: np.ndarray  # (n, P) float32
    squares: np.ndarray  # (n, P) float32: U
    seen: History
    kept: Stored
    x: np.ndarray  # (d,) float32
    room: Workspace
    diverged: np.ndarray  # (1,) bool
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    """Return the state before the first round: a network per user."""
    users, dimension = problem.users, problem.dimension
    first = networks(users, dimension, options["width"], generator(random))
    return State(
        exploration=options["exploration"],
        by_adam=options["optimiser"] == "adam",
        rate=options["rate"],
        steps=options["steps"],
        early=options["early"],
        until=options["until"],
        late=options["late"],
        networks=first,
        squares=np.full_like(first, options["ridge"]),
        seen=history(dimension, problem.horizon),
        kept=stored(users, problem.horizon, shared=False),
        x=np.zeros(dimension, np.float32),
        room=workspace(dimension, options["width"]),
        diverged=np.zeros(1, bool),
        random=random,
    )


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    network, squares, room, x = state.networks[user], state.squares[user], state.room, state.x
    values, kind = np.empty(len(contexts)), network.dtype.type
    for k in range(len(contexts)):
        assign(x, contexts[k])
        f = output(network, x, room.hidden)
        slope(network, x, kind(1), room.hidden, room.slopes)
        values[k] = f + np.sqrt(state.exploration * share_of(room.slopes, squares))
    arm = first_largest(values, state.diverged)
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
    store(state.kept, user, remember(state.seen, context, reward))
    if trains_after(t - 1, state.early, state.until, state.late):
        steps, random = state.steps, state.random
        order = draw_own(state.kept, user, steps, random)
        train(state.networks[user], state.by_adam, state.rate, state.seen, order, steps, False, state.room, random)


if __name__ == "__main__":
    script(__file__)
