import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components

from manybandits.numerics import graphs


def unpack(edges: np.ndarray) -> np.ndarray:
    return np.unpackbits(edges.view(np.uint8), axis=1, bitorder="little")[:, : len(edges)].astype(bool)


def smallest_members(adjacent: np.ndarray) -> np.ndarray:
    labels = connected_components(adjacent, directed=False)[1]
    return np.array([np.flatnonzero(labels == label)[0] for label in labels])


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 140), st.floats(0.0, 0.2), st.integers(0, 2**32 - 1))
def test_relabel_names_the_components_after_every_cut(nodes, density, seed):
    rng = np.random.default_rng(seed)
    edges = graphs.random_graph(nodes, density, rng)
    label = np.zeros(nodes, np.int32)
    graphs.relabel(edges, label, 0)
    assert np.array_equal(label, smallest_members(unpack(edges)))
    for _ in range(30):
        pairs = np.argwhere(unpack(edges))
        if len(pairs) == 0:
            break
        i, j = pairs[rng.integers(len(pairs))]
        before = label.copy()
        graphs.cut_edge(edges, i, j)
        parts = graphs.relabel(edges, label, i)
        expected = smallest_members(unpack(edges))
        assert np.array_equal(label, expected)
        changed = np.unique(expected[before == before[i]])
        assert set(parts) == (set(changed) if len(changed) > 1 else set())


def test_cutting_removes_both_directions():
    edges = graphs.complete_graph(70)
    assert graphs.has_edge(edges, 3, 69)
    graphs.cut_edge(edges, 3, 69)
    assert not graphs.has_edge(edges, 3, 69)
    assert not graphs.has_edge(edges, 69, 3)
    assert unpack(edges).sum() == 70 * 69 - 2


def test_a_complete_graph_has_every_edge_and_no_loop():
    assert np.array_equal(unpack(graphs.complete_graph(65)), ~np.eye(65, dtype=bool))


def test_a_complete_graph_is_made_in_little_more_memory_than_it_has():
    tracemalloc.start()
    edges = graphs.complete_graph(3000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.5 * edges.nbytes


@pytest.mark.parametrize("nodes", [1, 64, 65, 300])
@pytest.mark.parametrize("cells", [1, 64 * 300, graphs.CELLS])
def test_a_random_graph_is_the_same_however_many_pairs_are_drawn_at_a_time(nodes, cells, monkeypatch):
    above = np.triu(np.random.default_rng(5).random((nodes, nodes)) < 0.1, 1)
    monkeypatch.setattr(graphs, "CELLS", cells)
    edges = graphs.random_graph(nodes, 0.1, np.random.default_rng(5))
    assert edges.shape == (nodes, -(-nodes // 64))
    assert np.array_equal(unpack(edges), above | above.T)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 140), st.floats(0.0, 0.1), st.integers(0, 2**32 - 1))
def test_components_are_named_after_their_smallest_members(nodes, density, seed):
    edges = graphs.random_graph(nodes, density, np.random.default_rng(seed))
    assert np.array_equal(graphs.components(edges), smallest_members(unpack(edges)))


def test_the_sparse_graph_is_symmetric_and_has_the_asked_density():
    lists = graphs.sparse_random_graph(400, 0.05, np.random.default_rng(0))
    pairs = {(i, int(j)) for i, row in enumerate(lists) for j in row if j >= 0}
    assert all((j, i) in pairs for i, j in pairs)
    assert all(i != j for i, j in pairs)
    assert abs(len(pairs) / (400 * 399) - 0.05) < 0.005


def test_above_the_threshold_a_random_graph_is_connected():
    edges = graphs.random_graph(200, graphs.connecting_probability(200), np.random.default_rng(0))
    label = np.zeros(200, np.int32)
    assert len(graphs.relabel(edges, label, 0)) == 0
