"""EMNIST Letters: images of handwritten letters, with the official split."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from manybandits.datasets._archives import open_zip_member
from manybandits.datasets._classification import read_idx, tidy_splits
from manybandits.datasets._emnist import CITATION, FAMILY, HOME, LICENCE, TRANSPOSED
from manybandits.datasets.base import Dataset, File, Tidy

DATASET = Dataset(
    name="emnist-letters",
    family=FAMILY,
    title="EMNIST Letters",
    kind="images",
    completeness="complete",
    licence=LICENCE,
    citation=CITATION,
    home=HOME,
    counts={"images": 145_600, "test images": 20_800, "classes": 26},
    files=(
        File(
            "gzip.zip", "https://biometrics.nist.gov/cs_links/EMNIST/gzip.zip", "md5:58c8d27c78d21e728a6bc7b3cc06412e"
        ),
    ),
    notes=TRANSPOSED,
)


def tidy(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the tidy arrays and their counts."""
    train, test = (
        (_read(raw["gzip.zip"], f"{split}-images-idx3"), _read(raw["gzip.zip"], f"{split}-labels-idx1"))
        for split in ("train", "test")
    )
    return tidy_splits(train, test)


def _read(archive: Path, what: str) -> np.ndarray:
    with open_zip_member(archive, f"gzip/emnist-letters-{what}-ubyte.gz") as file:
        return read_idx(file.read())
