"""CLUB as the public code of Meta-Ban and M-CNB plays it: nothing is tuned, and edges are tested after the update.

Source: github.com/banyikun/MCNB, commits 53eb178 to cf79294, ``club.py``; the plain twin has every line of it.

    initialise   S_i = I, b_i = 0, N_i = 0 for every user i; G complete
    choose       V = component of the user i served; S = I + sum_V (S_j - I), b = sum_V b_j, N = sum_V N_j
                 a_t = the first of argmax_a  theta' x_a + beta(N, t) x_a' S^-1 x_a          (see `_linear`)
    learn        S_i += x x', b_i += r x, N_i += 1;  then cut every edge {i, j} between users that were both served
                 with |theta_i - theta_j| > f(N_i) + f(N_j),   f(N) = sqrt((1 + ln(1 + N)) / (1 + N))

The code numbers the parts of a cluster that falls apart in an order that it draws. Numbers decide nothing, and here a
cluster is named after its smallest user.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import Options, Problem, script
from manybandits.algorithms.linear._graph import confidence_radius
from manybandits.algorithms.released._linear import best_arm, check_written_out
from manybandits.compiling.parts import part
from manybandits.numerics import ridge
from manybandits.numerics.graphs import complete_graph, cut_edge, has_edge, relabel
from manybandits.numerics.ridge import Ridge
from manybandits.numerics.vectors import count_own, distance

TITLE = "CLUB 2022"
REFERENCE = "Public code of M-CNB, commits 53eb178 to cf79294, club.py"
OPTIONS = ()
MODEL_PER_USER = True
RIDGE = 1.0


class State(NamedTuple):
    users: Ridge  # n learners: S_i, b_i
    clusters: Ridge  # n learners: the sums over a component, which is named after its smallest user
    label: np.ndarray  # (n,) int32: the component of every user
    edges: np.ndarray  # (n, ceil(n / 64)) uint64: G


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    """Return the state before the first round: one cluster."""
    check_written_out(problem, TITLE)
    n, d = problem.users, problem.dimension
    label, edges = np.zeros(n, np.int32), complete_graph(n)
    return State(ridge.new_ridge(RIDGE, n, d), ridge.new_ridge(RIDGE, n, d), label, edges)


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    cluster = state.label[user]
    return best_arm(state.clusters, cluster, state.clusters.count[cluster], t, contexts, np.empty(len(items)))


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    ridge.observe(state.users, user, context, reward)
    ridge.observe(state.clusters, state.label[user], context, reward)
    cut_edges(state, user)


@part
def cut_edges(state: State, user: int) -> None:
    """Cut the edges from `user` to users that differ; if its cluster falls apart, pool the data of each part."""
    cut = False
    for other in range(len(state.label)):
        if state.users.count[other] > 0 and has_edge(state.edges, user, other) and differ(state.users, user, other):
            cut_edge(state.edges, user, other)
            cut = True
    if cut:
        for name in relabel(state.edges, state.label, user):
            ridge.pool(state.clusters, name, state.users, state.label, name, RIDGE)


@part
def differ(users: Ridge, i: int, j: int) -> bool:
    """Return whether the estimates of two users are further apart than the sum of their radii."""
    apart = distance(ridge.estimate_of(users, i), ridge.estimate_of(users, j))
    return apart > confidence_radius(users.count[i]) + confidence_radius(users.count[j])


@part
def share_cluster(state: State, user: int, item: int, position: int, other: int) -> bool:
    """Return whether `other` is in the cluster that was played for `user`."""
    return state.label[other] == state.label[user]


@part
def count_clusters(state: State) -> int:
    """Return the number of components."""
    return count_own(state.label)


if __name__ == "__main__":
    script(__file__)
