"""Undirected graphs from which edges are only removed, and their connected components.

A graph over n nodes is a bit matrix, (n, ceil(n / 64)) uint64: bit j of row i is the edge {i, j}. A component is named
after its smallest member, so that equal graphs have equal names.
"""

from __future__ import annotations

import numpy as np

from manybandits.compiling.parts import part
from manybandits.numerics.vectors import count_of, fill

_ONE = np.uint64(1)
_NONE = np.uint64(0)
CELLS = 4_000_000
"""Pairs of nodes whose edges are drawn at a time, about: it limits memory and changes no draw."""


def complete_graph(nodes: int) -> np.ndarray:
    """Return the complete graph over `nodes` nodes, (n, ceil(n / 64)) uint64."""
    # Every row is that of a node with edges to all nodes, less its own bit, so that no n x n array is needed.
    edges = np.tile(_pack(np.ones((1, nodes), bool)), (nodes, 1))
    node = np.arange(nodes)
    edges[node, node >> 6] &= ~(_ONE << (node & 63).astype(np.uint64))
    return edges


def random_graph(nodes: int, probability: float, random: np.random.Generator) -> np.ndarray:
    """Return an Erdos-Renyi graph, (n, ceil(n / 64)) uint64: every edge is present with `probability`."""
    edges = np.zeros((nodes, -(-nodes // 64)), np.uint64)
    step = max(CELLS // (64 * max(nodes, 1)), 1) * 64  # whole words, so that a step fills columns of words, too
    for first in range(0, nodes, step):
        last = min(first + step, nodes)
        above = np.triu(random.random((last - first, nodes)) < probability, first + 1)
        edges[first:last] |= _pack(above)
        edges[:, first // 64 : -(-last // 64)] |= _pack(above.T)
    return edges


def sparse_random_graph(nodes: int, probability: float, random: np.random.Generator) -> np.ndarray:
    """Return an Erdos-Renyi graph as lists of neighbours, (n, largest degree) int32, padded with -1."""
    row, column = np.triu_indices(nodes, 1)
    kept = random.random(len(row)) < probability
    ends = np.concatenate([np.stack([row[kept], column[kept]]), np.stack([column[kept], row[kept]])], axis=1)
    order = np.argsort(ends[0], kind="stable")
    nodes_of, neighbours = ends[0, order], ends[1, order]
    degree = np.bincount(nodes_of, minlength=nodes)
    place = np.arange(len(nodes_of)) - np.repeat(np.cumsum(degree) - degree, degree)
    lists = np.full((nodes, max(int(degree.max(initial=0)), 1)), -1, np.int32)
    lists[nodes_of, place] = neighbours
    return lists


def connecting_probability(nodes: int) -> float:
    """Return min(3 ln(n) / n, 1), above which an Erdos-Renyi graph is connected with high probability."""
    return min(3.0 * np.log(nodes) / nodes, 1.0) if nodes > 1 else 0.0


def components(edges: np.ndarray) -> np.ndarray:
    """Return the component of every node, (n,) int32, named after its smallest member. edges: (n, ceil(n / 64))."""
    label = np.zeros(len(edges), np.int32)
    waiting = (1 << len(edges)) - 1
    while waiting:
        smallest = waiting & -waiting
        reached = fresh = smallest
        while fresh:
            node = fresh.bit_length() - 1
            fresh ^= 1 << node
            label[node] = smallest.bit_length() - 1
            found = int.from_bytes(edges[node].astype("<u8").tobytes(), "little") & ~reached  # bits, as in a row
            reached |= found
            fresh |= found
        waiting &= ~reached
    return label


def is_connected(neighbours: np.ndarray) -> bool:
    """Return whether a graph is connected. neighbours: (n, largest degree), lists of neighbours padded with -1."""
    reached = np.zeros(len(neighbours), bool)
    fresh = np.zeros(1, np.int64)
    while len(fresh):
        reached[fresh] = True
        around = np.unique(neighbours[fresh])
        around = around[around >= 0]
        fresh = around[~reached[around]]
    return bool(reached.all())


@part
def has_edge(edges: np.ndarray, i: int, j: int) -> bool:
    """Return whether the edge {i, j} is present."""
    return (edges[i, j >> 6] >> np.uint64(j & 63)) & _ONE != _NONE


@part
def cut_edge(edges: np.ndarray, i: int, j: int) -> None:
    """Remove the edge {i, j}."""
    edges[i, j >> 6] &= ~(_ONE << np.uint64(j & 63))
    edges[j, i >> 6] &= ~(_ONE << np.uint64(i & 63))


@part(inlined=False)
def relabel(edges: np.ndarray, label: np.ndarray, node: int) -> np.ndarray:
    """Relabel the component of `node` after edges of it were removed; return the names of its parts if it fell apart.

    label: (n,) int, the smallest member of the component of every node before the removal; updated.
    Returns an empty array if the component is still connected.
    """
    old = label[node]
    nodes = len(label)
    words = edges.shape[1]
    waiting = np.zeros(words, np.uint64)  # members that no search has reached so far
    members = 0
    for v in range(nodes):
        if label[v] == old:
            waiting[v >> 6] |= _ONE << np.uint64(v & 63)
            members += 1
    queue = np.empty(members, np.int64)
    parts = np.empty(members, np.int64)
    found = 0
    for v in range(nodes):
        if (waiting[v >> 6] >> np.uint64(v & 63)) & _ONE != _NONE:
            waiting[v >> 6] &= ~(_ONE << np.uint64(v & 63))
            queue[0], head, tail = v, 0, 1
            while head < tail and tail < members:
                reached = queue[head]
                head += 1
                for word in range(words):
                    fresh = edges[reached, word] & waiting[word]
                    waiting[word] ^= fresh
                    neighbour = word << 6
                    while fresh != _NONE:
                        if fresh & _ONE != _NONE:
                            queue[tail] = neighbour
                            tail += 1
                        fresh >>= _ONE
                        neighbour += 1
            if tail == members:
                return parts[:0]
            for place in range(tail):
                label[queue[place]] = v
            parts[found] = v
            found += 1
    return parts[:found]


@part
def cut_listed_edge(neighbours: np.ndarray, a: int, b: int) -> None:
    """Remove the edge {a, b} of a graph that is stored as lists. neighbours: (n, largest degree)."""
    for place in range(neighbours.shape[1]):
        if neighbours[a, place] == b:
            neighbours[a, place] = -1
        if neighbours[b, place] == a:
            neighbours[b, place] = -1


@part(inlined=False)
def name_parts(neighbours: np.ndarray, cluster: np.ndarray, clusters: np.ndarray, limit: int, node: int) -> None:
    """Number the parts of the cluster of `node` after edges of it were removed.

    neighbours: (n, largest degree), lists; cluster: (n,), the number of the cluster of every node; clusters: (1,), the
    number of clusters. The largest part keeps its number; others get new ones, up to `limit`, or else keep it too.
    """
    old = cluster[node]
    size = count_of(cluster, old)
    part = np.empty(len(cluster), np.int64)
    fill(part, -1)
    sizes = np.zeros(size, np.int64)
    queue = np.empty(size, np.int64)
    parts = 0
    for step in range(len(cluster) + 1):
        first = node if step == 0 else step - 1
        if cluster[first] != old or part[first] >= 0:
            continue
        part[first] = parts
        queue[0], head, tail = first, 0, 1
        while head < tail and tail < size:
            for neighbour in neighbours[queue[head]]:
                if neighbour >= 0 and part[neighbour] < 0:
                    part[neighbour] = parts
                    queue[tail] = neighbour
                    tail += 1
            head += 1
        if tail == size:
            return
        sizes[parts] = tail
        parts += 1
    names = np.empty(parts, np.int64)
    fill(names, old)
    largest = 0
    for p in range(parts):
        if sizes[p] > sizes[largest]:
            largest = p
    for p in range(parts):
        if p != largest and clusters[0] < limit:
            names[p] = clusters[0]
            clusters[0] += 1
    for member in range(len(cluster)):
        if cluster[member] == old:
            cluster[member] = names[part[member]]


def _pack(adjacent: np.ndarray) -> np.ndarray:
    """Return rows of n edges each, (m, n) bool, as bits, (m, ceil(n / 64)) uint64."""
    rows, nodes = adjacent.shape
    bits = np.zeros((rows, -(-nodes // 64) * 64), bool)
    bits[:, :nodes] = adjacent
    return np.packbits(bits, axis=1, bitorder="little").view("<u8").astype(np.uint64)
