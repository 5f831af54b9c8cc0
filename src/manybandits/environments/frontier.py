"""The seen part of a graph that is explored by queries, and its frontier: the nodes that may be queried next.

A node is unseen, on the frontier (seen, but not queried), or queried. A query of a frontier node reveals all its edges,
and so its neighbours. At the start some nodes and the edges among them are seen, and no node is queried.

The context of a frontier node is computed from the seen edges, see `FEATURES`. Edges are revealed one at a time, and
each changes only the numbers of its two ends and of their neighbours.

The graph is given in compressed rows: the neighbours of node v are ``neighbour[first[v] : first[v + 1]]``. The seen
neighbours of v are the first ones in the same places of a second array, so that no memory is allocated on the way.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.compiling.parts import part
from manybandits.numerics.vectors import assign, fill

FEATURES = (
    "seen degree",
    "mean seen degree of its seen neighbours",
    "largest seen degree of its seen neighbours",
    "share of its seen neighbours that were queried",
    "share of the pairs of its seen neighbours that are seen to be neighbours",
    "one",
)
"""The entries of a context. Degrees are divided by the largest degree that is seen at the start."""


class Sight(NamedTuple):
    """The seen part of a graph of n nodes and m edges. Entries of unseen nodes have no meaning."""

    first: np.ndarray  # (n + 1,)
    neighbour: np.ndarray  # (2 m,) int32
    start: np.ndarray  # (n,) bool: seen at the start
    queried: np.ndarray  # (n,) bool
    known: np.ndarray  # (2 m,) int32: seen neighbours of each node
    degree: np.ndarray  # (n,) int32: seen degree, the number of seen neighbours
    around: np.ndarray  # (n,): sum of the seen degrees of the seen neighbours
    largest: np.ndarray  # (n,): the largest of these degrees
    asked: np.ndarray  # (n,): number of seen neighbours that were queried
    triangles: np.ndarray  # (n,): number of seen triangles that contain the node
    frontier: np.ndarray  # (n,) int32: the frontier nodes, then unused entries
    count: np.ndarray  # type: ignore[assignment]  # (1,): number of frontier nodes
    place: np.ndarray  # (n,) int32: place of a node in `frontier`, or -1
    contexts: np.ndarray  # (n, d): contexts of the frontier nodes, in their order
    scale: np.ndarray  # (1,): the degree that degrees are divided by
    stamp: np.ndarray  # (n,): number of the pass that last visited a node
    last_stamp: np.ndarray  # (1,): number of the latest pass


@part
def look(first: np.ndarray, neighbour: np.ndarray, nodes: np.ndarray) -> Sight:
    """Return the graph as it is seen at the start: some nodes, (s,), and the edges among them."""
    n = len(first) - 1
    sight = Sight(
        first=first,
        neighbour=neighbour,
        start=np.zeros(n, np.bool_),
        queried=np.zeros(n, np.bool_),
        known=np.empty(len(neighbour), np.int32),
        degree=np.zeros(n, np.int32),
        around=np.zeros(n, np.int64),
        largest=np.zeros(n, np.int64),
        asked=np.zeros(n, np.int64),
        triangles=np.zeros(n, np.int64),
        frontier=np.empty(n, np.int32),
        count=np.zeros(1, np.int64),
        place=np.full(n, -1, np.int32),
        contexts=np.empty((n, len(FEATURES))),
        scale=np.ones(1),
        stamp=np.zeros(n, np.int64),
        last_stamp=np.zeros(1, np.int64),
    )
    for node in nodes:
        sight.start[node] = True
        see(sight, node)
    for node in nodes:
        for other in neighbour[first[node] : first[node + 1]]:
            if sight.start[other] and node < other:
                show(sight, node, other)
    for node in nodes:
        sight.scale[0] = max(sight.scale[0], sight.degree[node])
    for node in nodes:
        describe(sight, node)
    return sight


@part
def query(sight: Sight, place: int) -> int:
    """Query the node at a place of the frontier; return the number of newly seen nodes.

    The last frontier node moves to this place, and newly seen nodes are appended.
    """
    node = sight.frontier[place]
    sight.queried[node] = True
    sight.count[0] -= 1
    last = sight.frontier[sight.count[0]]
    sight.frontier[place], sight.place[last], sight.place[node] = last, place, -1
    assign(sight.contexts[place], sight.contexts[sight.count[0]])
    before = sight.count[0]
    for other in sight.neighbour[sight.first[node] : sight.first[node + 1]]:
        if sight.place[other] < 0 and not sight.queried[other]:
            see(sight, other)
        if not (sight.queried[other] or (sight.start[node] and sight.start[other])):
            show(sight, node, other)
        sight.asked[other] += 1
    sight.last_stamp[0] += 1
    for other in neighbours_of(sight, node):
        describe(sight, other)
        for third in neighbours_of(sight, other):
            if sight.stamp[third] != sight.last_stamp[0]:
                sight.stamp[third] = sight.last_stamp[0]
                describe(sight, third)
    return sight.count[0] - before


@part
def see(sight: Sight, node: int) -> None:
    """Append a newly seen node to the frontier."""
    sight.frontier[sight.count[0]], sight.place[node] = node, sight.count[0]
    sight.count[0] += 1


@part
def show(sight: Sight, a: int, b: int) -> None:
    """Reveal the edge {a, b} between two seen nodes."""
    sight.last_stamp[0] += 1
    for other in neighbours_of(sight, a):
        sight.stamp[other] = sight.last_stamp[0]
        sight.around[other] += 1
        sight.largest[other] = max(sight.largest[other], sight.degree[a] + 1)
    for other in neighbours_of(sight, b):
        if sight.stamp[other] == sight.last_stamp[0]:
            sight.triangles[other] += 1
            sight.triangles[a] += 1
            sight.triangles[b] += 1
        sight.around[other] += 1
        sight.largest[other] = max(sight.largest[other], sight.degree[b] + 1)
    for one, other in ((a, b), (b, a)):
        sight.known[sight.first[one] + sight.degree[one]] = other
        sight.degree[one] += 1
    for one, other in ((a, b), (b, a)):
        sight.around[one] += sight.degree[other]
        sight.largest[one] = max(sight.largest[one], sight.degree[other])


@part
def neighbours_of(sight: Sight, node: int) -> np.ndarray:
    """Return the seen neighbours of a seen node."""
    return sight.known[sight.first[node] : sight.first[node] + sight.degree[node]]


@part
def describe(sight: Sight, node: int) -> None:
    """Update the context of a node, if it is on the frontier."""
    place = sight.place[node]
    if place < 0:
        return
    degree = sight.degree[node]
    context = sight.contexts[place]
    fill(context, 0.0)
    context[5] = 1.0
    if degree > 0:
        context[0] = degree / sight.scale[0]
        context[1] = sight.around[node] / degree / sight.scale[0]
        context[2] = sight.largest[node] / sight.scale[0]
        context[3] = sight.asked[node] / degree
    if degree > 1:
        context[4] = sight.triangles[node] / (0.5 * degree * (degree - 1))


@part
def note_seen(first: np.ndarray, neighbour: np.ndarray, node: int, unseen: np.ndarray) -> None:
    """Reduce the number of unseen neighbours of each neighbour of a newly seen node by one. unseen: (n,)."""
    for other in neighbour[first[node] : first[node + 1]]:
        unseen[other] -= 1


@part(inlined=False)
def explore_greedily(first: np.ndarray, neighbour: np.ndarray, nodes: np.ndarray, total: np.ndarray) -> None:
    """Always query the node with most unseen neighbours; fill total, (T,), with the newly seen nodes after t queries.

    nodes: (s,), seen at the start. Of nodes with equally many, the first on the frontier is queried.
    """
    sight = look(first, neighbour, nodes)
    unseen = np.empty(len(first) - 1, np.int64)
    for node in range(len(unseen)):
        unseen[node] = first[node + 1] - first[node]
    for node in nodes:
        note_seen(first, neighbour, node, unseen)
    found = 0
    for t in range(len(total)):
        if sight.count[0] > 0:
            place = 0
            for other in range(1, sight.count[0]):
                if unseen[sight.frontier[other]] > unseen[sight.frontier[place]]:
                    place = other
            new = query(sight, place)
            found += new
            for node in sight.frontier[sight.count[0] - new : sight.count[0]]:
                note_seen(first, neighbour, node, unseen)
        total[t] = found
