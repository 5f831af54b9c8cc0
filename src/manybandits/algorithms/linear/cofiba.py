"""COFIBA: clusters of items too, and for every cluster of items its own graph over the users.

Source: Li, Karatzoglou and Gentile 2016, *Collaborative filtering bandits*, Figures 1 to 3, which ``plain/cofiba``
follows statement by statement. Here the same is done faster:

* M^-1 and the estimate of a user change by a rank-one term in each round. So does the model of a component while its
  arms are offered; after a pause it is pooled anew: see `manybandits.numerics.user_graphs`.
* Bounds decide most tests of users: see `_near_users`.
* The item graph is stored as lists of neighbours, and a component is named anew only where an edge of it was cut.

    index   theta' x_a + alpha sqrt(x_a' M^-1 x_a ln(t + 1)),   M, theta: of the component of the user served in the
            user graph of the item cluster of arm a

With `neighbourhood` = test, an item edge is kept if the users near i at x_l are those near i at x: then a user who
was cut off in an earlier round may count as near again.

The figures leave some choices open. Here the item graph starts sparse and random, as the paper's section on the
implementation proposes; when an item cluster falls apart, its largest part keeps the user graph; x_l is the
context in which item l was offered last (an edge to an item never offered is not tested); and there are at
most `item_clusters` item clusters: once there are as many, no item edge is cut any more. With block contexts, the
items are the blocks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import ALPHA, LAMBDA, Option, Options, Problem, script
from manybandits.algorithms.linear._graph import ALPHA_2, GRAPH, first_graph
from manybandits.algorithms.linear._near_users import Bounds, are_near, find_near, new_bounds, update_bounds
from manybandits.algorithms.linear._optimism import best, width_factor
from manybandits.base.seeds import generator
from manybandits.compiling.parts import part
from manybandits.numerics import ridge, user_graphs
from manybandits.numerics.graphs import (
    connecting_probability,
    cut_listed_edge,
    has_edge,
    is_connected,
    name_parts,
    sparse_random_graph,
)
from manybandits.numerics.ridge import Ridge, root
from manybandits.numerics.user_graphs import UserGraphs
from manybandits.numerics.vectors import assign

TITLE = "COFIBA"
REFERENCE = "Li et al. 2016, Figures 1-3"
OPTIONS = (
    ALPHA,
    LAMBDA,
    ALPHA_2,
    GRAPH,
    Option(
        "neighbourhood",
        "graph",
        "of the user served at the item played: its edges in the updated user graph, or the test alone",
        words=("graph", "test"),
    ),
    Option("item_clusters", 64, "the most item clusters that are kept", low=1, structural=True),
)


class State(NamedTuple):
    alpha: float
    alpha_2: float
    by_graph: bool  # whether the neighbourhood of the user served is that in the updated user graph
    regularization: float  # lambda
    users: Ridge  # n learners
    bounds: Bounds  # of users
    graphs: UserGraphs  # of up to C item clusters
    first_edges: np.ndarray  # (n, ceil(n / 64)): the user graph that a new item cluster starts with
    item_cluster: np.ndarray  # (I,)
    limit: int  # the most item clusters that are kept
    neighbours: np.ndarray  # (I, D) int32: the item graph, -1 = no edge
    offered: np.ndarray  # (I, d): the context in which an item was offered last
    seen: np.ndarray  # (I,) bool: whether an item was ever offered
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    """Return the state before the first round: one item cluster, all users connected."""
    users, items = problem.users, problem.items
    most = min(options["item_clusters"], items)
    regularization = options["lambda"]
    first_edges = first_graph(users, options["graph"], random)
    neighbours = sparse_random_graph(items, connecting_probability(items), generator(random))
    item_cluster, item_clusters = np.zeros(items, np.int32), np.ones(1, np.int64)
    if not is_connected(neighbours):
        name_parts(neighbours, item_cluster, item_clusters, most, 0)
    return State(
        alpha=options["alpha"],
        alpha_2=options["alpha_2"],
        by_graph=options["neighbourhood"] == "graph",
        regularization=regularization,
        users=ridge.new_ridge(regularization, users, *problem.contexts),
        bounds=new_bounds(regularization, users),
        graphs=user_graphs.new_user_graphs(item_clusters, most, first_edges, regularization, *problem.contexts),
        first_edges=first_edges,
        item_cluster=item_cluster,
        limit=most,
        neighbours=neighbours,
        offered=ridge.new_contexts(items, *problem.contexts),
        seen=np.zeros(items, bool),
        random=random,
    )


@part
def value(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray, values: np.ndarray) -> None:
    """Fill values, (K,), with the indices of arms. items: (K,), their nodes in the item graph."""
    factor = width_factor(state.alpha, t)
    for k in range(len(items)):
        assign(state.offered[items[k]], contexts[k])
        state.seen[items[k]] = True
        c = state.item_cluster[items[k]]
        learner = user_graphs.model_of(state.graphs, c, user, state.users, state.regularization)
        mean, spread = ridge.mean_and_spread(state.graphs.models, learner, contexts[k])
        values[k] = mean + factor * root(spread)


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    values = np.empty(len(items))
    value(state, t, user, items, contexts, values)
    arm = best(values, state.random)
    forget_idle(state, user, items)
    return arm


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    ridge.observe(state.users, user, context, reward)
    user_graphs.observe(state.graphs, user, context, reward)
    update_bounds(state.bounds, state.users, user, context, width_factor(state.alpha_2, t))
    near = np.empty(len(state.bounds.mass), np.bool_)
    all_near, c = find_near(state.bounds, state.users, user, context, near), state.item_cluster[item]
    if not all_near:
        user_graphs.cut_users(state.graphs, c, user, near)
    if state.graphs.number[0] < state.limit:
        if state.by_graph:
            all_near = keep_neighbours(state.graphs.edges[c], user, near)
        cut_items(state, user, item, near, all_near)


@part
def keep_neighbours(edges: np.ndarray, user: int, near: np.ndarray) -> bool:
    """Make `near`, (n,) bool, the neighbours of `user` in a graph and the user itself; return whether it is everybody.

    Every neighbour in the updated graph is in `near` already.
    """
    everybody = True
    for other in range(len(near)):
        near[other] = near[other] and (other == user or has_edge(edges, user, other))
        everybody &= near[other]
    return everybody


@part
def cut_items(state: State, user: int, item: int, near: np.ndarray, all_near: bool) -> None:
    """Cut the edges from `item` to items at which the users near `user` are not those of `near`, (n,) bool."""
    cut = False
    for place in range(state.neighbours.shape[1]):
        other = state.neighbours[item, place]
        if (
            other >= 0
            and state.seen[other]
            and not are_near(state.bounds, state.users, user, state.offered[other], near, all_near)
        ):
            cut_listed_edge(state.neighbours, item, other)
            cut = True
    if cut:
        known = state.graphs.number[0]
        name_parts(state.neighbours, state.item_cluster, state.graphs.number, state.limit, item)
        for c in range(known, state.graphs.number[0]):
            for i in range(len(near)):
                assign(state.graphs.edges[c, i], state.first_edges[i])
            user_graphs.begin(state.graphs, c)


@part
def forget_idle(state: State, user: int, items: np.ndarray) -> None:
    """Free the models of `user` in item clusters that were not offered: they would miss this round."""
    offered = np.zeros(state.graphs.number[0], np.bool_)
    for k in range(len(items)):
        offered[state.item_cluster[items[k]]] = True
    for c in range(state.graphs.number[0]):
        if not offered[c]:
            user_graphs.forget(state.graphs, c, state.graphs.label[c, user])


@part
def share_cluster(state: State, user: int, item: int, position: int, other: int) -> bool:
    """Return whether `other` is in the cluster that was played for `user`: in the user graph of the item's cluster."""
    label = state.graphs.label[state.item_cluster[item]]
    return label[other] == label[user]


@part
def count_clusters(state: State) -> int:
    """Return the number of user clusters over all user graphs."""
    return user_graphs.count_components(state.graphs)


if __name__ == "__main__":
    script(__file__)
