"""Facebook ego networks, combined: the friendship network of their users."""

from __future__ import annotations

from pathlib import Path

from manybandits.datasets._archives import open_packed
from manybandits.datasets._graph import read_edges
from manybandits.datasets.base import Dataset, File, Tidy

DATASET = Dataset(
    name="facebook-ego",
    family="facebook",
    title="Facebook ego networks",
    kind="graph",
    completeness="complete",
    licence="no explicit licence; cite McAuley and Leskovec 2012",
    citation="McAuley and Leskovec 2012, Learning to discover social circles in ego networks",
    home="https://snap.stanford.edu/data/ego-Facebook.html",
    counts={"lines": 88_234, "nodes": 4_039, "edges": 88_234, "triangles": 1_612_010},
    dislikes=False,
    files=(File("facebook_combined.txt.gz", "https://snap.stanford.edu/data/facebook_combined.txt.gz"),),
    notes="No checksum of the compressed file is published; the counts are verified instead.",
)


def tidy(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the tidy table and its counts."""
    with open_packed(raw["facebook_combined.txt.gz"]) as file:
        return read_edges(file)
