"""SCLUB: clusters are plain sets of users that split and merge; users may arrive at unequal rates.

Source: Li, Chen, Li and Leung 2019, *Improved algorithm on online clustering of bandits*, Algorithms 1 to 3, which
``plain/sclub`` follows statement by statement. Here the same is done faster:

* M^-1 and the estimate of a user and of a cluster change by a rank-one term in each round.
* A cluster is a number j, its users are those with this label, and counts say how many there are and how many of them
  are not checked yet.
* Only clusters with a later one whose estimate is close are compared with others: see
  `manybandits.numerics.close_pairs`.

    index   theta_j' x_a + alpha sqrt(x_a' M_j^-1 x_a ln(t + 1)),   j = cluster of the user served

The width has CLUB's factor alpha sqrt(ln(t + 1)) in place of a constant of the source's theorem. The order in which
clusters merge is left open: here it is that of their numbers, and a new cluster takes the smallest free number.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import ALPHA, LAMBDA, Option, Options, Problem, fields_of, script
from manybandits.algorithms.linear._graph import confidence_radius
from manybandits.algorithms.linear._optimism import best, fill_indices
from manybandits.compiling.parts import part
from manybandits.numerics import close_pairs, ridge
from manybandits.numerics.close_pairs import ClosePairs
from manybandits.numerics.ridge import Ridge
from manybandits.numerics.vectors import assign, count_of, distance, fill

TITLE = "SCLUB"
REFERENCE = "Li et al. 2019, Algorithms 1-3"
OPTIONS = (
    ALPHA,
    LAMBDA,
    Option("alpha_theta", 1.0, "width of the tests on estimates", low=0.0),
    Option("alpha_p", 2.0**0.5, "width of the tests on frequencies", low=0.0),
)


class State(NamedTuple):
    alpha: float
    alpha_theta: float
    alpha_p: float
    regularization: float  # lambda
    users: Ridge  # n learners
    clusters: Ridge  # n learners, cluster j at place j
    label: np.ndarray  # (n,): the cluster of every user
    size: np.ndarray  # (n,): users in cluster j; 0 = the number is free
    checked: np.ndarray  # (n,) bool: whether a user is checked
    unchecked: np.ndarray  # (n,): users of cluster j not checked yet
    frozen_estimate: np.ndarray  # (n, d): ~theta_j
    frozen_count: np.ndarray  # (n,): ~T_j
    frozen_frequency: np.ndarray  # (n,): ~p_j
    pairs: ClosePairs  # the estimates of clusters, which are close enough to merge if they are close
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    """Return the state before the first round: one cluster of all users."""
    users = problem.users
    regularization = options["lambda"]
    size = np.zeros(users, np.int64)
    size[0] = users
    return State(
        **fields_of(State, options),
        regularization=regularization,
        users=ridge.new_ridge(regularization, users, *problem.contexts),
        clusters=ridge.new_ridge(regularization, users, *problem.contexts),
        label=np.zeros(users, np.int32),
        size=size,
        checked=np.zeros(users, bool),
        unchecked=size.copy(),
        frozen_estimate=np.zeros((users, problem.dimension)),
        frozen_count=np.zeros(users, np.int64),
        frozen_frequency=np.zeros(users),
        pairs=close_pairs.new_close_pairs(users, problem.dimension),
        random=random,
    )


@part
def value(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray, values: np.ndarray) -> None:
    fill_indices(state.alpha, state.clusters, state.label[user], t, contexts, values)


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    values = np.empty(len(items))
    value(state, t, user, items, contexts, values)
    return best(values, state.random)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    if (t & (t + 1)) == 0:
        begin_stage(state, t)
    ridge.observe(state.users, user, context, reward)
    ridge.observe(state.clusters, state.label[user], context, reward)
    if not state.checked[user]:
        state.checked[user] = True
        state.unchecked[state.label[user]] -= 1
    split(state, t, user)
    update_pairs(state, state.label[user])
    merge(state, t)


@part(inlined=False)
def begin_stage(state: State, t: int) -> None:
    """Begin a stage in round t: uncheck all users, and freeze what its splits compare users with."""
    fill(state.checked, False)
    assign(state.unchecked, state.size)
    assign(state.frozen_count, state.clusters.count)
    for j in range(state.pairs.end[0]):
        if state.size[j] > 0:
            assign(state.frozen_estimate[j], ridge.estimate_of(state.clusters, j))
            state.frozen_frequency[j] = frequency(state, j, max(t - 1, 1))


@part
def frequency(state: State, j: int, t: int) -> float:
    """Return p_j = T_j / (|j| t), the mean share of the first t rounds that a user of cluster j was served."""
    return state.clusters.count[j] / (state.size[j] * t)


@part
def split(state: State, t: int, user: int) -> None:
    """Give `user` a cluster of its own if it differs from its cluster."""
    j = state.label[user]
    if state.size[j] == 1:
        return
    own = state.users.count[user]
    apart = distance(ridge.estimate_of(state.users, user), state.frozen_estimate[j])
    width = state.alpha_theta * (confidence_radius(own) + confidence_radius(state.frozen_count[j]))
    often = abs(own / t - state.frozen_frequency[j])
    if apart <= width and often <= state.alpha_p * confidence_radius(t):
        return

    ridge.transfer(state.clusters, j, state.users, user, -1, state.regularization)
    ridge.refresh(state.clusters, j)
    state.size[j] -= 1
    update_pairs(state, j)

    new = 0
    while state.size[new] > 0:
        new += 1
    ridge.copy(state.clusters, new, state.users, user)
    assign(state.frozen_estimate[new], ridge.estimate_of(state.users, user))
    state.frozen_count[new] = own
    state.frozen_frequency[new] = own / t
    state.label[user] = new
    state.size[new] = 1
    state.unchecked[new] = 0


@part
def merge(state: State, t: int) -> None:
    """Merge the later into the earlier of two checked clusters that are alike."""
    for j in range(state.pairs.end[0]):
        k = j + 1
        while state.pairs.later[j] > 0 and state.unchecked[j] == 0 and k < state.pairs.end[0]:
            if state.size[k] > 0 and state.unchecked[k] == 0:
                apart = abs(frequency(state, j, t) - frequency(state, k, t))
                often = apart < state.alpha_p / 2.0 * confidence_radius(t)
                if often and close_pairs.are_close(state.pairs, j, k, state.alpha_theta / 2.0):
                    join(state, j, k)
            k += 1


@part(inlined=False)
def join(state: State, j: int, k: int) -> None:
    """Move the users of cluster k to cluster j."""
    ridge.transfer(state.clusters, j, state.clusters, k, 1, state.regularization)
    ridge.release(state.clusters, k)
    ridge.refresh(state.clusters, j)
    for user in range(len(state.label)):
        if state.label[user] == k:
            state.label[user] = j
    state.size[j] += state.size[k]
    state.size[k] = 0
    close_pairs.remove(state.pairs, k, state.alpha_theta / 2.0)
    update_pairs(state, j)


@part
def update_pairs(state: State, j: int) -> None:
    """Compare the new estimate of cluster j with those of others."""
    radius = confidence_radius(state.clusters.count[j])
    close_pairs.move(state.pairs, j, ridge.estimate_of(state.clusters, j), radius, state.alpha_theta / 2.0)


@part
def share_cluster(state: State, user: int, item: int, position: int, other: int) -> bool:
    """Return whether `other` is in the cluster that was played for `user`."""
    return state.label[other] == state.label[user]


@part
def count_clusters(state: State) -> int:
    """Return the number of clusters."""
    return len(state.size) - count_of(state.size, 0)


if __name__ == "__main__":
    script(__file__)
