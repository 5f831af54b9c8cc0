"""A reader shared by the network data sets."""

from __future__ import annotations

from typing import IO

import numpy as np
import pandas as pd

from manybandits.datasets.base import Tidy


def read_edges(file: IO[bytes]) -> tuple[Tidy, dict[str, int]]:
    """Read lines of two node numbers; return each undirected edge once, nodes numbered from 0, and the counts."""
    pairs = pd.read_csv(file, sep=r"\s+", comment="#", names=["source", "target"], header=None).to_numpy()
    nodes, ends = np.unique(pairs, return_inverse=True)
    edges = np.unique(np.sort(ends.reshape(-1, 2), axis=1), axis=0)
    counts = {
        "lines": len(pairs),
        "nodes": len(nodes),
        "edges": len(edges),
        "triangles": count_triangles(edges, len(nodes)),
    }
    return {"edges.parquet": pd.DataFrame(edges.astype(np.int32), columns=["source", "target"])}, counts


def count_triangles(edges: np.ndarray, nodes: int) -> int:
    """Return the number of triangles in a graph: a published count that a single wrong edge would change.

    edges: (E, 2), each undirected edge once, the smaller number first; edges from a node to itself are ignored.
    """
    from scipy.sparse import coo_array  # here, because SciPy takes long to import and listing data sets needs none

    lower, upper = edges[edges[:, 0] < edges[:, 1]].T
    ahead = coo_array((np.ones(len(lower), np.int64), (lower, upper)), shape=(nodes, nodes)).tocsr()
    return int((ahead @ ahead).multiply(ahead).sum())
