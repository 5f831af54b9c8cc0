"""Part of EMNIST Letters: letters A to S of the test split, and 3,536 training images."""

from __future__ import annotations

from pathlib import Path

from manybandits.datasets._archives import read_arrays
from manybandits.datasets._classification import tidy_splits
from manybandits.datasets._emnist import CITATION, FAMILY, HOME, LICENCE, TRANSPOSED
from manybandits.datasets.base import Dataset, File, Tidy

DATASET = Dataset(
    name="emnist-letters-partial",
    family=FAMILY,
    title="EMNIST Letters, 18,336 of its 145,600 rows",
    kind="images",
    completeness="subset",
    licence=LICENCE,
    citation=CITATION,
    home=HOME,
    counts={"images": 18_336, "test images": 14_800, "classes": 26},
    files=(
        File(
            "emnist-letters-official-rows-partial.npz",
            checksum="sha256:8db220f2b6cb3d867360ee0d18212ce9c603d75020821ac7505ebf8fd20e6254",
            mirror="emnist/emnist-letters-official-rows-partial.npz",
        ),
    ),
    notes="Letters are not balanced: T to Z occur in the training rows only. " + TRANSPOSED,
)


def tidy(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the tidy arrays and their counts."""
    arrays = read_arrays(next(iter(raw.values())))
    train, test = ((arrays[f"{split}_images"], arrays[f"{split}_labels"]) for split in ("train", "test"))
    return tidy_splits(train, test)
