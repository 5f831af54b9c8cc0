"""What is seen of a network, one query at a time."""

import numpy as np
import pytest

from manybandits.environments.exploration import build
from manybandits.environments.frontier import FEATURES, explore_greedily, query, seen_at_start
from tests.environments.plain_network import Network

#     0 - 1        4
#      \ /       /   \
#       2  -  3        6 - 7
#                \   /
#                  5
EDGES = np.array([[0, 1], [1, 2], [0, 2], [2, 3], [3, 4], [3, 5], [4, 6], [5, 6], [6, 7], [7, 7]])


def rows(edges):
    arrays = build(edges, 0.3, "nodes")
    return arrays["first"], arrays["neighbour"]


def random_network(seed, nodes=60):
    """Four groups of nodes that are close, with few edges between them, and a node alone."""
    rng = np.random.default_rng(seed)
    a, b = np.triu_indices(nodes, 1)
    kept = rng.random(len(a)) < np.where(a % 4 == b % 4, 0.3, 0.03)
    return np.vstack([np.stack([a[kept], b[kept]], axis=1), [[nodes, nodes]]])


def test_a_small_network_is_explored_as_by_hand():
    seen = seen_at_start(*rows(EDGES), np.array([0, 1, 2], np.int32))
    assert seen.scale[0] == 2
    assert seen.frontier[:3].tolist() == [0, 1, 2]
    assert seen.contexts[:3].tolist() == [[1, 1, 1, 0, 1, 1]] * 3  # a triangle, and nothing is known outside of it

    assert query(seen, 2) == 1  # node 2 leads to node 3
    assert seen.frontier[: seen.count[0]].tolist() == [0, 1, 3]
    assert seen.contexts[0].tolist() == [1, 2.5 / 2, 1.5, 0.5, 1, 1]  # beside 1, of degree 2, and 2, of degree 3
    assert seen.contexts[2].tolist() == [0.5, 1.5, 1.5, 1, 0, 1]

    assert query(seen, 0) == 0  # all around node 0 is seen
    assert seen.frontier[: seen.count[0]].tolist() == [3, 1]
    assert seen.contexts[1].tolist() == [1, 2.5 / 2, 1.5, 1, 1, 1]

    assert query(seen, 0) == 2
    assert seen.frontier[: seen.count[0]].tolist() == [1, 4, 5]
    assert seen.contexts[1].tolist() == [0.5, 1.5, 1.5, 1, 0, 1]

    assert [query(seen, place) for place in (2, 2, 2, 1, 0)] == [1, 1, 0, 0, 0]
    assert seen.count[0] == 0
    assert seen.queried.all()


@pytest.mark.parametrize("seed", range(4))
def test_what_is_kept_along_the_way_is_what_the_seen_network_says(seed):
    edges, rng = random_network(seed), np.random.default_rng(seed)
    start = np.sort(rng.choice(61, 8, replace=False)).astype(np.int32)
    seen, plain = seen_at_start(*rows(edges), start), Network(edges, start)
    assert seen.scale[0] == plain.scale
    while plain.frontier:
        arms = len(plain.frontier)
        assert seen.frontier[: seen.count[0]].tolist() == plain.frontier
        assert np.allclose(seen.contexts[:arms], plain.contexts, rtol=1e-14, atol=0)
        place = int(rng.integers(arms))
        assert query(seen, place) == plain.query(place)
    assert seen.count[0] == 0
    assert len(plain.queried) > 8


def test_a_context_has_a_number_for_every_feature():
    seen = seen_at_start(*rows(EDGES), np.array([3], np.int32))
    assert seen.contexts.shape[1] == len(FEATURES)
    assert seen.contexts[0].tolist() == [0, 0, 0, 0, 0, 1]  # no edge is known
    assert seen.scale[0] == 1


def test_the_greedy_explorer_queries_who_has_most_unseen_neighbours():
    edges = random_network(5)
    start = np.array([3, 17, 40], np.int32)
    total = np.empty(70)
    explore_greedily(*rows(edges), start, total)
    plain, expected = Network(edges, start), [0]
    while plain.frontier:
        gains = [len(plain.unseen_neighbours(node)) for node in plain.frontier]
        expected.append(expected[-1] + plain.query(int(np.argmax(gains))))
    assert total[: len(expected) - 1].tolist() == expected[1:]
    assert (total[len(expected) - 1 :] == expected[-1]).all()  # nothing is left
    assert len(expected) < 70
