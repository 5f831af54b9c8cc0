"""Graphs over the users of a game from which edges are cut, and the models of their components.

The model of a component is the ridge regression on the data of its users. It is made when it is first needed, updated
with every observation of a member, and freed when it is not needed for a while, or when another one needs its place.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from manybandits.compiling.parts import part
from manybandits.numerics import ridge
from manybandits.numerics.graphs import components, cut_edge, has_edge, relabel
from manybandits.numerics.ridge import Ridge
from manybandits.numerics.vectors import count_own, fill

MOST, BYTES = 256, 2**27
"""Most components whose models are kept, and most bytes of their matrices if these are written out."""


class UserGraphs(NamedTuple):
    """Up to C graphs over n users, and the models of up to P of their components."""

    number: np.ndarray  # (1,): how many graphs there are
    edges: np.ndarray  # (C, n, ceil(n / 64)) uint64, as in `manybandits.numerics.graphs`
    label: np.ndarray  # (C, n) int32: the component of each user
    models: Ridge  # P learners
    owner: np.ndarray  # (P, 2): the graph and the component of a learner, -1 = free
    learner: np.ndarray  # (C, n): the learner of a component, -1 = none
    following: np.ndarray  # (1,): the place of the next model


def new_user_graphs(
    number: np.ndarray, most: int, edges: np.ndarray, regularization: float, dimension: int, log: Any
) -> UserGraphs:
    """Return up to `most` graphs, of which the first have the same edges, (n, ceil(n / 64)).

    number: (1,), how many there are at first; dimension, log: of contexts, as in `ridge.new_ridge`.
    """
    users, first = len(edges), slice(0, int(number[0]))
    places = MOST if log is not None else min(MOST, max(1, BYTES // (16 * dimension**2)))
    graphs = UserGraphs(
        number=number,
        edges=np.zeros((most, *edges.shape), np.uint64),
        label=np.zeros((most, users), np.int32),
        models=ridge.new_ridge(regularization, places, dimension, log, copies=most),
        owner=np.full((places, 2), -1, np.int32),
        learner=np.full((most, users), -1, np.int32),
        following=np.zeros(1, np.int64),
    )
    graphs.edges[first], graphs.label[first] = edges, components(edges)
    return graphs


@part
def model_of(graphs: UserGraphs, c: int, user: int, users: Ridge, regularization: float) -> int:
    """Return the learner of the component of a user in graph c; pool the data of its users if it has none.

    users: n learners; regularization: the lambda that all but one user of a component bring along too much.
    """
    name = graphs.label[c, user]
    if graphs.learner[c, name] < 0:
        learner = graphs.following[0]
        graphs.following[0] = (learner + 1) % len(graphs.owner)
        if graphs.owner[learner, 0] >= 0:
            forget(graphs, graphs.owner[learner, 0], graphs.owner[learner, 1])
        ridge.pool(graphs.models, learner, users, graphs.label[c], name, regularization)
        graphs.owner[learner, 0], graphs.owner[learner, 1] = c, name
        graphs.learner[c, name] = learner
    return graphs.learner[c, name]


@part
def observe(graphs: UserGraphs, user: int, x: np.ndarray, reward: float) -> None:
    """Add an observation of a user, x: (d,), to the models of its components in all graphs."""
    for c in range(graphs.number[0]):
        learner = graphs.learner[c, graphs.label[c, user]]
        if learner >= 0:
            ridge.observe(graphs.models, learner, x, reward)


@part
def cut_users(graphs: UserGraphs, c: int, user: int, kept: np.ndarray) -> None:
    """Cut the edges of a user in graph c to the users that are not kept, (n,) bool."""
    label = graphs.label[c]
    before = label[user]
    cut = False
    for other in range(len(label)):
        if not kept[other] and label[other] == before and has_edge(graphs.edges[c], user, other):
            cut_edge(graphs.edges[c], user, other)
            cut = True
    if cut and len(relabel(graphs.edges[c], label, user)) > 0:
        forget(graphs, c, before)


@part
def begin(graphs: UserGraphs, c: int) -> None:
    """Name the components of graph c after its edges were replaced, and free the models of those it had."""
    for name in range(graphs.label.shape[1]):
        forget(graphs, c, name)
    fill(graphs.label[c], 0)
    relabel(graphs.edges[c], graphs.label[c], 0)


@part
def forget(graphs: UserGraphs, c: int, name: int) -> None:
    """Free the model of a component of graph c, if it has one."""
    learner = graphs.learner[c, name]
    if learner >= 0:
        graphs.learner[c, name] = -1
        graphs.owner[learner, 0] = -1
        ridge.release(graphs.models, learner)


@part
def count_components(graphs: UserGraphs) -> int:
    """Return the number of components of all graphs."""
    found = 0
    for c in range(graphs.number[0]):
        found += count_own(graphs.label[c])
    return found
