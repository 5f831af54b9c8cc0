"""SCLUB as the public code of Meta-Ban and M-CNB plays it: no stages, and users who leave share arrays with a cluster.

Source: github.com/banyikun/MCNB, commits 53eb178 to cf79294, ``sclub.py``; the plain twin has every line of it.

    choose   c = cluster of the user i served; a_t = the first of
             argmax_a  theta_c' x_a + beta(N_c, t) x_a' S_c^-1 x_a          (see `_linear`)
    learn    S_i, b_i, N_i and S_c, b_c, N_c get the observation; theta_i, S_c^-1 and theta_c are computed
    split    i leaves c if |theta_i - theta_c| > f(N_i) + f(N_c), or if their frequencies N_i / t and N_c / (|c| t)
             differ by more than sqrt(2) f(t);   f(N) = sqrt((1 + ln(1 + N)) / (1 + N))
    merge    two clusters, whose users have all been served, if |theta_1 - theta_2| < (f(N_1) + f(N_2)) / 2 and their
             frequencies differ by less than sqrt(2) f(t) / 2

* A user who leaves founds a cluster with the user's own arrays, not with copies: the next observations are added to
  them twice, once for the user and once for the cluster, until the cluster merges into new arrays.
* S_c^-1 and theta_c of a cluster that users left or joined are computed anew with its next observation only.
* A user alone may leave, too, since theta_i has the last observation once and theta_c twice. Its cluster gets another
  number, and the old number is never used again. Numbers matter: clusters merge in their order.
* There is no stage. A user counts as checked once it was served, for ever; users who are never served keep the first
  cluster from merging.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import Options, Problem, script
from manybandits.algorithms.linear._graph import confidence_radius
from manybandits.algorithms.released._linear import best_arm, check_written_out, observe
from manybandits.compiling.parts import part
from manybandits.numerics import ridge
from manybandits.numerics.ridge import Ridge
from manybandits.numerics.vectors import distance, filled

TITLE = "SCLUB 2022"
REFERENCE = "Public code of M-CNB, commits 53eb178 to cf79294, sclub.py"
OPTIONS = ()
MODEL_PER_USER = True
RIDGE = 1.0
WIDTH_OF_FREQUENCIES = 2.0**0.5
FREE = -1
"""In place of the learner of a cluster: a number that a new cluster may have."""
LEFT = -2
"""In place of the learner of a cluster: a number whose last user left."""


class State(NamedTuple):
    models: Ridge  # 2 n learners: those of the users, and those of clusters with arrays of their own
    learner: np.ndarray  # (n + T,) int32: the learner of the cluster with a number; that of a user is shared with it
    numbers: np.ndarray  # (1,): all clusters that ever were have smaller numbers
    label: np.ndarray  # (n,) int32: the number of the cluster of every user
    served: np.ndarray  # (n,): N_i
    stale: np.ndarray  # (2 n,) bool: whether the inverse and the estimate of a learner wait for an observation


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    """Return the state before the first round: one cluster of all users."""
    check_written_out(problem, TITLE)
    n = problem.users
    learner = np.full(n + problem.horizon, FREE, np.int32)
    learner[0] = n
    return State(
        models=ridge.new_ridge(RIDGE, 2 * n, problem.dimension),
        learner=learner,
        numbers=np.ones(1, np.int64),
        label=np.zeros(n, np.int32),
        served=np.zeros(n, np.int64),
        stale=np.zeros(2 * n, bool),
    )


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    cluster = state.label[user]
    _, count = size_of(state, cluster)
    return best_arm(state.models, state.learner[cluster], count, t, contexts, np.empty(len(items)))


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    estimate = update_estimates(state, user, context, reward)
    split(state, t, user, estimate)
    merge(state, t)


@part
def size_of(state: State, cluster: int) -> tuple[int, int]:
    """Return the number of users of a cluster, and N, the number of their observations."""
    size = count = 0
    for user in range(len(state.label)):
        if state.label[user] == cluster:
            size += 1
            count += state.served[user]
    return size, count


@part
def update_estimates(state: State, user: int, context: np.ndarray, reward: float) -> np.ndarray:
    """Add an observation to the user served and to its cluster, and return theta_i, (d,), as it is in between."""
    learner = state.learner[state.label[user]]
    state.served[user] += 1
    ridge.observe(state.models, user, context, reward)
    estimate = state.models.estimate[user].copy()
    observe(state.models, learner, state.stale, context, reward)
    return estimate


@part
def split(state: State, t: int, user: int, estimate: np.ndarray) -> None:
    """Let `user`, with its estimate, (d,), found a cluster if it differs from its own one."""
    old = state.label[user]
    learner, own = state.learner[old], state.served[user]
    size, count = size_of(state, old)
    apart = distance(estimate, state.models.estimate[learner]) > confidence_radius(own) + confidence_radius(count)
    rare = abs(own / t - count / (size * t)) > WIDTH_OF_FREQUENCIES * confidence_radius(t)
    new = first_free(state) if apart or rare else len(state.learner)
    if new == len(state.learner):
        return
    if learner != user:
        ridge.transfer(state.models, learner, state.models, user, -1, RIDGE)
        state.stale[learner] = True
    if size == 1:
        state.learner[old] = LEFT
    state.learner[new] = user
    state.label[user] = new
    state.numbers[0] = max(state.numbers[0], new + 1)


@part
def first_free(state: State) -> int:
    """Return the smallest number without a cluster."""
    number = 0
    while number < len(state.learner) and state.learner[number] != FREE:
        number += 1
    return number


@part(inlined=False)
def merge(state: State, t: int) -> None:
    """Merge, in the order of their numbers, the later into the earlier of two clusters that are alike."""
    numbers = state.numbers[0]
    size, count, unserved = filled(numbers, 0.0), filled(numbers, 0.0), filled(numbers, 0.0)
    for user in range(len(state.label)):
        size[state.label[user]] += 1
        count[state.label[user]] += state.served[user]
        unserved[state.label[user]] += state.served[user] == 0
    for j in range(numbers):
        if state.learner[j] < 0 or unserved[j] > 0:
            continue
        for k in range(j + 1, numbers):
            if state.learner[k] < 0 or unserved[k] > 0:
                continue
            often = abs(count[j] / (size[j] * t) - count[k] / (size[k] * t))
            if often < WIDTH_OF_FREQUENCIES * confidence_radius(t) / 2.0 and near(state, j, k, count[j], count[k]):
                join(state, j, k)
                size[j] += size[k]
                count[j] += count[k]


@part
def near(state: State, j: int, k: int, count_j: int, count_k: int) -> bool:
    """Return whether the estimates of two clusters, with so many observations, are close enough to merge."""
    apart = distance(state.models.estimate[state.learner[j]], state.models.estimate[state.learner[k]])
    return apart < (confidence_radius(count_j) + confidence_radius(count_k)) / 2.0


@part(inlined=False)
def join(state: State, j: int, k: int) -> None:
    """Move the users of cluster k to cluster j, which gets arrays of its own."""
    if state.learner[j] < len(state.label):
        own = unused_learner(state)
        ridge.copy(state.models, own, state.models, state.learner[j])
        state.learner[j] = own
    ridge.transfer(state.models, state.learner[j], state.models, state.learner[k], 1, RIDGE)
    state.stale[state.learner[j]] = True
    state.learner[k] = FREE
    for user in range(len(state.label)):
        if state.label[user] == k:
            state.label[user] = j


@part
def unused_learner(state: State) -> int:
    """Return a learner that is neither a user's nor a cluster's; there are fewer clusters than users that need one."""
    learner, number = len(state.label), 0
    while number < state.numbers[0]:
        number += 1
        if state.learner[number - 1] == learner:
            learner, number = learner + 1, 0
    return learner


@part
def share_cluster(state: State, user: int, item: int, position: int, other: int) -> bool:
    """Return whether `other` is in the cluster that was played for `user`."""
    return state.label[other] == state.label[user]


@part
def count_clusters(state: State) -> int:
    """Return the number of clusters that have users."""
    found = 0
    for number in range(state.numbers[0]):
        found += state.learner[number] >= 0
    return found


if __name__ == "__main__":
    script(__file__)
