"""Meta-Ban as its public code of 2022 plays it, in three versions.

Source: github.com/banyikun/MCNB, ``meta_ban.py`` and ``run.py``; the plain twin has every line of it.

    N       = {u} and {i : |f(x; theta_i) - f(x; theta_u)| < gamma}, where x is
              january, march   the last arm of the round (commits 53eb178, 48c4006)
              february         any arm of it (commit 5f8fbc2)
    Theta   takes up to 1,000 steps of Adam in every round, each on one observation of a user in N
    a_t     = argmax_k  f(x_k; Theta) + sqrt(1e-5 |g(x_k; Theta)|^2)

There is one Theta for all arms and users, which goes on from round to round. Every user in N stores the observation,
so that what m users have stored counts m times. In the rounds of the schedule theta_u becomes Theta, and takes up to
1,000 steps of Adam on what u has stored; no other user's network changes.

On images (`user_side` = 1) Theta starts every round as theta_u, and in the version of March u alone stores.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import Option, Options, Problem, script
from manybandits.algorithms.released._stored import Stored, draw_of, draw_own, store, stored
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
    squared_slope,
    train,
    trains_after,
    workspace,
)
from manybandits.numerics.vectors import assign, fill

TITLE = "Meta-Ban 2022"
REFERENCE = "Public code of M-CNB, commits 53eb178, 5f8fbc2 and 48c4006, meta_ban.py"
OPTIONS = (
    Option("version", "march", "which of its versions", words=("january", "february", "march"), structural=True),
    Option("gamma", 0.32, "how far the opinions of a group may be apart", low=0.0),
    Option("user_side", 0, "1 on images: Theta starts as the network of the user served", low=0, high=1),
    Option("steps", 1000, "most steps of a training", low=0),
    Option("rate", 1e-4, "step size of Theta", low=0.0),
    Option("exploration", 1e-5, "the factor of |g|^2 in the bonus", low=0.0),
    Option("width", 100, "units of the hidden layer", low=1, structural=True),
)
MODEL_PER_USER = True
USER_RATE = 0.001
EARLY, UNTIL, LATE = 10, 1000, 100


class State(NamedTuple):
    every_arm: bool  # whether N is formed at all arms, or at the last
    user_side: bool
    alone: bool  # whether the user served alone stores
    gamma: float
    steps: int
    rate: float
    exploration: float
    meta: np.ndarray  # (1, P) float32: Theta
    users: np.ndarray  # (n, P) float32
    seen: History
    kept: Stored
    group: np.ndarray  # (n,) bool: N
    x: np.ndarray  # (d,) float32
    room: Workspace
    diverged: np.ndarray  # (1,) bool
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    """Return the state before the first round: n + 1 networks, each with weights of its own."""
    width, dimension, users = options["width"], problem.dimension, problem.users
    first = networks(1 + users, dimension, width, generator(random))
    user_side = options["user_side"] == 1
    return State(
        every_arm=options["version"] == "february",
        user_side=user_side,
        alone=user_side and options["version"] == "march",
        gamma=options["gamma"],
        steps=options["steps"],
        rate=options["rate"],
        exploration=options["exploration"],
        meta=first[:1],
        users=first[1:],
        seen=history(dimension, problem.horizon),
        kept=stored(users, problem.horizon, shared=True),
        group=np.zeros(users, bool),
        x=np.zeros(dimension, np.float32),
        room=workspace(dimension, width),
        diverged=np.zeros(1, bool),
        random=random,
    )


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    theta, values = state.meta[0], np.empty(len(contexts))
    if state.user_side:
        assign(theta, state.users[user])
    form_group(state, user, contexts)
    order = draw_of(state.kept, state.group, state.steps, state.random)
    train(theta, True, state.rate, state.seen, order, state.steps, False, state.room, state.random)
    for k in range(len(contexts)):
        assign(state.x, contexts[k])
        f = output(theta, state.x, state.room.hidden)
        values[k] = f + np.sqrt(state.exploration * squared_slope(theta, state.x, state.room.hidden))
    return first_largest(values, state.diverged)


@part
def form_group(state: State, user: int, contexts: np.ndarray) -> None:
    """Make `group` that of the user served."""
    fill(state.group, False)
    state.group[user] = True
    for k in range(0 if state.every_arm else len(contexts) - 1, len(contexts)):
        assign(state.x, contexts[k])
        own = output(state.users[user], state.x, state.room.hidden)
        for i in range(len(state.group)):
            if abs(output(state.users[i], state.x, state.room.hidden) - own) < state.gamma:
                state.group[i] = True


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    place = remember(state.seen, context, reward)
    for i in range(len(state.group)):
        if i == user or (state.group[i] and not state.alone):
            store(state.kept, i, place)
    if trains_after(t - 1, EARLY, UNTIL, LATE):
        order = draw_own(state.kept, user, state.steps, state.random)
        assign(state.users[user], state.meta[0])
        train(state.users[user], True, USER_RATE, state.seen, order, state.steps, False, state.room, state.random)


if __name__ == "__main__":
    script(__file__)
