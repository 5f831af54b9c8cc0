"""COFIBA: clusters of items too, and for every cluster of items its own graph over the users.

Source: Li, Karatzoglou and Gentile 2016, *Collaborative filtering bandits*, Figures 1 to 3.

    choose   for arm a: G = the user graph of the item cluster of x_a, V = component of the user i in G,
             M = lambda I + sum_V (M_j - lambda I), theta = M^-1 sum_V b_j;
             a_t = argmax_a  theta' x_a + alpha sqrt(x_a' M^-1 x_a ln(t + 1))
    learn    M_i += x x', b_i += r x for the context x of the item h that was chosen; then, with
             CB_j(y) = alpha_2 sqrt(y' M_j^-1 y ln(t + 1)) and
             j near i at y  if  |theta_i' y - theta_j' y| <= CB_i(y) + CB_j(y):
    users    in the graph of the item cluster of h, cut {i, j} for every j that is not near i at x
    items    cut every item edge {h, l} unless the users near i at x_l are the neighbours of i in that updated graph;
             an item cluster that is new starts with a graph of its own in which all users are connected

With `neighbourhood` = test, an item edge is kept if the users near i at x_l are those near i at x: then a user who
was cut off in an earlier round may count as near again.

The figures leave some choices open. Here the item graph starts sparse and random, as the paper's section on the
implementation proposes; when an item cluster falls apart, its largest part keeps the user graph; x_l is the
context in which item l was offered last (an edge to an item never offered is not tested); and there are at
most `item_clusters` item clusters: once there are as many, no item edge is cut any more. With block contexts, the
items are the blocks.

The model of a component is updated in every round while its arms are offered, and pooled anew after a pause.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import ALPHA, LAMBDA, Option, Options, Problem, script
from manybandits.algorithms.linear._graph import ALPHA_2, GRAPH, first_graph
from manybandits.algorithms.linear._optimism import best, width_factor
from manybandits.algorithms.linear._pools import Pools, forget_pool, new_pools, up_to_date_pool
from manybandits.base.seeds import generator
from manybandits.compiling.parts import part
from manybandits.numerics import ridge
from manybandits.numerics.graphs import (
    components,
    connecting_probability,
    cut_edge,
    cut_listed_edge,
    has_edge,
    is_connected,
    name_parts,
    relabel,
    sparse_random_graph,
)
from manybandits.numerics.ridge import Ridge, root
from manybandits.numerics.vectors import all_true, assign, count_own, distance, fill

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
RELEASED = ""


class State(NamedTuple):
    alpha: float
    alpha_2: float
    by_graph: bool  # whether the neighbourhood of the user served is that in the updated user graph
    regularization: float  # lambda
    users: Ridge  # n learners
    mass: np.ndarray  # (n,): lambda + sum of x' x, at least the largest eigenvalue of M_i
    apart: np.ndarray  # (n,): |theta_i - theta_j| for the user i served last
    sure: np.ndarray  # (n,): alpha_2 sqrt(ln(t + 1) / mass_j) in the same round
    pools: Pools  # the components of the user graphs of C item clusters whose model is up to date
    edges: np.ndarray  # (C, n, ceil(n / 64)): the user graph of every item cluster
    label: np.ndarray  # (C, n): components of the user graphs
    first_edges: np.ndarray  # (n, ceil(n / 64)): the user graph that a new item cluster starts with
    item_cluster: np.ndarray  # (I,)
    item_clusters: np.ndarray  # (1,): how many there are
    limit: int  # the most item clusters that are kept
    neighbours: np.ndarray  # (I, D) int32: the item graph, -1 = no edge
    offered: np.ndarray  # (I, d): the context in which an item was offered last
    seen: np.ndarray  # (I,) bool: whether an item was ever offered
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, released: bool, random: np.ndarray) -> State:
    """Return the state before the first round: one item cluster, all users connected."""
    users, items = problem.users, problem.items
    most = min(options["item_clusters"], items)
    regularization = options["lambda"]
    graph = first_graph(users, options["graph"], random)
    neighbours = sparse_random_graph(items, connecting_probability(items), generator(random))
    item_cluster, item_clusters = np.zeros(items, np.int32), np.ones(1, np.int64)
    if not is_connected(neighbours):
        name_parts(neighbours, item_cluster, item_clusters, most, 0)
    edges = np.zeros((most, *graph.shape), np.uint64)
    label = np.zeros((most, users), np.int32)
    edges[: item_clusters[0]], label[: item_clusters[0]] = graph, components(graph)
    return State(
        alpha=options["alpha"],
        alpha_2=options["alpha_2"],
        by_graph=options["neighbourhood"] == "graph",
        regularization=regularization,
        users=ridge.new_ridge(regularization, users, *problem.contexts),
        mass=np.full(users, regularization),
        apart=np.zeros(users),
        sure=np.zeros(users),
        pools=new_pools(regularization, most, users, *problem.contexts),
        edges=edges,
        label=label,
        first_edges=graph,
        item_cluster=item_cluster,
        item_clusters=item_clusters,
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
        learner = pool_of(state, state.item_cluster[items[k]], user)
        mean, spread = ridge.mean_and_spread(state.pools.models, learner, contexts[k])
        values[k] = mean + factor * root(spread)


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    values = np.empty(len(items))
    value(state, t, user, items, contexts, values)
    arm = best(values, state.random)
    retire_idle_pools(state, user, items)
    return arm


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    ridge.observe(state.users, user, context, reward)
    state.mass[user] += ridge.squared_norm(state.users, context)
    for c in range(state.item_clusters[0]):
        learner = state.pools.learner[c, state.label[c, user]]
        if learner >= 0:
            ridge.observe(state.pools.models, learner, context, reward)
    update_graphs(state, t, user, item, context)


@part
def measure_distances(state: State, t: int, user: int) -> float:
    """Fill `apart` and `sure` for the user i served, and return the margin, with which most tests end early.

    With |y| = 1, user j is near whatever y is if |theta_i - theta_j| <= CB_i(y) + sure_j, where sure_j =
    alpha_2 sqrt(ln(t + 1) / mass_j) <= CB_j(y). All users are near if CB_i(y) is at least the margin,
    max_j |theta_i - theta_j| - sure_j.
    """
    factor = width_factor(state.alpha_2, t)
    margin = 0.0
    for other in range(len(state.mass)):
        state.apart[other] = distance(ridge.estimate_of(state.users, user), ridge.estimate_of(state.users, other))
        state.sure[other] = factor / np.sqrt(state.mass[other])
        margin = max(margin, state.apart[other] - state.sure[other])
    return margin


@part
def own_width(state: State, t: int, user: int, x: np.ndarray) -> float:
    """Return CB_i(x) of the user i served."""
    return width_factor(state.alpha_2, t) * root(ridge.spread_at(state.users, user, x))


@part
def near(state: State, t: int, j: int, x: np.ndarray, length: float, width: float, value: float) -> bool:
    """Return whether user j is near the user i served at x, (d,). length: |x|; width: CB_i(x); value: theta_i' x.

    CB_j(x) itself is computed only if its bounds, from lambda <= M_j <= mass_j, do not decide.
    """
    if (state.apart[j] - state.sure[j]) * length <= width:
        return True
    slack = abs(value - ridge.mean_at(state.users, j, x)) - width
    if slack <= state.sure[j] * length:
        return True
    factor = width_factor(state.alpha_2, t)
    if slack > factor * length / np.sqrt(state.regularization):
        return False
    return slack <= factor * root(ridge.spread_at(state.users, j, x))


@part
def update_graphs(state: State, t: int, user: int, item: int, context: np.ndarray) -> None:
    """Cut the edges of `user` and of `item` that the tests reject after the round."""
    users = len(state.mass)
    margin = measure_distances(state, t, user)
    length = np.sqrt(ridge.squared_norm(state.users, context))
    width = own_width(state, t, user, context)
    value = ridge.mean_at(state.users, user, context)
    all_here = margin * length <= width
    here = np.empty(users, np.bool_)
    fill(here, True)
    if not all_here:
        for other in range(users):
            here[other] = other == user or near(state, t, other, context, length, width, value)
        update_users(state, user, state.item_cluster[item], here)
        all_here = all_true(here)
    if state.item_clusters[0] < state.limit:
        if state.by_graph:
            all_here = keep_neighbours(state.edges[state.item_cluster[item]], user, here)
        update_items(state, t, user, item, here, all_here, margin)


@part
def update_users(state: State, user: int, c: int, here: np.ndarray) -> None:
    """In the graph of item cluster c, cut the edges from `user` to users that are not near, (n,) bool."""
    label = state.label[c]
    before = label[user]
    cut = False
    for other in range(len(label)):
        if not here[other] and label[other] == before and has_edge(state.edges[c], user, other):
            cut_edge(state.edges[c], user, other)
            cut = True
    if cut and len(relabel(state.edges[c], label, user)) > 0:
        forget_pool(state.pools, c, before)


@part
def keep_neighbours(edges: np.ndarray, user: int, here: np.ndarray) -> bool:
    """Make `here`, (n,) bool, the neighbours of `user` in a graph and the user itself; return whether it is everybody.

    Every neighbour in the updated graph is in `here` already.
    """
    everybody = True
    for other in range(len(here)):
        here[other] = here[other] and (other == user or has_edge(edges, user, other))
        everybody &= here[other]
    return everybody


@part
def update_items(state: State, t: int, user: int, item: int, here: np.ndarray, all_here: bool, margin: float) -> None:
    """Cut the edges from `item` to items at which the users near `user` are not those of `here`, (n,) bool."""
    cut = False
    for place in range(state.neighbours.shape[1]):
        neighbour = state.neighbours[item, place]
        if (
            neighbour >= 0
            and state.seen[neighbour]
            and not same_users(state, t, user, neighbour, here, all_here, margin)
        ):
            cut_listed_edge(state.neighbours, item, neighbour)
            cut = True
    if cut:
        known = state.item_clusters[0]
        name_parts(state.neighbours, state.item_cluster, state.item_clusters, state.limit, item)
        for c in range(known, state.item_clusters[0]):
            for other in range(len(state.mass)):
                assign(state.edges[c, other], state.first_edges[other])
            fill(state.label[c], 0)
            relabel(state.edges[c], state.label[c], 0)


@part
def same_users(state: State, t: int, user: int, item: int, here: np.ndarray, all_here: bool, margin: float) -> bool:
    """Return whether the users near `user` at `item` are those of `here`, (n,) bool."""
    x = state.offered[item]
    length = np.sqrt(ridge.squared_norm(state.users, x))
    width = own_width(state, t, user, x)
    if margin * length <= width:
        return all_here
    value = ridge.mean_at(state.users, user, x)
    for other in range(len(here)):
        if other != user and near(state, t, other, x, length, width, value) != here[other]:
            return False
    return True


@part
def pool_of(state: State, c: int, user: int) -> int:
    """Return the learner of the component of `user` in item cluster c; pool its data if it has none."""
    return up_to_date_pool(state.pools, c, state.label[c, user], state.users, state.label[c], state.regularization)


@part
def retire_idle_pools(state: State, user: int, items: np.ndarray) -> None:
    """Free the models of `user` in item clusters that were not offered: they would miss this round."""
    offered = np.zeros(state.item_clusters[0], np.bool_)
    for k in range(len(items)):
        offered[state.item_cluster[items[k]]] = True
    for c in range(state.item_clusters[0]):
        if not offered[c]:
            forget_pool(state.pools, c, state.label[c, user])


@part
def share_cluster(state: State, user: int, item: int, position: int, other: int) -> bool:
    """Return whether `other` is in the cluster that was played for `user`: in the user graph of the item's cluster."""
    c = state.item_cluster[item]
    return state.label[c, other] == state.label[c, user]


@part
def count_clusters(state: State) -> int:
    """Return the number of user clusters over all user graphs."""
    found = 0
    for c in range(state.item_clusters[0]):
        found += count_own(state.label[c])
    return found


if __name__ == "__main__":
    script(__file__)
