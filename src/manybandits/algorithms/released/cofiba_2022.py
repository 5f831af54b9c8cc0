"""COFIBA as the public code of Meta-Ban and M-CNB plays it, which is one pooled ridge regression in nearly every round.

Source: github.com/banyikun/MCNB, commits 53eb178 to cf79294, ``cofiba.py``; the plain twin has every line of it.

    initialise   S_i = I, b_i = 0 for every user i; one complete graph over users; a complete graph over arm positions
    choose       for arm a: V = component of the user i served in the user graph of the cluster of position a;
                 S = sum_V S_j, theta = S^-1 sum_V b_j;  a_t = the first of argmax_a  theta' x_a + 0.1 x_a' S^-1 x_a
    learn        S_i += x x', b_i += r x for the context x at position h, which was chosen
    users        in the user graph of the cluster of h, cut {i, j} if |x' (theta_i - S_i^-1 b_j)| > 8 sqrt(d)
    items        cut {h, l} unless the users j with |x' (theta_j - theta_i)| < 8 sqrt(d) are those with
                 |x_l' (theta_j - theta_i)| < 8 sqrt(d); if the cluster of h falls apart, each part, that of h as well,
                 gets a fresh user graph, in which an edge is with probability 3 ln(n) / n

* Every S_j starts at I, so S of a component of m users starts at m I.
* The tests of users take theta_j wrongly as S_i^-1 b_j, which grows with the data of j: edges are cut, if rarely.
* Their width should shrink as users are served. It is 8 sqrt(d) for ever, because the counter of a user is never
  raised, so that positions, whose test takes theta_j rightly, stay together.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import Options, Problem, script
from manybandits.algorithms.released._linear import check_spread, check_written_out, first_best
from manybandits.compiling.parts import part
from manybandits.numerics import ridge, user_graphs
from manybandits.numerics.draws import uniform
from manybandits.numerics.graphs import complete_graph, connecting_probability, cut_edge, has_edge, relabel
from manybandits.numerics.ridge import Ridge
from manybandits.numerics.user_graphs import UserGraphs
from manybandits.numerics.vectors import assign, dot, fill

TITLE = "COFIBA 2022"
REFERENCE = "Public code of M-CNB, commits 53eb178 to cf79294, cofiba.py"
OPTIONS = ()
MODEL_PER_USER = True
RIDGE = 1.0
BETA = 0.1
_ONE = np.uint64(1)


class State(NamedTuple):
    width: float  # 8 sqrt(d)
    probability: float  # of an edge in a fresh user graph
    users: Ridge  # n learners
    graphs: UserGraphs  # of up to K clusters of positions
    item_edges: np.ndarray  # (K, ceil(K / 64)) uint64: the graph over positions
    item_label: np.ndarray  # (K,) int32: its components
    item_cluster: np.ndarray  # (K,) int32: the number of the cluster of each position
    offered: np.ndarray  # (K, d): the contexts of the round
    chosen: np.ndarray  # (1,): h
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    """Return the state before the first round: one cluster of positions, all users connected."""
    check_written_out(problem, TITLE)
    n, d, arms = problem.users, problem.dimension, problem.arms
    return State(
        width=8.0 * np.sqrt(d),
        probability=connecting_probability(n),
        users=ridge.new_ridge(RIDGE, n, d),
        graphs=user_graphs.new_user_graphs(np.ones(1, np.int64), arms, complete_graph(n), RIDGE, d, None),
        item_edges=complete_graph(arms),
        item_label=np.zeros(arms, np.int32),
        item_cluster=np.zeros(arms, np.int32),
        offered=np.zeros((arms, d)),
        chosen=np.zeros(1, np.int64),
        random=random,
    )


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    values, mean, spread = np.empty(len(items)), np.empty(len(items)), np.empty(len(items))
    for c in range(state.graphs.number[0]):
        # Without an identity to take off, the matrices of m users have a sum that starts at m I.
        learner = user_graphs.model_of(state.graphs, c, user, state.users, 0.0)
        ridge.predict(state.graphs.models, learner, contexts, mean, spread)
        check_spread(spread)
        for k in range(len(items)):
            if state.item_cluster[k] == c:
                values[k] = mean[k] + BETA * spread[k]
    for k in range(len(items)):
        assign(state.offered[k], contexts[k])
    state.chosen[0] = first_best(values)
    return state.chosen[0]


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    ridge.observe(state.users, user, context, reward)
    user_graphs.observe(state.graphs, user, context, reward)
    cut_users(state, user, state.item_cluster[state.chosen[0]], context)
    cut_items(state, user, state.chosen[0])


@part
def cut_users(state: State, user: int, c: int, x: np.ndarray) -> None:
    """Cut the edges of `user` in the user graph of item cluster c that the test at x, (d,), rejects."""
    direction = np.empty(len(x))  # S_i^-1 x
    for place in range(len(x)):
        direction[place] = dot(state.users.inverse[user, place], x)
    own = dot(direction, state.users.moment[user])
    kept = np.empty(state.graphs.label.shape[1], np.bool_)
    for other in range(len(kept)):
        kept[other] = not abs(own - dot(direction, state.users.moment[other])) > state.width
    user_graphs.cut_users(state.graphs, c, user, kept)


@part
def cut_items(state: State, user: int, h: int) -> None:
    """Cut the edges of position h that the test rejects; if its cluster falls apart, number and connect the parts."""
    cut = False
    for place in range(len(state.offered)):
        if has_edge(state.item_edges, h, place) and not same_users(state, user, h, place):
            cut_edge(state.item_edges, h, place)
            cut = True
    if not cut:
        return
    parts = relabel(state.item_edges, state.item_label, h)
    if len(parts) > 0:
        draw_graph(state, state.item_cluster[h])
    for name in parts:
        if name != state.item_label[h]:
            number = state.graphs.number[0]
            state.graphs.number[0] += 1
            for place in range(len(state.offered)):
                if state.item_label[place] == name:
                    state.item_cluster[place] = number
            draw_graph(state, number)


@part
def same_users(state: State, user: int, h: int, place: int) -> bool:
    """Return whether the users near `user` are the same at the contexts of two positions."""
    for other in range(state.graphs.label.shape[1]):
        if is_near(state, user, other, state.offered[h]) != is_near(state, user, other, state.offered[place]):
            return False
    return True


@part
def is_near(state: State, user: int, other: int, x: np.ndarray) -> bool:
    """Return whether the predictions for two users at x, (d,), are closer than the width."""
    return abs(ridge.mean_at(state.users, other, x) - ridge.mean_at(state.users, user, x)) < state.width


@part(inlined=False)
def draw_graph(state: State, c: int) -> None:
    """Draw a fresh user graph for item cluster c."""
    edges = state.graphs.edges[c]
    for i in range(len(edges)):
        fill(edges[i], np.uint64(0))
    for i in range(len(edges)):
        for j in range(i + 1, len(edges)):
            if uniform(state.random) < state.probability:
                edges[i, j >> 6] |= _ONE << np.uint64(j & 63)
                edges[j, i >> 6] |= _ONE << np.uint64(i & 63)
    user_graphs.begin(state.graphs, c)


@part
def share_cluster(state: State, user: int, item: int, position: int, other: int) -> bool:
    """Return whether `other` is in the cluster that was played for `user`: in the user graph of the arm's cluster."""
    label = state.graphs.label[state.item_cluster[position]]
    return label[other] == label[user]


@part
def count_clusters(state: State) -> int:
    """Return the number of user clusters over all user graphs."""
    return user_graphs.count_components(state.graphs)


if __name__ == "__main__":
    script(__file__)
