"""What algorithms with a graph over users share: its options, the first graph, and the radius of a user's estimate.

The radius f(T) is that of CLUB (Gentile, Li and Zappella 2014), which COFIBA, LOCB and SCLUB follow.
"""

from __future__ import annotations

import numpy as np

from manybandits.algorithms.contract import Option
from manybandits.base.seeds import generator
from manybandits.compiling.parts import part
from manybandits.numerics.graphs import complete_graph, connecting_probability, random_graph

ALPHA_2 = Option("alpha_2", 1.0, "width of the test that cuts an edge", low=0.0)
GRAPH = Option("graph", "complete", "the first graph over the users", words=("complete", "erdos-renyi"))


def first_graph(users: int, kind: str, random: np.ndarray) -> np.ndarray:
    """Return the graph before the first round, (n, ceil(n / 64)) uint64. kind: an option; random: (1,) uint64."""
    if kind == "complete":
        return complete_graph(users)
    return random_graph(users, connecting_probability(users), generator(random))


@part
def confidence_radius(count: int) -> float:
    """Return f(T) = sqrt((1 + ln(1 + T)) / (1 + T))."""
    return np.sqrt((1.0 + np.log(1.0 + count)) / (1.0 + count))
