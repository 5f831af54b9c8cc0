"""NeuUCB-IND as the public code of M-CNB and Meta-Ban plays it: a network for every user.

Source: github.com/banyikun/MCNB, commits 53eb178 to cf79294, ``neuucb_ind.py``; the plain twin has every line of it.

    a_t     = argmax_k  f_u(x_k) + sqrt(sum over weights of 1e-2 g^2 / U_u),     U_u = 1 + sum of g^2 of u's arms played

It is NeuUCB-ONE with the network and the observations of the user served alone, another U before the first round, and a
factor a hundred times as large. Only the network of the user served is trained.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import Option, Options, Problem, script
from manybandits.algorithms.released._stored import Stored, draw_of, store, stored
from manybandits.algorithms.released.neuucb_one_2022 import TRAINING, choose_by
from manybandits.base.seeds import generator
from manybandits.compiling.parts import part
from manybandits.numerics.one_sample import (
    History,
    Workspace,
    history,
    networks,
    remember,
    train,
    trains_after,
    workspace,
)

TITLE = "NeuUCB-IND 2022"
REFERENCE = "Public code of M-CNB, commits 53eb178 to cf79294, neuucb_ind.py"
OPTIONS = (
    Option("exploration", 1e-2, "the factor of g^2 / U in the bonus, lambda nu of the code", low=0.0),
    Option("ridge", 1.0, "U before the first round, lambda of the code", low=1e-9),
    *TRAINING,
)
RELEASED = ""
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
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, released: bool, random: np.ndarray) -> State:
    """Return the state before the first round."""
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
        random=random,
    )


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    return choose_by(state.networks[user], state.squares[user], state.exploration, contexts, state.x, state.room)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    store(state.kept, user, remember(state.seen, context, reward))
    if trains_after(t - 1, state.early, state.until, state.late):
        steps, random = state.steps, state.random
        order = draw_of(state.kept, np.arange(len(state.networks)) == user, steps, random)
        train(state.networks[user], state.by_adam, state.rate, state.seen, order, steps, False, state.room, random)


if __name__ == "__main__":
    script(__file__)
