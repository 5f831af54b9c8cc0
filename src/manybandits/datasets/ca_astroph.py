"""AstroPh: the co-authorship network of astrophysics on arXiv."""

from __future__ import annotations

from pathlib import Path

from manybandits.datasets._archives import open_packed
from manybandits.datasets._graph import read_edges
from manybandits.datasets.base import Dataset, File, Tidy

DATASET = Dataset(
    name="ca-astroph",
    family="astroph",
    title="AstroPh co-authorship",
    kind="graph",
    completeness="complete",
    licence="no explicit licence; cite Leskovec, Kleinberg and Faloutsos 2007",
    citation="Leskovec, Kleinberg and Faloutsos 2007, Graph evolution: densification and shrinking diameters",
    home="https://snap.stanford.edu/data/ca-AstroPh.html",
    counts={"lines": 396_160, "nodes": 18_772, "edges": 198_110, "triangles": 1_351_441},
    dislikes=False,
    files=(File("ca-AstroPh.txt.gz", "https://snap.stanford.edu/data/ca-AstroPh.txt.gz"),),
    copies=(
        File("ca-AstroPh.txt.xz", checksum="sha256:41fdd0ed00fbfd245200b7a6dca81504e1df041069f3434a7eb67a7749036a7a"),
    ),
    notes="60 of the edges connect an author with themself. The copy has the same edges, with sorted lines.",
)


def tidy(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the tidy table and its counts."""
    with open_packed(next(iter(raw.values()))) as file:
        return read_edges(file)
