"""Graphs over users and items as sets of neighbours, and the confidence radius of CLUB and its kin."""

from __future__ import annotations

import math

import numpy as np

from manybandits.algorithms.plain._draws import Random

Graph = dict[int, set[int]]


def complete(n: int) -> Graph:
    """Return the complete graph over n nodes."""
    return {i: set(range(n)) - {i} for i in range(n)}


def first_users(n: int, kind: str, random: Random) -> Graph:
    """Return the first graph over users. kind: complete, or sparse and random (erdos-renyi)."""
    return complete(n) if kind == "complete" else sparse(random.before().random((n, n)))


def first_items(n: int, random: Random) -> Graph:
    """Return the first graph over items, which is sparse and random."""
    numbers = np.zeros((n, n))
    numbers[np.triu_indices(n, 1)] = random.before().random(n * (n - 1) // 2)
    return sparse(numbers)


def sparse(numbers: np.ndarray) -> Graph:
    """Return a graph that is connected with high probability. numbers: (n, n), drawn from [0, 1), one for each edge."""
    n = len(numbers)
    probability = min(3 * math.log(n) / n, 1.0)
    graph: Graph = {i: set() for i in range(n)}
    for i, j in np.argwhere(np.triu(numbers < probability, 1)).tolist():
        graph[i].add(j)
        graph[j].add(i)
    return graph


def cut(graph: Graph, i: int, j: int) -> None:
    """Delete the edge {i, j}."""
    graph[i].discard(j)
    graph[j].discard(i)


def component(graph: Graph, node: int) -> set[int]:
    """Return the nodes of the connected component of a node."""
    found, waiting = {node}, [node]
    while waiting:
        new = graph[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def f(T: float) -> float:
    """Return sqrt((1 + ln(1 + T)) / (1 + T))."""
    return math.sqrt((1 + math.log(1 + T)) / (1 + T))
