"""M-CNB as its public code of July 2024 plays it, which shares little with the text's Algorithm 1.

Source: github.com/banyikun/MCNB, commit cf79294, ``mcnb.py`` and ``run.py``; the plain twin has every line of it.

    in every 10th round, for the arms in turn
        C_k     = {u} and {i : |f(x_k; theta_i) - f(x_k; theta_u)| < gamma}; if these are more than n / 5, u and what
                  n / 5 draws with replacement find
        Theta   takes up to 100 plain steps, each on one observation of a user in C_k
    a_t         = argmax_k  f(x_k; Theta) + sqrt(1e-4 |g(x_k; Theta)|^2) + 1e-4 / sqrt(mu_u)

Theta is one network for all: arm k is valued by what the steps for arms 1 to k have made of it, and the round ends with
the network of the last arm. In the nine rounds between, nothing is adapted, whoever is served. mu_u, the rounds in
which u was served, is the same for all arms and decides nothing. Only the user served stores the observation. In the
rounds of the schedule Theta takes up to 1,000 steps of Adam on everybody's observations, and theta_u up to 500 on u's.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import Option, Options, Problem, script
from manybandits.algorithms.released._stored import Stored, draw_of, draw_own, store, stored
from manybandits.base.seeds import generator
from manybandits.compiling.parts import part
from manybandits.numerics.draws import below
from manybandits.numerics.one_sample import (
    History,
    Workspace,
    first_largest,
    history,
    networks,
    output,
    remember,
    sample,
    squared_slope,
    train,
    trains_after,
    workspace,
)
from manybandits.numerics.vectors import assign, fill

TITLE = "M-CNB 2024"
REFERENCE = "Public code of M-CNB, commit cf79294, mcnb.py"
OPTIONS = (
    Option("gamma", 0.4, "how far the opinions of a group may be apart", low=0.0),
    Option("share", 5, "a group has at most one user in so many", low=1),
    Option("adaptation", 100, "most steps of Theta for an arm", low=0),
    Option("exploration", 1e-4, "the factor of |g|^2 in the bonus", low=0.0),
    Option("rate", 0.001, "step size of Adam", low=0.0),
    Option("steps", 1000, "most steps of a training of Theta on everybody's data", low=0),
    Option("width", 100, "units of the hidden layer", low=1, structural=True),
)
MODEL_PER_USER = True
EVERY, META_RATE, USER_STEPS, COUNTED = 10, 0.01, 500, 1e-4
EARLY, UNTIL, LATE = 10, 1000, 100


class State(NamedTuple):
    gamma: float
    most: int  # users of a group, beside the one served
    adaptation: int
    exploration: float
    rate: float
    steps: int
    meta: np.ndarray  # (1, P) float32: Theta
    users: np.ndarray  # (n, P) float32
    seen: History
    kept: Stored
    served: np.ndarray  # (n,): mu
    group: np.ndarray  # (n,) bool: C_k of the last arm
    x: np.ndarray  # (d,) float32
    room: Workspace
    diverged: np.ndarray  # (1,) bool
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    """Return the state before the first round: n + 1 networks, each with weights of its own."""
    width, dimension, users = options["width"], problem.dimension, problem.users
    first = networks(1 + users, dimension, width, generator(random))
    return State(
        gamma=options["gamma"],
        most=users // options["share"],
        adaptation=options["adaptation"],
        exploration=options["exploration"],
        rate=options["rate"],
        steps=options["steps"],
        meta=first[:1],
        users=first[1:],
        seen=history(dimension, problem.horizon),
        kept=stored(users, problem.horizon, shared=False),
        served=np.zeros(users, np.int64),
        group=np.zeros(users, bool),
        x=np.zeros(dimension, np.float32),
        room=workspace(dimension, width),
        diverged=np.zeros(1, bool),
        random=random,
    )


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    theta, hidden, values = state.meta[0], state.room.hidden, np.empty(len(contexts))
    state.served[user] += 1
    for k in range(len(contexts)):
        assign(state.x, contexts[k])
        if (t - 1) % EVERY == 0:
            form_group(state, user)
            order = draw_of(state.kept, state.group, state.adaptation, state.random)
            train(theta, False, META_RATE, state.seen, order, state.adaptation, True, state.room, state.random)
        f = output(theta, state.x, hidden)
        width = np.sqrt(state.exploration * squared_slope(theta, state.x, hidden))
        values[k] = f + width + COUNTED * np.sqrt(1.0 / state.served[user])
    return first_largest(values, state.diverged)


@part
def form_group(state: State, user: int) -> None:
    """Make `group` that of the user served at the context `x`."""
    own = output(state.users[user], state.x, state.room.hidden)
    near = np.empty(len(state.group), np.int64)
    count = 0
    for i in range(len(state.group)):
        state.group[i] = i == user or abs(output(state.users[i], state.x, state.room.hidden) - own) < state.gamma
        if state.group[i]:
            near[count] = i
            count += 1
    if count > state.most:
        fill(state.group, False)
        state.group[user] = True
        for _ in range(state.most):
            state.group[near[below(state.random, count)]] = True


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    store(state.kept, user, remember(state.seen, context, reward))
    if trains_after(t - 1, EARLY, UNTIL, LATE):
        seen, room, random = state.seen, state.room, state.random
        order = sample(seen.length[0], state.steps, state.kept.numbers, random)
        train(state.meta[0], True, state.rate, seen, order, state.steps, True, room, random)
        order = draw_own(state.kept, user, USER_STEPS, random)
        train(state.users[user], True, state.rate, seen, order, USER_STEPS, False, room, random)


if __name__ == "__main__":
    script(__file__)
