"""CLUB: users in the same connected component of a graph share a model; edges between dissimilar users are cut.

Source: Gentile, Li and Zappella 2014, *Online clustering of bandits*, Figure 1, which ``plain/club`` follows statement
by statement. Here the same is done faster:

* M^-1 and the estimate of a user and of a component change by a rank-one term in each round. The sums over a component
  are computed anew only when it falls apart.
* The graph is a bit matrix, in which only the component that loses an edge is searched: see
  `manybandits.numerics.graphs`.

    index   theta' x_a + alpha sqrt(x_a' M^-1 x_a ln(t + 1)),   M, theta: of the component of the user served

The papers that use CLUB as a baseline tune lambda and alpha alone; `alpha_2` and the first graph are options.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import ALPHA, LAMBDA, Options, Problem, script
from manybandits.algorithms.linear._graph import ALPHA_2, GRAPH, confidence_radius, first_graph
from manybandits.algorithms.linear._optimism import best, fill_indices
from manybandits.compiling.parts import part
from manybandits.numerics import ridge
from manybandits.numerics.graphs import components, cut_edge, has_edge, relabel
from manybandits.numerics.ridge import Ridge
from manybandits.numerics.vectors import assign, count_own, distance

TITLE = "CLUB"
REFERENCE = "Gentile et al. 2014, Figure 1"
OPTIONS = (ALPHA, LAMBDA, ALPHA_2, GRAPH)


class State(NamedTuple):
    alpha: float
    alpha_2: float
    regularization: float  # lambda
    users: Ridge  # n learners: M_i, b_i
    clusters: Ridge  # n learners: the sums over a component, which is named after its smallest user
    label: np.ndarray  # (n,): the component of every user
    edges: np.ndarray  # (n, ceil(n / 64)): G
    radius: np.ndarray  # (n,): f(T_i)
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    regularization = options["lambda"]
    edges = first_graph(problem.users, options["graph"], random)
    return State(
        alpha=options["alpha"],
        alpha_2=options["alpha_2"],
        regularization=regularization,
        users=ridge.new_ridge(regularization, problem.users, *problem.contexts),
        clusters=ridge.new_ridge(regularization, problem.users, *problem.contexts),
        label=components(edges),
        edges=edges,
        radius=np.ones(problem.users),
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
    cut_edges(state, user)
    ridge.observe(state.users, user, context, reward)
    ridge.observe(state.clusters, state.label[user], context, reward)
    state.radius[user] = confidence_radius(state.users.count[user])


@part
def cut_edges(state: State, user: int) -> None:
    """Cut the edges from `user` to dissimilar users; if its component falls apart, pool the data of each part."""
    cut = False
    for other in range(len(state.label)):
        # An edge joins users of the same component, so users of other components need no test.
        if state.label[other] == state.label[user] and has_edge(state.edges, user, other):
            apart = distance(ridge.estimate_of(state.users, user), ridge.estimate_of(state.users, other))
            if apart > state.alpha_2 * (state.radius[user] + state.radius[other]):
                cut_edge(state.edges, user, other)
                cut = True
    if cut:
        for name in relabel(state.edges, state.label, user):
            ridge.pool(state.clusters, name, state.users, state.label, name, state.regularization)


@part(inlined=False)
def relearn(state: State, users: np.ndarray, contexts: np.ndarray, rewards: np.ndarray) -> None:
    """Replace all observations by T others; the graph does not change. contexts: (T, d).

    NeuralLinear needs this, because its contexts are learned and change.
    """
    for user in range(len(state.label)):
        ridge.clear(state.users, user, state.regularization)
    for i in range(len(users)):
        ridge.accumulate(state.users, users[i], contexts[i], rewards[i])
    for user in range(len(state.label)):
        if state.users.count[user] > 0:
            ridge.refresh(state.users, user)
        if state.label[user] == user:
            ridge.pool(state.clusters, user, state.users, state.label, user, state.regularization)


@part
def share_cluster(state: State, user: int, item: int, position: int, other: int) -> bool:
    """Return whether `other` is in the cluster that was played for `user`."""
    return state.label[other] == state.label[user]


@part
def count_clusters(state: State) -> int:
    """Return the number of components."""
    return count_own(state.label)


@part
def label_agents(state: State, labels: np.ndarray) -> None:
    assign(labels, state.label)


if __name__ == "__main__":
    script(__file__)
