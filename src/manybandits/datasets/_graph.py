"""A reader shared by the network data sets."""

from __future__ import annotations

import gzip
import lzma

import numpy as np
import pandas as pd

from manybandits.datasets.base import Tidy


def read_edges(file: gzip.GzipFile | lzma.LZMAFile) -> tuple[Tidy, dict[str, int]]:
    """Read lines of two node numbers; return each undirected edge once, nodes numbered from 0, and the counts."""
    pairs = pd.read_csv(file, sep=r"\s+", comment="#", names=["source", "target"], header=None).to_numpy()
    nodes, ends = np.unique(pairs, return_inverse=True)
    ends = np.sort(ends.reshape(-1, 2), axis=1)
    edges = np.unique(ends, axis=0)
    table = pd.DataFrame(edges.astype(np.int32), columns=["source", "target"])
    counts = {"lines": len(pairs), "nodes": len(nodes), "edges": len(edges)}
    return {"edges.parquet": table}, counts
