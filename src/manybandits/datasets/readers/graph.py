"""Networks: lists of edges, as SNAP publishes them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from manybandits.datasets.archives import open_packed
from manybandits.datasets.base import Tidy


def edges(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Read lines of two node numbers; return each undirected edge once, nodes numbered from 0, and the counts."""
    with open_packed(next(iter(raw.values()))) as file:
        pairs = pd.read_csv(file, sep=r"\s+", comment="#", names=["source", "target"], header=None).to_numpy()
    nodes, ends = np.unique(pairs, return_inverse=True)
    found = np.unique(np.sort(ends.reshape(-1, 2), axis=1), axis=0)
    counts = {
        "lines": len(pairs),
        "nodes": len(nodes),
        "edges": len(found),
        "triangles": count_triangles(found, len(nodes)),
    }
    return {"edges.parquet": pd.DataFrame(found.astype(np.int32), columns=["source", "target"])}, counts


def count_triangles(edges: np.ndarray, nodes: int) -> int:
    """Return the number of triangles in a graph: a published count that a single wrong edge would change.

    edges: (E, 2), each undirected edge once, the smaller number first; edges from a node to itself are ignored.
    """
    from scipy.sparse import coo_array  # here, because SciPy takes long to import

    lower, upper = edges[edges[:, 0] < edges[:, 1]].T
    ahead = coo_array((np.ones(len(lower), np.int64), (lower, upper)), shape=(nodes, nodes)).tocsr()
    return int((ahead @ ahead).multiply(ahead).sum())
