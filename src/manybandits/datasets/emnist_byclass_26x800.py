"""EMNIST ByClass: 800 images of each letter from its test split (not from EMNIST Letters)."""

from __future__ import annotations

from pathlib import Path

from manybandits.datasets._archives import read_arrays
from manybandits.datasets._classification import tidy_images
from manybandits.datasets._emnist import CITATION, FAMILY, HOME, LICENCE, TRANSPOSED
from manybandits.datasets.base import Dataset, File, Tidy

DATASET = Dataset(
    name="emnist-byclass-26x800",
    family=FAMILY,
    title="EMNIST ByClass, 800 images of each of 26 letters",
    kind="images",
    completeness="extract",
    licence=LICENCE,
    citation=CITATION,
    home=HOME,
    counts={"images": 20_800, "classes": 26},
    files=(
        File(
            "emnist-byclass-test-letters-26x800.npz",
            checksum="sha256:660e235afa3f8ad828b8e953f97258ff920c745f4a0403fb1c3fb35628427d04",
            mirror="emnist/emnist-byclass-test-letters-26x800.npz",
        ),
    ),
    notes="Upper and lower case are merged. Some images are also in EMNIST Letters. " + TRANSPOSED,
)


def tidy(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the tidy arrays and their counts."""
    arrays = read_arrays(next(iter(raw.values())))
    return tidy_images(arrays["images"], arrays["labels"])
