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


class SeenGraph(NamedTuple):
    """The seen part of a graph of n nodes and m edges. Entries of unseen nodes have no meaning."""

    first: np.ndarray  # (n + 1,)
    neighbour: np.ndarray  # (2 m,) int32
    start: np.ndarray  # (n,) bool: seen at the start
    queried: np.ndarray  # (n,) bool
    seen_neighbour: np.ndarray  # (2 m,) int32: seen neighbours of each node
    degree: np.ndarray  # (n,) int32: seen degree, the number of seen neighbours
    degree_sum: np.ndarray  # (n,): sum of the seen degrees of the seen neighbours
    largest_degree: np.ndarray  # (n,): the largest of these degrees
    queried_neighbours: np.ndarray  # (n,): number of seen neighbours that were queried
    triangles: np.ndarray  # (n,): number of seen triangles that contain the node
    frontier: np.ndarray  # (n,) int32: the frontier nodes, then unused entries
    count: np.ndarray  # (1,): number of frontier nodes
    place: np.ndarray  # (n,) int32: place of a node in `frontier`, or -1
    contexts: np.ndarray  # (n, d): contexts of the frontier nodes, in their order
    scale: np.ndarray  # (1,): the degree that degrees are divided by
    stamp: np.ndarray  # (n,): number of the pass that last visited a node
    last_stamp: np.ndarray  # (1,): number of the latest pass


@part
def seen_at_start(first: np.ndarray, neighbour: np.ndarray, nodes: np.ndarray) -> SeenGraph:
    """Return the graph as it is seen at the start: some nodes, (s,), and the edges among them."""
    n = len(first) - 1
    seen = SeenGraph(
        first=first,
        neighbour=neighbour,
        start=np.zeros(n, np.bool_),
        queried=np.zeros(n, np.bool_),
        seen_neighbour=np.empty(len(neighbour), np.int32),
        degree=np.zeros(n, np.int32),
        degree_sum=np.zeros(n, np.int64),
        largest_degree=np.zeros(n, np.int64),
        queried_neighbours=np.zeros(n, np.int64),
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
        seen.start[node] = True
        append_node(seen, node)
    for node in nodes:
        for other in neighbour[first[node] : first[node + 1]]:
            if seen.start[other] and node < other:
                reveal_edge(seen, node, other)
    for node in nodes:
        seen.scale[0] = max(seen.scale[0], seen.degree[node])
    for node in nodes:
        update_context(seen, node)
    return seen


@part
def query(seen: SeenGraph, place: int) -> int:
    """Query the node at a place of the frontier; return the number of newly seen nodes.

    The last frontier node moves to this place, and newly seen nodes are appended.
    """
    node = seen.frontier[place]
    seen.queried[node] = True
    seen.count[0] -= 1
    last = seen.frontier[seen.count[0]]
    seen.frontier[place], seen.place[last], seen.place[node] = last, place, -1
    assign(seen.contexts[place], seen.contexts[seen.count[0]])
    before = seen.count[0]
    for other in seen.neighbour[seen.first[node] : seen.first[node + 1]]:
        if seen.place[other] < 0 and not seen.queried[other]:
            append_node(seen, other)
        if not (seen.queried[other] or (seen.start[node] and seen.start[other])):
            reveal_edge(seen, node, other)
        seen.queried_neighbours[other] += 1
    seen.last_stamp[0] += 1
    for other in neighbours_of(seen, node):
        update_context(seen, other)
        for third in neighbours_of(seen, other):
            if seen.stamp[third] != seen.last_stamp[0]:
                seen.stamp[third] = seen.last_stamp[0]
                update_context(seen, third)
    return seen.count[0] - before


@part
def append_node(seen: SeenGraph, node: int) -> None:
    """Append a newly seen node to the frontier."""
    seen.frontier[seen.count[0]], seen.place[node] = node, seen.count[0]
    seen.count[0] += 1


@part
def reveal_edge(seen: SeenGraph, a: int, b: int) -> None:
    """Reveal the edge {a, b} between two seen nodes."""
    seen.last_stamp[0] += 1
    for other in neighbours_of(seen, a):
        seen.stamp[other] = seen.last_stamp[0]
        seen.degree_sum[other] += 1
        seen.largest_degree[other] = max(seen.largest_degree[other], seen.degree[a] + 1)
    for other in neighbours_of(seen, b):
        if seen.stamp[other] == seen.last_stamp[0]:
            seen.triangles[other] += 1
            seen.triangles[a] += 1
            seen.triangles[b] += 1
        seen.degree_sum[other] += 1
        seen.largest_degree[other] = max(seen.largest_degree[other], seen.degree[b] + 1)
    for one, other in ((a, b), (b, a)):
        seen.seen_neighbour[seen.first[one] + seen.degree[one]] = other
        seen.degree[one] += 1
    for one, other in ((a, b), (b, a)):
        seen.degree_sum[one] += seen.degree[other]
        seen.largest_degree[one] = max(seen.largest_degree[one], seen.degree[other])


@part
def neighbours_of(seen: SeenGraph, node: int) -> np.ndarray:
    """Return the seen neighbours of a seen node."""
    return seen.seen_neighbour[seen.first[node] : seen.first[node] + seen.degree[node]]


@part
def update_context(seen: SeenGraph, node: int) -> None:
    """Update the context of a node, if it is on the frontier."""
    place = seen.place[node]
    if place < 0:
        return
    degree = seen.degree[node]
    context = seen.contexts[place]
    fill(context, 0.0)
    context[5] = 1.0
    if degree > 0:
        context[0] = degree / seen.scale[0]
        context[1] = seen.degree_sum[node] / degree / seen.scale[0]
        context[2] = seen.largest_degree[node] / seen.scale[0]
        context[3] = seen.queried_neighbours[node] / degree
    if degree > 1:
        context[4] = seen.triangles[node] / (0.5 * degree * (degree - 1))


@part
def remove_unseen(first: np.ndarray, neighbour: np.ndarray, node: int, unseen: np.ndarray) -> None:
    """Reduce the number of unseen neighbours of each neighbour of a newly seen node by one. unseen: (n,)."""
    for other in neighbour[first[node] : first[node + 1]]:
        unseen[other] -= 1


@part(inlined=False)
def explore_greedily(first: np.ndarray, neighbour: np.ndarray, nodes: np.ndarray, total: np.ndarray) -> None:
    """Always query the node with most unseen neighbours; fill total, (T,), with the newly seen nodes after t queries.

    nodes: (s,), seen at the start. Of nodes with equally many, the first on the frontier is queried.
    """
    seen = seen_at_start(first, neighbour, nodes)
    unseen = np.empty(len(first) - 1, np.int64)
    for node in range(len(unseen)):
        unseen[node] = first[node + 1] - first[node]
    for node in nodes:
        remove_unseen(first, neighbour, node, unseen)
    found = 0
    for t in range(len(total)):
        if seen.count[0] > 0:
            place = 0
            for other in range(1, seen.count[0]):
                if unseen[seen.frontier[other]] > unseen[seen.frontier[place]]:
                    place = other
            new = query(seen, place)
            found += new
            for node in seen.frontier[seen.count[0] - new : seen.count[0]]:
                remove_unseen(first, neighbour, node, unseen)
        total[t] = found
